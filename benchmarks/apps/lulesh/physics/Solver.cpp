#include "physics/Solver.h"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>

#include "common/Error.h"
#include "physics/Corners.h"
#include "physics/Forces.h"
#include "physics/Motion.h"

namespace lulesh {

using apps::UserError;

namespace {

constexpr double largest_time_step = 1e-2;
constexpr double no_limit = 1e20;
/// Growth of the time step: factors below the first leave it unchanged, the second is the maximum.
constexpr double min_growth = 1.1;
constexpr double max_growth = 1.2;
/// Error codes in place of a limit, smaller than any limit, so that the reduction passes them to
/// all units.
constexpr double no_volume = -2;
constexpr double too_viscous = -1;

}  // namespace

double initial_energy(const Int3& elements) {
  const bool cube = elements[0] == elements[1] && elements[1] == elements[2];
  const double edge =
      cube ? elements[0] : std::cbrt(static_cast<double>(elements[0]) * elements[1] * elements[2]);
  const double scale = edge / 45.0;
  return 3.948746e+7 * scale * scale * scale;
}

Solver::Solver(const Mesh& mesh, const Fields& fields, const RegionOptions& regions,
               Exchange& exchange, Loop loop, MaterialSharing* sharing)
    : _mesh(mesh),
      _fields(fields),
      _exchange(exchange),
      _loop(loop),
      _sharing(sharing),
      _outer_nodes(shell_of(mesh.all_nodes(), mesh.inner_nodes())),
      _high_elements(shell_of(mesh.all_elements(), mesh.inner_elements(1))),
      _outer_elements(shell_of(mesh.all_elements(), mesh.inner_elements(0))) {
  _regions = make_regions(mesh, regions, mesh.unit());
  clear();
  set_coordinates();
  set_masses();
  const double energy = initial_energy(mesh.elements);
  if (mesh.is_origin()) fields.energy[0] = energy;
  const double dt = 0.5 * std::cbrt(fields.reference_volume[0]) / std::sqrt(2 * energy);
  // Reduce, so that all units have the same step: their volumes differ in the last bits.
  _dt = exchange.minimum({dt, dt}).courant;
}

void Solver::clear() {
  const std::size_t elements = _mesh.element_capacity();
  for (double* const field :
       {_fields.energy, _fields.pressure, _fields.viscosity, _fields.viscosity_linear,
        _fields.viscosity_square, _fields.volume_rate, _fields.sound_speed})
    std::fill_n(field, elements, 0.0);
  for (double* const field : _fields.velocity)
    std::fill_n(field, _mesh.node_capacity(), 0.0);
  std::fill_n(_fields.nodal_mass, _mesh.node_capacity(), 0.0);
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

TimeLimits Solver::limits_of_all() const {
  const TimeLimits limits = _exchange.minimum(_limits);
  if (limits.courant == no_volume) {
    throw UserError(fmt::format(
        "the volume of an element, or its Jacobian, is not positive after {} cycles: the "
        "mesh is too coarse in one direction, or its elements are too elongated",
        _cycles));
  }
  if (limits.courant == too_viscous) {
    throw UserError(fmt::format(
        "the artificial viscosity of an element is above its limit after {} cycles", _cycles));
  }
  return limits;
}

void Solver::check() {
  limits_of_all();
}

void Solver::choose_time_step() {
  if (_cycles != 0) {
    // Reduce over all units before comparing the two limits, so that the result does not depend on
    // the distribution.
    const TimeLimits limits = limits_of_all();
    double next = no_limit;
    if (limits.courant < next) next = limits.courant / 2;
    if (limits.hydro < next) next = limits.hydro * 2 / 3;
    const double growth = next / _dt;
    if (growth >= 1 && growth < min_growth) next = _dt;
    if (growth > max_growth) next = _dt * max_growth;
    _dt = std::min(next, largest_time_step);
  }
  // Shorten the step if it would leave a tiny last one.
  double limit = stop_time - _time;
  if (limit > _dt && limit < 4 * _dt / 3) limit = 2 * _dt / 3;
  _dt = std::min(_dt, limit);
  _time += _dt;
  ++_cycles;
}

void Solver::step() {
  choose_time_step();

  bool has_volumes = compute_forces(_mesh, _fields, _loop);
  _exchange.start(Kind::force, _fields);
  move_nodes(_mesh, _fields, _mesh.inner_nodes(), _dt, _loop);
  _exchange.finish(Kind::force, _fields);
  for (const Box& box : _outer_nodes)
    move_nodes(_mesh, _fields, box, _dt, _loop);

  _exchange.start(Kind::motion, _fields);
  has_volumes &= compute_kinematics(_mesh, _fields, _mesh.inner_elements(1), _dt, _loop);
  _exchange.finish(Kind::motion, _fields);
  for (const Box& box : _high_elements)
    has_volumes &= compute_kinematics(_mesh, _fields, box, _dt, _loop);

  _exchange.start(Kind::gradients, _fields);
  set_boundary_gradients(_mesh, _fields);
  bool is_smooth = compute_viscosity(_mesh, _fields, _mesh.inner_elements(0), _loop);
  _exchange.finish(Kind::gradients, _fields);
  for (const Box& box : _outer_elements)
    is_smooth &= compute_viscosity(_mesh, _fields, box, _loop);

  has_volumes &= apply_material(_regions, _fields, _loop, _sharing);
  _limits = update_volumes(_mesh, _fields, _loop);
  if (!is_smooth) _limits.courant = too_viscous;
  if (!has_volumes) _limits.courant = no_volume;
}

}  // namespace lulesh
