#pragma once

#include <cstddef>

#include "mesh/Fields.h"
#include "mesh/Mesh.h"
#include "physics/Loop.h"

namespace lulesh {

/// Sets the forces on the unit's nodes to those that its own elements exert on them: stress and
/// hourglass control.
/// \returns whether all elements have a positive volume
bool compute_forces(const Mesh& mesh, const Fields& fields, const Loop& loop);

/// Size of the temporary buffer of compute_forces, in doubles.
std::size_t force_buffer_capacity(const Mesh& mesh);

}  // namespace lulesh
