// Molecular dynamics: particles with short-range forces, which move between cells and units.
// dash-example: units=1,2,3,4,7 layouts=node,nolocal
#include <dash/halo/HaloMatrixWrapper.h>
#include <dash/halo/stencil/StencilFor.h>
#include <libdash.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <stdexcept>
#include <vector>

namespace {

using Vector = std::array<double, 2>;

constexpr double cell_size = 2.5;  // also the distance up to which particles interact
constexpr double time_step = 0.005;
constexpr std::size_t num_neighbours = 8;  // of a cell

// --8<-- [start:cell]
struct Particle {
  Vector position{};
  Vector velocity{};
  Vector force{};
  double potential = 0;  // half of the energies of its pairs
  long number = 0;
};

/// The particles in a part of the box. Units copy cells as bytes, so there are no pointers.
struct Cell {
  static constexpr std::size_t capacity = 12;

  std::size_t count = 0;
  std::array<Particle, capacity> particles{};

  const Particle* begin() const { return particles.data(); }
  const Particle* end() const { return particles.data() + count; }
  void add(const Particle& particle) {
    if (count == capacity) throw std::length_error("a cell has too many particles");
    particles[count++] = particle;
  }
};

using Cells = dash::NArray<Cell, 2>;
using Halo = dash::halo::HaloMatrixWrapper<Cells>;
using Point = dash::halo::StencilPoint<2>;
using Stencil = dash::halo::StencilSpec<Point, num_neighbours>;
// --8<-- [end:cell]

/// The box, whose opposite sides are connected.
class Box {
 public:
  explicit Box(const std::array<long, 2>& cells) : _cells(cells) {}

  double extent(std::size_t d) const { return cell_size * static_cast<double>(_cells[d]); }
  long num_particles() const { return 2 * _cells[0] * _cells[1]; }

  std::array<long, 2> cell_of(const Vector& position) const {
    std::array<long, 2> cell{};
    for (std::size_t d = 0; d < 2; ++d)
      cell[d] = std::clamp(static_cast<long>(position[d] / cell_size), 0L, _cells[d] - 1);
    return cell;
  }
  /// The shortest vector from a to b.
  Vector distance(const Vector& a, const Vector& b) const {
    Vector result{};
    for (std::size_t d = 0; d < 2; ++d) {
      result[d] = b[d] - a[d];
      result[d] -= extent(d) * std::round(result[d] / extent(d));
    }
    return result;
  }

  /// Two particles in each cell, which move to the lower right on average.
  Particle initial_particle(long number) const {
    const long cell = number / 2;
    const double offset = number % 2 == 0 ? 0.25 : 0.75;
    const auto random = [&](long k) { return static_cast<double>(number * k % 101) / 25 - 2; };
    Particle particle;
    particle.position = {(static_cast<double>(cell / _cells[1]) + offset) * cell_size,
                         (static_cast<double>(cell % _cells[1]) + offset) * cell_size};
    particle.velocity = {1 + random(37), 0.5 + random(59)};
    particle.number = number;
    return particle;
  }

 private:
  std::array<long, 2> _cells;
};

// --8<-- [start:physics]
/// The first half of a step: accelerates a particle and moves it.
Particle moved(Particle particle, const Box& box) {
  for (std::size_t d = 0; d < 2; ++d) {
    particle.velocity[d] += 0.5 * time_step * particle.force[d];
    double& position = particle.position[d];
    position += time_step * particle.velocity[d];
    position -= box.extent(d) * std::floor(position / box.extent(d));
  }
  return particle;
}
/// The second half: accelerates it by the new force.
void accelerate(Particle& particle) {
  for (std::size_t d = 0; d < 2; ++d)
    particle.velocity[d] += 0.5 * time_step * particle.force[d];
}
/// Adds the Lennard-Jones force of another particle.
void add_force(Particle& particle, const Particle& other, const Box& box) {
  const Vector r = box.distance(particle.position, other.position);
  const double square = r[0] * r[0] + r[1] * r[1];
  if (particle.number == other.number || square > cell_size * cell_size) return;
  const auto energy = [](double inverse6) { return 4 * (inverse6 * inverse6 - inverse6); };
  const double inverse6 = 1 / (square * square * square);
  const double force = 24 * (2 * inverse6 * inverse6 - inverse6) / square;
  for (std::size_t d = 0; d < 2; ++d)
    particle.force[d] -= force * r[d];
  particle.potential += 0.5 * (energy(inverse6) - energy(std::pow(cell_size, -6)));
}
// --8<-- [end:physics]

// --8<-- [start:simulation]
/// Moves particles on all units. Each of two stages reads one matrix of cells and writes the other.
class Simulation {
 public:
  Simulation(const Box& box, const Cells::pattern_type& pattern)
      : _box(box), _cells(pattern), _moved(pattern) {}

  Cells& cells() { return _cells; }

  void run(int num_steps) {
    const dash::team_unit_t me = dash::Team::All().myid();
    for (long number = 0; number < _box.num_particles(); ++number) {
      const Particle particle = _box.initial_particle(number);
      const auto at = _moved.pattern().local_index(_box.cell_of(particle.position));
      if (at.unit == me) _moved.lbegin()[at.index].add(particle);
    }
    compute_forces(true);
    for (int step = 0; step < num_steps; ++step) {
      move();
      compute_forces(false);
    }
  }

 private:
  /// A cell gets the particles of itself and of its neighbours that are in it after the move.
  void move() {
    const auto& pattern = _cells.pattern();
    const dash::team_unit_t me = dash::Team::All().myid();
    dash::halo::stencil_for(_halo, _operator, _moved.lbegin(), [&](const auto& cell) {
      const std::array<long, 2> here = pattern.global_coords(me, cell.lpos());
      Cell result;
      for (std::size_t k = 0; k <= num_neighbours; ++k) {
        for (const Particle& each : cell_at(cell, k)) {
          const Particle particle = moved(each, _box);
          if (_box.cell_of(particle.position) == here) result.add(particle);
        }
      }
      return result;
    });
  }

  /// The forces on the particles of a cell, which only particles of neighbouring cells exert.
  void compute_forces(bool is_start) {
    dash::halo::stencil_for(_moved_halo, _moved_operator, _cells.lbegin(), [&](const auto& cell) {
      Cell result = cell.center();
      for (std::size_t i = 0; i < result.count; ++i) {
        result.particles[i].force = {};
        result.particles[i].potential = 0;
      }
      for (std::size_t k = 0; k <= num_neighbours; ++k) {
        const Cell other = cell_at(cell, k);
        for (std::size_t i = 0; i < result.count; ++i)
          for (const Particle& each : other)
            add_force(result.particles[i], each, _box);
      }
      for (std::size_t i = 0; i < result.count && !is_start; ++i)
        accelerate(result.particles[i]);
      return result;
    });
  }

  static constexpr Stencil neighbours{Point(-1, -1), Point(-1, 0), Point(-1, 1), Point(0, -1),
                                      Point(0, 1),   Point(1, -1), Point(1, 0),  Point(1, 1)};

  /// A neighbour of a cell, or the cell itself.
  static Cell cell_at(const auto& cell, std::size_t k) {
    return k < num_neighbours ? cell[k] : cell.center();
  }

  const Box& _box;
  Cells _cells;
  Cells _moved;
  dash::halo::GlobalBoundarySpec<2> _periodic{dash::halo::BoundaryProp::CYCLIC,
                                              dash::halo::BoundaryProp::CYCLIC};
  Halo _halo{_cells, _periodic, neighbours};
  Halo _moved_halo{_moved, _periodic, neighbours};
  Halo::StencilOperator_t<Stencil> _operator = _halo.stencil_operator(neighbours);
  Halo::StencilOperator_t<Stencil> _moved_operator = _moved_halo.stencil_operator(neighbours);
};
// --8<-- [end:simulation]

/// The same without cells and units: each particle interacts with all others.
std::vector<Particle> serial_result(const Box& box, int num_steps) {
  std::vector<Particle> all;
  for (long number = 0; number < box.num_particles(); ++number)
    all.push_back(box.initial_particle(number));
  for (int step = 0; step <= num_steps; ++step) {
    for (Particle& particle : all) {
      if (step > 0) particle = moved(particle, box);
      particle.force = {};
      particle.potential = 0;
    }
    for (Particle& particle : all) {
      for (const Particle& other : all)
        add_force(particle, other, box);
      if (step > 0) accelerate(particle);
    }
  }
  return all;
}

/// The components of the momentum, and the energy. They do not change.
std::array<double, 3> totals(const std::vector<Particle>& particles) {
  std::array<double, 3> sums{};
  for (const auto& [position, velocity, force, potential, number] : particles) {
    sums[0] += velocity[0];
    sums[1] += velocity[1];
    sums[2] += potential + 0.5 * (velocity[0] * velocity[0] + velocity[1] * velocity[1]);
  }
  return sums;
}

/// Copies the particles of all units, in the order of their numbers.
std::vector<Particle> collect(const Cells& cells) {
  std::vector<Cell> all(cells.size());
  dash::copy(cells.begin(), cells.end(), all.data());
  std::vector<Particle> particles;
  for (const Cell& cell : all)
    particles.insert(particles.end(), cell.begin(), cell.end());
  std::sort(particles.begin(), particles.end(),
            [](const Particle& a, const Particle& b) { return a.number < b.number; });
  return particles;
}

// --8<-- [start:check]
bool check(const std::vector<Particle>& particles, const Box& box, int num_steps) {
  const auto num_particles = static_cast<std::size_t>(box.num_particles());
  if (particles.size() != num_particles) {
    std::fprintf(stderr, "particles: %zu of %zu are left\n", particles.size(), num_particles);
    return false;
  }
  // After many steps, differences of rounding have grown: only the sums can be compared.
  const std::vector<Particle> expected =
      num_steps <= 300 ? serial_result(box, num_steps) : particles;
  double error = 0;
  long num_left = 0;  // number of particles that have left their cells
  for (std::size_t i = 0; i < num_particles; ++i) {
    const Vector difference = box.distance(particles[i].position, expected[i].position);
    error = std::max(error, std::hypot(difference[0], difference[1]));
    const Particle initial = box.initial_particle(static_cast<long>(i));
    num_left += box.cell_of(initial.position) != box.cell_of(particles[i].position) ? 1 : 0;
  }
  const auto begin = totals(serial_result(box, 0));
  const auto end = totals(particles);
  std::printf("%zu particles, %ld are in another cell after %d steps\n", num_particles, num_left,
              num_steps);
  std::printf("momentum: (%.6f, %.6f), then (%.6f, %.6f)\n", begin[0], begin[1], end[0], end[1]);
  std::printf("energy: %.3f, then %.3f\n", begin[2], end[2]);
  return error < 1e-9 && std::abs(begin[0] - end[0]) < 1e-9 && std::abs(begin[1] - end[1]) < 1e-9 &&
         std::abs(begin[2] - end[2]) < 1e-3 * std::abs(begin[2]);
}
// --8<-- [end:check]

int run(const std::array<long, 2>& num_cells, int num_steps) {
  const Box box(num_cells);
  // --8<-- [start:pattern]
  dash::TeamSpec<2> grid(dash::Team::All());
  grid.balance_extents();
  const Cells::pattern_type pattern(dash::SizeSpec<2>(num_cells[0], num_cells[1]),
                                    dash::DistributionSpec<2>(dash::BLOCKED, dash::BLOCKED), grid);
  // --8<-- [end:pattern]
  Simulation simulation(box, pattern);
  simulation.run(num_steps);
  dash::barrier();  // the cells of all units are written

  bool is_right = true;
  if (dash::myid() == 0) {
    is_right = check(collect(simulation.cells()), box, num_steps);
    if (!is_right) std::fprintf(stderr, "particles: the result is wrong\n");
  }
  dash::barrier();  // no unit frees its cells before unit 0 has copied them
  return is_right ? 0 : 1;
}

}  // namespace

int main(int argc, char** argv) {
  dash::init(&argc, &argv);
  const long rows = argc > 1 ? std::atol(argv[1]) : 14;
  const long cols = argc > 2 ? std::atol(argv[2]) : 8;
  const int num_steps = argc > 3 ? std::atoi(argv[3]) : 100;
  int result = 1;
  try {
    if (rows < 3 || cols < 3 || num_steps < 0)
      throw std::invalid_argument("expected at least 3 rows and 3 columns of cells");
    result = run({rows, cols}, num_steps);
  } catch (const std::exception& error) {  // of the arguments, or too many particles in a cell
    if (dash::myid() == 0) std::fprintf(stderr, "particles: %s\n", error.what());
  }
  dash::finalize();
  return result;
}
