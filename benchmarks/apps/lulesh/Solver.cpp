#include "Solver.h"

#include <algorithm>
#include <cmath>

#include "Corners.h"
#include "Forces.h"
#include "Material.h"
#include "Motion.h"

namespace lulesh {

namespace {

constexpr double largest_time_step = 1e-2;
constexpr double no_limit = 1e20;
/// The time step grows by less than the first, or not, and by the second at most.
constexpr double least_growth = 1.1;
constexpr double most_growth = 1.2;

}  // namespace

double initial_energy(const Int3& elements) {
  const bool cube = elements[0] == elements[1] && elements[1] == elements[2];
  const double edge =
      cube ? elements[0] : std::cbrt(static_cast<double>(elements[0]) * elements[1] * elements[2]);
  const double scale = edge / 45.0;
  return 3.948746e+7 * scale * scale * scale;
}

Solver::Solver(const Mesh& mesh, const Fields& fields, const RegionOptions& regions,
               Exchange& exchange, Loop loop)
    : _mesh(mesh),
      _fields(fields),
      _exchange(exchange),
      _loop(loop),
      _outer_nodes(shell_of(mesh.all_nodes(), mesh.inner_nodes())),
      _high_elements(shell_of(mesh.all_elements(), mesh.inner_elements(1))),
      _outer_elements(shell_of(mesh.all_elements(), mesh.inner_elements(0))) {
  const int unit = mesh.place[0] + mesh.units[0] * (mesh.place[1] + mesh.units[1] * mesh.place[2]);
  _regions = make_regions(mesh, regions, unit);
  set_coordinates();
  set_masses();
  const double energy = initial_energy(mesh.elements);
  if (mesh.is_origin()) fields.energy[0] = energy;
  const double dt = 0.5 * std::cbrt(fields.reference_volume[0]) / std::sqrt(2 * energy);
  // The same on all units: volumes differ in the last bits.
  _dt = exchange.least({dt, dt}).courant;
}

void Solver::set_coordinates() {
  for (int k = 0; k < _mesh.nodes(2); ++k) {
    for (int j = 0; j < _mesh.nodes(1); ++j) {
      for (int i = 0; i < _mesh.nodes(0); ++i) {
        const Int3 at{i, j, k};
        for (std::size_t d = 0; d < 3; ++d) {
          _fields.position[d][_mesh.node(i, j, k)] =
              domain_edge * (_mesh.first[d] + at[d]) / _mesh.elements[d];
        }
      }
    }
  }
}

void Solver::set_masses() {
  const auto offsets = CornerOffsets(_mesh).all();
  for (int k = 0; k < _mesh.count[2]; ++k) {
    for (int j = 0; j < _mesh.count[1]; ++j) {
      for (int i = 0; i < _mesh.count[0]; ++i) {
        const std::ptrdiff_t e = _mesh.element(i, j, k);
        const std::ptrdiff_t lowest = _mesh.node(i, j, k);
        const double volume = volume_of(load_corners<Single>(_fields.position, lowest, offsets))[0];
        _fields.reference_volume[e] = volume;
        _fields.mass[e] = volume;
        _fields.volume[e] = 1;
        for (const std::ptrdiff_t offset : offsets)
          _fields.nodal_mass[lowest + offset] += volume / 8;
      }
    }
  }
  _exchange.start(Kind::mass, _fields);
  _exchange.finish(Kind::mass, _fields);
}

void Solver::choose_time_step() {
  if (_cycles != 0) {
    // Of all units first: which of the two limits counts must not depend on how elements are dealt.
    const TimeLimits limits = _exchange.least(_limits);
    double next = no_limit;
    if (limits.courant < next) next = limits.courant / 2;
    if (limits.hydro < next) next = limits.hydro * 2 / 3;
    const double growth = next / _dt;
    if (growth >= 1 && growth < least_growth) next = _dt;
    if (growth > most_growth) next = _dt * most_growth;
    _dt = std::min(next, largest_time_step);
  }
  // No step that would leave a tiny last one.
  double left = stop_time - _time;
  if (left > _dt && left < 4 * _dt / 3) left = 2 * _dt / 3;
  _dt = std::min(_dt, left);
  _time += _dt;
  ++_cycles;
}

void Solver::step() {
  choose_time_step();

  compute_forces(_mesh, _fields, _loop);
  _exchange.start(Kind::force, _fields);
  move_nodes(_mesh, _fields, _mesh.inner_nodes(), _dt, _loop);
  _exchange.finish(Kind::force, _fields);
  for (const Box& box : _outer_nodes)
    move_nodes(_mesh, _fields, box, _dt, _loop);

  _exchange.start(Kind::motion, _fields);
  compute_kinematics(_mesh, _fields, _mesh.inner_elements(1), _dt, _loop);
  _exchange.finish(Kind::motion, _fields);
  for (const Box& box : _high_elements)
    compute_kinematics(_mesh, _fields, box, _dt, _loop);

  _exchange.start(Kind::gradients, _fields);
  set_boundary_gradients(_mesh, _fields);
  compute_viscosity(_mesh, _fields, _mesh.inner_elements(0), _loop);
  _exchange.finish(Kind::gradients, _fields);
  for (const Box& box : _outer_elements)
    compute_viscosity(_mesh, _fields, box, _loop);

  apply_material(_regions, _fields, _loop);
  _limits = update_volumes(_mesh, _fields, _loop);
}

}  // namespace lulesh
