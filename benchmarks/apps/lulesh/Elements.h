#pragma once

#include "Fields.h"
#include "Loop.h"
#include "Mesh.h"

namespace lulesh {

/// From the nodes' positions and velocities, of each element of a box: volume and its change, length,
/// rate of change of the volume, and the gradients that the artificial viscosity is made of.
/// \returns whether all elements have a volume, and a positive Jacobian at their centres
bool compute_kinematics(const Mesh& mesh, const Fields& fields, const Box& box, double dt,
                        const Loop& loop);

/// Sets the layers outside of the mesh of the velocity gradients: at planes of symmetry what the
/// element has itself, at free ones nothing. Those of neighbours are for the exchange.
void set_boundary_gradients(const Mesh& mesh, const Fields& fields);

/// The linear and the quadratic term of the artificial viscosity, of each element of a box.
/// \pre the gradients' layers around it are set
/// \returns whether that of the last step is below its limit
bool compute_viscosity(const Mesh& mesh, const Fields& fields, const Box& box, const Loop& loop);

/// Makes the new volumes the current ones, and finds what limits the next time step.
struct TimeLimits {
  double courant;
  double hydro;
};
TimeLimits update_volumes(const Mesh& mesh, const Fields& fields, const Loop& loop);

}  // namespace lulesh
