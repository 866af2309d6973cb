#pragma once

#include "mesh/Fields.h"
#include "mesh/Mesh.h"
#include "physics/Loop.h"

namespace lulesh {

/// Computes for each element of a box, from the positions and velocities of its nodes: volume,
/// change and rate of change of the volume, characteristic length, and the gradients for the
/// artificial viscosity.
/// \returns whether all elements have a positive volume and a positive Jacobian at the centre
bool compute_kinematics(const Mesh& mesh, const Fields& fields, const Box& box, double dt,
                        const Loop& loop);

/// Sets the layers of the velocity gradients outside of the mesh: at planes of symmetry the value
/// of the adjacent element, at free boundaries zero. The exchange sets the layers that belong to
/// neighbours.
void set_boundary_gradients(const Mesh& mesh, const Fields& fields);

/// Computes the linear and the quadratic term of the artificial viscosity for each element of a
/// box.
/// \pre the layers of the gradients around the box are set
/// \returns whether the artificial viscosity of the last step is below its limit
bool compute_viscosity(const Mesh& mesh, const Fields& fields, const Box& box, const Loop& loop);

/// Limits of the next time step.
struct TimeLimits {
  double courant;
  double hydro;
};
/// Makes the new volumes the current ones, and computes the limits of the next time step.
TimeLimits update_volumes(const Mesh& mesh, const Fields& fields, const Loop& loop);

}  // namespace lulesh
