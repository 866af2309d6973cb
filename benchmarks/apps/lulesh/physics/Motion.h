#pragma once

#include "mesh/Fields.h"
#include "mesh/Mesh.h"
#include "physics/Loop.h"

namespace lulesh {

/// Moves the nodes of a box according to the forces on them: acceleration, velocity, position.
/// Nodes on a plane of symmetry stay on it.
void move_nodes(const Mesh& mesh, const Fields& fields, const Box& box, double dt,
                const Loop& loop);

}  // namespace lulesh
