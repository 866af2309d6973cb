#pragma once

#include <array>
#include <cstddef>

namespace lulesh {

/// A vector field of nodes: one array for each dimension.
using Components = std::array<double*, 3>;

/// The state of a unit's subdomain: non-owning pointers to arrays of nodes and of elements, in the
/// layout of Mesh.
struct Fields {
  // Nodes.
  Components position;
  Components velocity;
  Components force;
  double* nodal_mass;

  // Elements.
  double* energy;
  double* pressure;
  double* viscosity;         // q
  double* viscosity_linear;  // ql
  double* viscosity_square;  // qq
  double* volume;            // relative to reference_volume
  double* new_volume;
  double* volume_change;
  double* volume_rate;  // vdov
  double* reference_volume;
  double* mass;
  double* length;  // characteristic
  double* sound_speed;
  Components gradient_length;  // delx in xi, eta, zeta
  // delv in xi, eta, zeta: each has an additional layer on both sides in its own dimension, for
  // values of neighbours or of the boundary. See Mesh::gradient.
  Components gradient_velocity;
};

/// Creates the fields from arrays of zeros that the functions allocate.
/// \param elements, nodes  () -> double*
/// \param gradients        (dimension) -> double*
template <class Elements, class Nodes, class Gradients>
Fields make_fields(const Elements& elements, const Nodes& nodes, const Gradients& gradients) {
  Fields fields{};
  for (std::size_t d = 0; d < 3; ++d) {
    fields.position[d] = nodes();
    fields.velocity[d] = nodes();
    fields.force[d] = nodes();
    fields.gradient_length[d] = elements();
    fields.gradient_velocity[d] = gradients(d);
  }
  fields.nodal_mass = nodes();
  for (double** field :
       {&fields.energy, &fields.pressure, &fields.viscosity, &fields.viscosity_linear,
        &fields.viscosity_square, &fields.volume, &fields.new_volume, &fields.volume_change,
        &fields.volume_rate, &fields.reference_volume, &fields.mass, &fields.length,
        &fields.sound_speed}) {
    *field = elements();
  }
  return fields;
}

}  // namespace lulesh
