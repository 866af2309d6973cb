#pragma once

#include <dash/Team.h>

#include <vector>

#include "mesh/Fields.h"
#include "mesh/Mesh.h"
#include "report/Picture.h"

namespace lulesh {

/// Gathers the elements at the plane z = 0 from all units.
/// \returns the elements on unit 0; nothing on other units
/// \collective
std::vector<Cell> gather_slice(const Mesh& mesh, const Fields& fields, dash::Team& team);

}  // namespace lulesh
