#pragma once

#include "Fields.h"
#include "Loop.h"
#include "Mesh.h"

namespace lulesh {

/// Moves the nodes of a box by the forces on them: acceleration, velocity, position. Those on the
/// planes of symmetry stay there.
void move_nodes(const Mesh& mesh, const Fields& fields, const Box& box, double dt,
                const Loop& loop);

}  // namespace lulesh
