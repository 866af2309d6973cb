#include "physics/Motion.h"

#include <cmath>

#include "physics/Simd.h"

namespace lulesh {

namespace {

/// Smaller velocities are set to zero.
constexpr double velocity_cut = 1e-7;

[[gnu::flatten]] void move_row(const Mesh& mesh, const Fields& fields, const Box& box, double dt,
                               int j, int k) {
  const std::ptrdiff_t row = mesh.node(0, j, k);
  const Int3 coordinates{0, j, k};
  for (std::size_t d = 0; d < 3; ++d) {
    double* const position = fields.position[d] + row;
    double* const velocity = fields.velocity[d] + row;
    const double* const force = fields.force[d] + row;
    const double* const mass = fields.nodal_mass + row;
    // Nodes on a plane of symmetry do not accelerate across it.
    const bool fixed = d > 0 && mesh.grid_position[d] == 0 && coordinates[d] == 0;
    for_packs(box.begin[0], box.end[0], [&](auto pack, int i) {
      using V = decltype(pack);
      V acceleration = load<V>(force + i) / load<V>(mass + i);
      if (fixed) acceleration = V(0.0);
      V u = load<V>(velocity + i) + acceleration * dt;
      u = select<V>(stdx::abs(u) < V(velocity_cut), V(0.0), u);
      store(u, velocity + i);
      store(V(load<V>(position + i) + u * dt), position + i);
    });
  }
}

}  // namespace

void move_nodes(const Mesh& mesh, const Fields& fields, const Box& box, double dt,
                const Loop& loop) {
  if (box.empty()) return;
  loop(box.end[2] - box.begin[2], [&](int plane) {
    const int k = box.begin[2] + plane;
    for (int j = box.begin[1]; j < box.end[1]; ++j) {
      if (mesh.grid_position[0] == 0 && box.begin[0] == 0) fields.force[0][mesh.node(0, j, k)] = 0;
      move_row(mesh, fields, box, dt, j, k);
    }
  });
}

}  // namespace lulesh
