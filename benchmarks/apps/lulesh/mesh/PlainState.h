#pragma once

#include <deque>
#include <vector>

#include "mesh/Fields.h"
#include "mesh/Mesh.h"

namespace lulesh {

/// The fields of one unit in private memory, for the baselines and for serial runs.
class PlainState {
 public:
  explicit PlainState(const Mesh& mesh)
      : _fields(make_fields(
            [&] { return array(mesh.element_capacity()); },
            [&] { return array(mesh.node_capacity()); },
            [&](std::size_t d) { return array(mesh.gradient_capacity(static_cast<int>(d))); })) {}

  const Fields& fields() const { return _fields; }

 private:
  double* array(std::size_t length) { return _arrays.emplace_back(length).data(); }

  std::deque<std::vector<double>> _arrays;
  Fields _fields;
};

}  // namespace lulesh
