#pragma once

#include <optional>
#include <string>

#include "mesh/Mesh.h"

namespace lulesh {

/// The state at the end of a run.
struct FinalState {
  long cycles;
  bool is_complete;  ///< whether the run reached the stop time
  double origin_energy;
  /// The largest difference between energies at (x, y) and (y, x); empty if none were compared.
  std::optional<double> asymmetry;
};

struct Verdict {
  std::string text;       ///< the expectation that the final state was compared with
  std::string failure;    ///< why the verification failed, in one line; empty if it passed
  bool is_known = false;  ///< whether the final state was compared with a known answer
};

/// Verifies the final state of a run. For some meshes and numbers of cycles the answer of the
/// reference program is known; then the energy at the origin must agree to a relative error of
/// 1e-12. Otherwise the energy must be positive. If the mesh has the same number of elements in x
/// and y, it must also be symmetric up to rounding, as far as a unit has both elements of a pair.
Verdict verify(const Mesh& mesh, const FinalState& end);

}  // namespace lulesh
