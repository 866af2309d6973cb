#pragma once

#include <cstddef>

#include "Fields.h"
#include "Loop.h"
#include "Mesh.h"

namespace lulesh {

/// Sets the forces on the unit's nodes to what its own elements exert on them: stress, and control
/// of hourglass modes.
/// \returns whether all elements have a volume
bool compute_forces(const Mesh& mesh, const Fields& fields, const Loop& loop);

/// Numbers that it has memory for meanwhile.
std::size_t force_buffer_capacity(const Mesh& mesh);

}  // namespace lulesh
