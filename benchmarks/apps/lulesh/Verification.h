#pragma once

#include <optional>
#include <string>

#include "Mesh.h"

namespace lulesh {

/// How a run has ended.
struct End {
  long cycles;
  bool is_complete;  ///< up to the stop time
  double origin_energy;
  std::optional<double>
      asymmetry;  ///< the largest difference of energies, x against y, if any were compared
};

struct Verdict {
  std::string text;       ///< what the end was compared with
  std::string complaint;  ///< in one line; empty if all is well
  bool is_known = false;  ///< whether with a known answer, to its digits
};

/// Compares with the known answers of the reference program, for the cubes and numbers of cycles that
/// there are: 1e-12 relative. Otherwise, the energy has to be a positive number and, where the mesh is
/// as wide as it is deep, the same across the diagonal up to rounding, as far as one unit has both sides.
Verdict verify(const Mesh& mesh, const End& end);

}  // namespace lulesh
