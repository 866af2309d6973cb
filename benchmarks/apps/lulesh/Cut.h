#pragma once

#include <dash/Team.h>

#include <vector>

#include "Fields.h"
#include "Mesh.h"
#include "Picture.h"

namespace lulesh {

/// The elements next to the plane z = 0, of all units.
/// \returns on unit 0; nothing on others
/// \collective
std::vector<Cell> cut_through_origin(const Mesh& mesh, const Fields& fields, dash::Team& team);

}  // namespace lulesh
