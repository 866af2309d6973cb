#pragma once

#include <dash/Array.h>
#include <dash/Matrix.h>
#include <dash/Team.h>

#include <deque>

#include "mesh/Fields.h"
#include "mesh/Mesh.h"

namespace lulesh {

/// The fields of all units in global memory: fields of elements in matrices, fields of nodes in
/// arrays with one block for each unit.
/// \collective
class State {
 public:
  State(const Mesh& mesh, dash::Team& team);

  /// The local fields of the caller.
  const Fields& fields() const { return _fields; }

 private:
  using Matrix = dash::Matrix<double, 3>;
  using Array = dash::Array<double>;

  double* elements();
  double* nodes();
  double* block(std::size_t length);

  const Mesh& _mesh;
  dash::Team& _team;
  std::deque<Matrix> _matrices;
  std::deque<Array> _arrays;
  Fields _fields;
};

}  // namespace lulesh
