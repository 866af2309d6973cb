// The Sedov blast compared with known answers of the reference program and with runs of one unit.

#include <algorithm>
#include <cmath>
#include <vector>

#include "LuleshRun.h"
#include "Options.h"
#include "dash/Collectives.h"
#include "dash/Init.h"
#include "exchange/NodeSharing.h"
#include "mesh/Mesh.h"
#include "mesh/PlainState.h"
#include "mesh/State.h"
#include "physics/Elements.h"
#include "physics/Forces.h"
#include "physics/Solver.h"
#include "report/Report.h"
#include "report/Verification.h"
#include "support/Catch.h"
#include "support/Runner.h"

using namespace lulesh;

namespace {

constexpr double tolerance = 1e-12;

/// A complete run on unit 0 alone.
struct SerialRun {
  /// \collective; all units get the fields
  explicit SerialRun(const Int3& elements)
      : mesh({1, 1, 1}, elements, 0),
        state(mesh),
        solver(mesh, state.fields(), {}, exchange, Loop(run_chunks)) {
    const dash::team_unit_t root(0);
    while (dash::myid().id == 0 && !solver.is_done())
      solver.step();
    cycles = dash::bcast_async(solver.cycles(), root).get();
    const Fields& f = state.fields();
    for (double* const field : {f.energy, f.pressure, f.volume}) {
      REQUIRE(dart_bcast(field, mesh.element_capacity(), DART_TYPE_DOUBLE, root, DART_TEAM_ALL) ==
              DART_OK);
    }
  }

  Mesh mesh;
  long cycles = 0;
  PlainState state;
  NoExchange exchange;
  Solver solver;
};

/// The largest difference of a field of elements, relative to its largest value.
double largest_difference(const Mesh& mesh, const double* field, const SerialRun& serial,
                          const double* expected) {
  double largest = 0;
  double scale = 0;
  for (int k = 0; k < mesh.count[2]; ++k) {
    for (int j = 0; j < mesh.count[1]; ++j) {
      for (int i = 0; i < mesh.count[0]; ++i) {
        const double actual = field[mesh.element(i, j, k)];
        const double reference =
            expected[serial.mesh.element(mesh.first[0] + i, mesh.first[1] + j, mesh.first[2] + k)];
        largest = std::max(largest, std::abs(actual - reference));
        scale = std::max(scale, std::abs(reference));
      }
    }
  }
  return scale > 0 ? largest / scale : largest;
}

/// Calls f(node) for the nodes that no lower unit has.
template <class F>
void for_own_nodes(const Mesh& mesh, const F& f) {
  const auto from = [&](std::size_t d) { return mesh.has_neighbour(d, -1) ? 1 : 0; };
  for (int k = from(2); k < mesh.nodes(2); ++k) {
    for (int j = from(1); j < mesh.nodes(1); ++j) {
      for (int i = from(0); i < mesh.nodes(0); ++i)
        f(mesh.node(i, j, k));
    }
  }
}

/// Totals over the elements of all units.
struct Totals {
  double energy;
  double energetic;  // number of elements with energy
};

Totals totals_of(const Run& run) {
  const Mesh& mesh = run.mesh;
  double energy = 0;
  double energetic = 0;
  for (int k = 0; k < mesh.count[2]; ++k) {
    for (int j = 0; j < mesh.count[1]; ++j) {
      for (int i = 0; i < mesh.count[0]; ++i) {
        const double element_energy = run.state.fields().energy[mesh.element(i, j, k)];
        energy += element_energy;
        energetic += element_energy != 0 ? 1 : 0;
      }
    }
  }
  return {run.sum(energy), run.sum(energetic)};
}

}  // namespace

TEST_CASE("a complete run on a cube has the cycles and the origin energy of the reference") {
  struct Answer {
    int edge;
    long cycles;
    double energy;
  };
  const Answer answers[] = {{2, 5, 2.746125041139015e+03},
                            {3, 23, 4.001337895665138e+03},
                            {5, 72, 7.853665102145845e+03},
                            {6, 102, 1.045417598590898e+04},
                            {10, 231, 2.720531168470347e+04}};
  int runs = 0;
  for (const Answer& answer : answers) {
    // The largest cube takes as long as all others together.
    if (answer.edge == 10 && dash::size() != 2) continue;
    // Some numbers of units have no grid for the smaller cubes.
    const Int3 elements{answer.edge, answer.edge, answer.edge};
    if (choose_grid(static_cast<int>(dash::size()), elements)[0] == 0) continue;
    Run run(elements);
    run.finish();
    CHECK(run.solver.cycles() == answer.cycles);
    CHECK(std::abs(run.origin_energy() / answer.energy - 1) < tolerance);
    if (run.mesh.is_origin()) CHECK(asymmetry_of(run.mesh, run.state.fields()).largest < 1e-8);
    ++runs;
    dash::barrier();
  }
  if (runs == 0) DASH_SKIP("no cube has a grid of this number of units");
}

TEST_CASE(
    "a complete run on a cube has the total energy of the reference, symmetric in x, y and z") {
  if (dash::size() != 1) DASH_SKIP("for one unit, which has all elements");
  Run run({10, 10, 10});
  run.finish();
  CHECK(totals_of(run).energy == Approx(2.41746210522627e+05).epsilon(tolerance));
  const Mesh& mesh = run.mesh;
  const double* const energy = run.state.fields().energy;
  double largest = 0;
  for (int k = 0; k < 10; ++k) {
    for (int j = 0; j < 10; ++j) {
      for (int i = 0; i < 10; ++i) {
        const double value = energy[mesh.element(i, j, k)];
        largest = std::max({largest, std::abs(value - energy[mesh.element(j, i, k)]),
                            std::abs(value - energy[mesh.element(i, k, j)]),
                            std::abs(value - energy[mesh.element(k, j, i)])});
      }
    }
  }
  CHECK(largest < tolerance * energy[0]);
}

TEST_CASE("an element that is inverted at its centre is invalid even if its volume is positive") {
  const Mesh mesh({1, 1, 1}, {1, 1, 1}, 0);
  const PlainState state(mesh);
  const Fields& f = state.fields();
  f.reference_volume[0] = 1;
  f.volume[0] = 1;
  // The upper face is a line of length `top`.
  const auto has_volume = [&](double top) {
    for (int k = 0; k < 2; ++k) {
      for (int j = 0; j < 2; ++j) {
        for (int i = 0; i < 2; ++i) {
          const std::ptrdiff_t node = mesh.node(i, j, k);
          f.position[0][node] = (i - 0.5) * (k == 0 ? 1 : top);
          f.position[1][node] = (j - 0.5) * (k == 0 ? 1 : 0);
          f.position[2][node] = k;
        }
      }
    }
    return compute_kinematics(mesh, f, mesh.all_elements(), 1e-3, Loop(run_chunks));
  };
  CHECK(has_volume(1));
  CHECK(f.new_volume[0] == Approx(1.0 / 2));
  CHECK_FALSE(has_volume(-1.5));
  CHECK(f.new_volume[0] == Approx(1.0 / 12));
  CHECK_FALSE(has_volume(-3));
  CHECK(f.new_volume[0] == Approx(-1.0 / 6));
}

TEST_CASE("the initial energy is that of the cube with the same number of elements") {
  CHECK(initial_energy({45, 45, 45}) == 3.948746e+7);
  CHECK(initial_energy({30, 30, 30}) == Approx(3.948746e+7 * 8 / 27).epsilon(1e-14));
  CHECK(initial_energy({30, 30, 60}) == Approx(3.948746e+7 * 16 / 27).epsilon(1e-14));
  CHECK(initial_energy({8, 4, 2}) == Approx(3.948746e+7 * 64 / 91125).epsilon(1e-14));
}

TEST_CASE("the forces on all nodes add up to zero, and the masses to that of the cube") {
  Run run({6, 7, 8});
  for (int cycle = 0; cycle < 40; ++cycle)
    run.solver.step();
  // The forces of the unit's own elements, before the exchange and before boundary conditions clear
  // some of them.
  REQUIRE(compute_forces(run.mesh, run.state.fields(), Loop(run_chunks)));
  for (const double* const component : run.state.fields().force) {
    double own = 0;
    double magnitude = 0;
    for (int k = 0; k < run.mesh.nodes(2); ++k) {
      for (int j = 0; j < run.mesh.nodes(1); ++j) {
        for (int i = 0; i < run.mesh.nodes(0); ++i) {
          own += component[run.mesh.node(i, j, k)];
          magnitude += std::abs(component[run.mesh.node(i, j, k)]);
        }
      }
    }
    CHECK(run.sum(magnitude) > 0);
    CHECK(std::abs(run.sum(own)) < 1e-12 * run.sum(magnitude));
  }
  double mass = 0;
  for_own_nodes(run.mesh,
                [&](std::ptrdiff_t node) { mass += run.state.fields().nodal_mass[node]; });
  CHECK(run.sum(mass) == Approx(domain_edge * domain_edge * domain_edge).epsilon(tolerance));
  dash::barrier();
}

TEST_CASE("the first cycles of a cube equal those of the reference") {
  Run run({10, 10, 10});
  const double energies[] = {4.33332894375857257e+05, 3.80506869516680075e+05,
                             3.60688390167653619e+05, 3.43039143359596608e+05};
  const double steps[] = {6.04222231003001547e-05, 7.25066677203601776e-05, 2.48525205960514583e-05,
                          2.07537838784179146e-05};
  const double volumes[] = {1, 1.21534299999999962, 1.31687530722071555, 1.41980139802060301};
  const double speeds[] = {6.93888315041370674e+02, 6.50219509530503842e+02,
                           6.33059932363484563e+02, 6.17377197289375999e+02};
  const double pressures[] = {2.88888596250571485e+05, 2.08723995073368947e+05,
                              1.82598098286107153e+05, 1.61073768879619369e+05};
  const TimeLimits limits[] = {{1e20, 1e20},
                               {1.17154540299166840e-04, 3.72787808940771892e-05},
                               {8.75325708287906095e-05, 3.11306758176268719e-05},
                               {7.32740064389855245e-05, 2.77517987120009965e-05}};
  for (std::size_t cycle = 0; cycle < 4; ++cycle) {
    if (cycle == 1 && run.mesh.is_origin() && run.mesh.count[0] > 1) {
      // The forces of the unit's own elements, before boundary conditions clear some of them.
      REQUIRE(compute_forces(run.mesh, run.state.fields(), Loop(run_chunks)));
      const Components& force = run.state.fields().force;
      CHECK(force[0][1] == Approx(9.14061574074073860e+02).epsilon(tolerance));
      CHECK(force[1][1] == Approx(-9.14061574074073860e+02).epsilon(tolerance));
      CHECK(force[2][1] == Approx(-9.14061574074073860e+02).epsilon(tolerance));
    }
    run.solver.step();
    CHECK(run.solver.time_step() == Approx(steps[cycle]).epsilon(tolerance));
    if (cycle == 1) {
      const Totals totals = totals_of(run);
      CHECK(totals.energetic == 8);
      CHECK(totals.energy == Approx(3.81216540620101965e+05).epsilon(tolerance));
    }
    if (!run.mesh.is_origin()) continue;
    const Fields& f = run.state.fields();
    CHECK(f.energy[0] == Approx(energies[cycle]).epsilon(tolerance));
    CHECK(f.volume[0] == Approx(volumes[cycle]).epsilon(tolerance));
    CHECK(f.pressure[0] == Approx(pressures[cycle]).epsilon(tolerance));
    CHECK(f.sound_speed[0] == Approx(speeds[cycle]).epsilon(tolerance));
    CHECK(run.solver.limits().courant == Approx(limits[cycle].courant).epsilon(tolerance));
    CHECK(run.solver.limits().hydro == Approx(limits[cycle].hydro).epsilon(tolerance));
    if (cycle != 1 || run.mesh.count[0] < 2) continue;
    CHECK(f.energy[1] == Approx(1.74795711744406333e+02).epsilon(tolerance));
    CHECK(f.position[0][1] == Approx(0.126).epsilon(1e-15));
    CHECK(f.velocity[0][1] == Approx(1.86189772947035294e+02).epsilon(tolerance));
    CHECK(f.viscosity[1] == Approx(8.48518174648716558e+03).epsilon(tolerance));
    CHECK(f.viscosity_linear[1] == Approx(5.45416140336651836e+01).epsilon(tolerance));
    CHECK(f.viscosity_square[1] == Approx(7.72507932169135893e+03).epsilon(tolerance));
    CHECK(f.volume_rate[1] == Approx(-3.65033210324346157e+02).epsilon(tolerance));
    CHECK(f.length[1] == Approx(1.00152153481183531e-01).epsilon(tolerance));
  }
  dash::barrier();
}

TEST_CASE(
    "a mesh that is not a cube, with unequal subdomains, has the fields of a run with one unit") {
  const Int3 elements{4, 5, 7};
  Run run(elements);
  SerialRun serial(elements);
  run.finish();
  CHECK(run.solver.cycles() == serial.cycles);
  const Fields& actual = run.state.fields();
  const Fields& expected = serial.state.fields();
  CHECK(largest_difference(run.mesh, actual.energy, serial, expected.energy) < tolerance);
  CHECK(largest_difference(run.mesh, actual.pressure, serial, expected.pressure) < tolerance);
  CHECK(largest_difference(run.mesh, actual.volume, serial, expected.volume) < tolerance);
  dash::barrier();
}

TEST_CASE("a complete run with any grid of units has the energy of a run with one unit") {
  const int units = static_cast<int>(dash::size());
  if (units == 1) DASH_SKIP("needs at least two units");
  const Int3 elements = units == 8 ? Int3{8, 9, 10} : units == 7 ? Int3{7, 8, 8} : Int3{6, 6, 6};
  SerialRun serial(elements);
  // The blast has crossed all faces, edges and corners between subdomains: the energy there is much
  // larger than the tolerance of the comparison.
  const auto energy_at = [&](int x, int y, int z) {
    return serial.state.fields().energy[serial.mesh.element(x, y, z)];
  };
  const Int3 half{(elements[0] + 1) / 2, (elements[1] + 1) / 2, (elements[2] + 1) / 2};
  const double enough = 1e6 * tolerance * energy_at(0, 0, 0);
  REQUIRE(energy_at(half[0], half[1], half[2]) > enough);
  for (const Int3& far :
       {Int3{elements[0] - 1, 0, 0}, Int3{0, elements[1] - 1, 0}, Int3{0, 0, elements[2] - 1},
        Int3{half[0], half[1], 0}, Int3{half[0], 0, half[2]}, Int3{0, half[1], half[2]}}) {
    REQUIRE(energy_at(far[0], far[1], far[2]) > 1);
  }
  for (int x = 1; x <= units; ++x) {
    for (int y = 1; units % x == 0 && y <= units / x; ++y) {
      if (units / x % y != 0) continue;
      Run run({x, y, units / x / y}, elements, {});
      run.finish();
      CHECK(run.solver.cycles() == serial.cycles);
      CHECK(largest_difference(run.mesh, run.state.fields().energy, serial,
                               serial.state.fields().energy) < tolerance);
      dash::barrier();
    }
  }
}

TEST_CASE("materials: regions have the sizes of the reference and do not change the physics") {
  const auto sizes = [](int edge, int unit) {
    const Mesh mesh({1, 1, 1}, {edge, edge, edge}, 0);
    std::vector<std::size_t> result;
    for (const Region& region : make_regions(mesh, {}, unit))
      result.push_back(region.elements.size());
    return result;
  };
  CHECK(sizes(5, 0) == std::vector<std::size_t>{0, 8, 7, 10, 31, 0, 13, 0, 19, 12, 25});
  CHECK(sizes(10, 0) == std::vector<std::size_t>{0, 14, 14, 78, 389, 55, 73, 44, 148, 85, 100});
  CHECK(sizes(10, 1) == std::vector<std::size_t>{100, 0, 14, 14, 78, 389, 55, 73, 44, 148, 85});
  CHECK(sizes(10, 2) == std::vector<std::size_t>{733, 11, 0, 3, 12, 32, 4, 25, 90, 23, 67});
  CHECK(sizes(10, 3) == std::vector<std::size_t>{0, 0, 0, 1000, 0, 0, 0, 0, 0, 0, 0});
  CHECK(sizes(30, 0) ==
        std::vector<std::size_t>{123, 457, 493, 2733, 1004, 896, 3236, 2435, 1198, 5980, 8445});
  Run one({7, 7, 7}, {1, 1, 1});
  Run many({7, 7, 7}, {20, 2, 3});
  for (int i = 0; i < 15; ++i) {
    one.solver.step();
    many.solver.step();
  }
  CHECK(one.origin_energy() == many.origin_energy());
  const auto elements = one.mesh.element_capacity();
  CHECK(std::equal(one.state.fields().energy, one.state.fields().energy + elements,
                   many.state.fields().energy));
  dash::barrier();
}

TEST_CASE("materials: the numbers of repetitions follow the options") {
  const auto repetitions = [](const RegionOptions& options) {
    const Mesh mesh({1, 1, 1}, {5, 5, 5}, 0);
    std::vector<int> result;
    for (const Region& region : make_regions(mesh, options, 0))
      result.push_back(region.repetitions);
    return result;
  };
  using Repetitions = std::vector<int>;
  CHECK(repetitions({11, 1, 1}) == Repetitions{1, 1, 1, 1, 1, 2, 2, 2, 2, 2, 20});
  CHECK(repetitions({11, 1, 0}) == Repetitions{1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 10});
  CHECK(repetitions({4, 1, 3}) == Repetitions{1, 1, 4, 4});
  // From 25 regions on, two are expensive.
  const Repetitions many = repetitions({25, 1, 2});
  CHECK(std::count(many.begin(), many.end(), 1) == 12);
  CHECK(std::count(many.begin(), many.end(), 3) == 11);
  CHECK((many[23] == 30 && many[24] == 30));
}

TEST_CASE("sharing expensive materials between units of a node does not change any bit") {
  const Int3 elements{9, 14, 16};
  const RegionOptions regions{6, 1, 1};  // the sixth is expensive
  Run alone(elements, regions);
  const Mesh& mesh = alone.mesh;
  const std::size_t own = num_expensive_batches(make_regions(mesh, regions, mesh.unit()));
  const std::size_t most = dash::allreduce_async(own, dash::max<std::size_t>()).get();
  CHECK(most > 0);
  State state(mesh, dash::Team::All());
  DashExchange exchange(mesh, dash::Team::All());
  NodeSharing sharing(most, dash::Team::All());
  Solver solver(mesh, state.fields(), regions, exchange, Loop(run_chunks), &sharing);
  for (int i = 0; i < 15; ++i) {
    alone.solver.step();
    solver.step();
  }
  const auto same = [&](const double* a, const double* b) {
    return std::equal(a, a + mesh.element_capacity(), b);
  };
  CHECK(same(state.fields().energy, alone.state.fields().energy));
  CHECK(same(state.fields().viscosity, alone.state.fields().viscosity));
  CHECK(same(state.fields().sound_speed, alone.state.fields().sound_speed));
  dash::barrier();
}

TEST_CASE("a second run on the same fields gives the same bits") {
  Run run({5, 6, 7});
  for (int i = 0; i < 10; ++i)
    run.solver.step();
  const Fields& f = run.state.fields();
  const std::vector<double> energy(f.energy, f.energy + run.mesh.element_capacity());
  Solver again(run.mesh, f, {}, run.exchange, Loop(run_chunks));
  for (int i = 0; i < 10; ++i)
    again.step();
  CHECK(std::equal(energy.begin(), energy.end(), f.energy));
  dash::barrier();
}

TEST_CASE("an element that loses its volume causes an error on all units") {
  Run run({1, 1, 14});
  const auto to_the_end = [&] {
    run.finish();
    run.solver.check();
  };
  CHECK_THROWS_WITH(to_the_end(), Catch::Matchers::ContainsSubstring("volume of an element"));
  dash::barrier();
}

TEST_CASE("verification compares with known answers to 1e-12, and otherwise checks symmetry") {
  const Mesh ten({1, 1, 1}, {10, 10, 10}, 0);
  const double energy = 2.720531168470347e+04;
  CHECK(verify(ten, {231, true, energy, 0}).failure.empty());
  CHECK(verify(ten, {231, true, energy, 0}).is_known);
  CHECK_FALSE(verify(ten, {230, true, energy, 0}).failure.empty());
  CHECK_FALSE(verify(ten, {231, true, energy * (1 + 3e-12), 0}).failure.empty());
  CHECK_FALSE(verify(ten, {100, false, energy, 0}).failure.empty());
  // A mesh that is not a cube: the known answer is from a run with one unit.
  const Mesh long_one({1, 1, 2}, {30, 30, 60}, 0);
  const double of_long_one = 7.454859826509525e+06;
  CHECK(verify(long_one, {50, false, of_long_one, 0}).failure.empty());
  CHECK_FALSE(verify(long_one, {50, false, of_long_one * (1 + 3e-12), 0}).failure.empty());
  // Runs without a known answer.
  CHECK(verify(ten, {99, false, energy, 1e-10}).failure.empty());
  CHECK_FALSE(verify(ten, {99, false, energy, 1e-10}).is_known);
  CHECK_FALSE(verify(ten, {99, false, energy, 1}).failure.empty());
  CHECK_FALSE(verify(ten, {99, false, std::nan(""), 0}).failure.empty());
  const Mesh wide({1, 1, 1}, {10, 12, 10}, 0);
  CHECK(verify(wide, {99, false, energy, 1}).failure.empty());
  CHECK_FALSE(verify(wide, {99, false, -energy, 0}).failure.empty());
}
