// The exchanges of the Sedov blast: each kind separately, with DASH and with each baseline.

#include <algorithm>
#include <string>
#include <vector>

#include "LuleshRun.h"
#include "baseline/MpiExchange.h"
#include "baseline/MpiSharing.h"
#include "exchange/Exchange.h"
#include "exchange/Halo.h"
#include "support/Catch.h"
#include "support/MpiProgram.h"
#include "support/Runner.h"

using namespace lulesh;

namespace {

/// Calls f(node) for each node of the unit.
template <class F>
void for_each_node(const Mesh& mesh, const F& f) {
  for (int k = 0; k < mesh.nodes(2); ++k) {
    for (int j = 0; j < mesh.nodes(1); ++j) {
      for (int i = 0; i < mesh.nodes(0); ++i)
        f(Int3{i, j, k});
    }
  }
}

/// The units that share a node of the caller, including the caller.
std::vector<int> units_of_node(const Mesh& mesh, const Int3& at) {
  std::vector<int> units{mesh.unit()};
  for (const Int3& direction : directions) {
    bool is_shared = mesh.neighbour(direction) >= 0;
    for (std::size_t d = 0; d < 3; ++d) {
      if (direction[d] != 0)
        is_shared = is_shared && at[d] == (direction[d] < 0 ? 0 : mesh.count[d]);
    }
    if (is_shared) units.push_back(mesh.neighbour(direction));
  }
  return units;
}

/// The value of a field at a node on a unit: unique integers, whose sums are exact.
double value_of_node(const Mesh& mesh, int unit, std::size_t field, const Int3& at) {
  const double coordinates =
      (mesh.first[0] + at[0]) * 1e4 + (mesh.first[1] + at[1]) * 1e2 + (mesh.first[2] + at[2]);
  return static_cast<double>(field + 1) * 1e9 + (unit + 1) * 1e6 + coordinates;
}

void fill(const Mesh& mesh, double* field, std::size_t number) {
  for_each_node(mesh, [&](const Int3& at) {
    field[mesh.node(at[0], at[1], at[2])] = value_of_node(mesh, mesh.unit(), number, at);
  });
}

double sum_of_units(const Mesh& mesh, std::size_t field, const Int3& at) {
  double sum = 0;
  for (const int unit : units_of_node(mesh, at))
    sum += value_of_node(mesh, unit, field, at);
  return sum;
}

/// The number of nodes of a field that do not have the expected value.
template <class Expected>
int num_wrong(const Mesh& mesh, const double* field, const Expected& expected) {
  int wrong = 0;
  for_each_node(mesh, [&](const Int3& at) {
    if (field[mesh.node(at[0], at[1], at[2])] != expected(at)) ++wrong;
  });
  return wrong;
}

/// Calls check(exchange) for the DASH exchange and for those of the baselines.
template <class Check>
void for_each_exchange(Run& run, const Check& check) {
  check(run.exchange);
  const bool is_one_node = kernels::MpiWorld().is_one_node();
  for (const std::string via : {"two-sided", "rma", "shared"}) {
    if (via == "shared" && !is_one_node) continue;
    INFO(via);
    dash::barrier();
    const auto baseline = make_mpi_exchange(via, run.mesh);
    check(*baseline);
  }
  dash::barrier();
}

}  // namespace

TEST_CASE("exchange of masses: each node has the mass of all elements around it") {
  Run run({6, 7, 8});
  // Sum each node once, on the lowest unit that has it.
  double own = 0;
  for (int k = run.mesh.has_neighbour(2, -1) ? 1 : 0; k < run.mesh.nodes(2); ++k) {
    for (int j = run.mesh.has_neighbour(1, -1) ? 1 : 0; j < run.mesh.nodes(1); ++j) {
      for (int i = run.mesh.has_neighbour(0, -1) ? 1 : 0; i < run.mesh.nodes(0); ++i)
        own += run.state.fields().nodal_mass[run.mesh.node(i, j, k)];
    }
  }
  CHECK(run.sum(own) == Approx(1.423828125).epsilon(1e-14));
  const Fields& f = run.state.fields();
  for_each_exchange(run, [&](Exchange& exchange) {
    fill(run.mesh, f.nodal_mass, 0);
    exchange.start(Kind::mass, f);
    exchange.finish(Kind::mass, f);
    CHECK(num_wrong(run.mesh, f.nodal_mass,
                    [&](const Int3& at) { return sum_of_units(run.mesh, 0, at); }) == 0);
  });
  dash::barrier();
}

TEST_CASE("exchange of forces: each node has the sum of the forces of all units that share it") {
  Run run({6, 7, 8});
  const Fields& f = run.state.fields();
  for_each_exchange(run, [&](Exchange& exchange) {
    for (std::size_t d = 0; d < 3; ++d)
      fill(run.mesh, f.force[d], d);
    exchange.start(Kind::force, f);
    exchange.finish(Kind::force, f);
    for (std::size_t d = 0; d < 3; ++d) {
      CHECK(num_wrong(run.mesh, f.force[d],
                      [&](const Int3& at) { return sum_of_units(run.mesh, d, at); }) == 0);
    }
  });
}

namespace {

void check_motion(Run& run) {
  const Fields& f = run.state.fields();
  for_each_exchange(run, [&](Exchange& exchange) {
    for (std::size_t d = 0; d < 3; ++d) {
      fill(run.mesh, f.position[d], d);
      fill(run.mesh, f.velocity[d], 3 + d);
    }
    exchange.start(Kind::motion, f);
    exchange.finish(Kind::motion, f);
    const auto of_highest = [&](std::size_t field) {
      return [&run, field](const Int3& at) {
        const std::vector<int> units = units_of_node(run.mesh, at);
        return value_of_node(run.mesh, *std::max_element(units.begin(), units.end()), field, at);
      };
    };
    for (std::size_t d = 0; d < 3; ++d) {
      CHECK(num_wrong(run.mesh, f.position[d], of_highest(d)) == 0);
      CHECK(num_wrong(run.mesh, f.velocity[d], of_highest(3 + d)) == 0);
    }
  });
}

}  // namespace

TEST_CASE("exchange of motion: each node has the values of the highest unit that shares it") {
  Run run({6, 7, 8});
  check_motion(run);
}

TEST_CASE("exchange of motion: messages of several segments, and messages too long for segments") {
  const auto units = static_cast<int>(dash::size());
  for (const int edge : {30, 75}) {
    // Each pair of neighbours does the same: three units have all kinds of neighbours.
    if (edge == 75 && units > 3) continue;
    Run run({units, 1, 1}, {units, edge, edge}, {});
    check_motion(run);
  }
}

TEST_CASE(
    "exchange of gradients: the outer layers equal the outermost elements of the neighbours") {
  Run run({6, 7, 8});
  const Fields& f = run.state.fields();
  for_each_exchange(run, [&](Exchange& exchange) {
    const auto value = [&](std::size_t d, const Int3& at) {
      return static_cast<double>(d + 1) * 1e6 + (run.mesh.first[0] + at[0]) * 1e4 +
             (run.mesh.first[1] + at[1]) * 1e2 + (run.mesh.first[2] + at[2]);
    };
    for (std::size_t d = 0; d < 3; ++d) {
      std::fill_n(f.gradient_velocity[d], run.mesh.gradient_capacity(static_cast<int>(d)), -1.0);
      for (int k = 0; k < run.mesh.count[2]; ++k) {
        for (int j = 0; j < run.mesh.count[1]; ++j) {
          for (int i = 0; i < run.mesh.count[0]; ++i)
            f.gradient_velocity[d][run.mesh.gradient(static_cast<int>(d), i, j, k)] =
                value(d, {i, j, k});
        }
      }
    }
    exchange.start(Kind::gradients, f);
    exchange.finish(Kind::gradients, f);
    std::size_t wrong = 0;
    for (std::size_t d = 0; d < 3; ++d) {
      for (const int side : {-1, 1}) {
        Int3 layer = run.mesh.count;
        layer[d] = 1;
        for (int k = 0; k < layer[2]; ++k) {
          for (int j = 0; j < layer[1]; ++j) {
            for (int i = 0; i < layer[0]; ++i) {
              Int3 at{i, j, k};
              at[d] = side < 0 ? -1 : run.mesh.count[d];
              const double expected = run.mesh.has_neighbour(d, side) ? value(d, at) : -1.0;
              const auto index = run.mesh.gradient(static_cast<int>(d), at[0], at[1], at[2]);
              if (f.gradient_velocity[d][index] != expected) ++wrong;
            }
          }
        }
      }
    }
    CHECK(wrong == 0);
  });
}

TEST_CASE(
    "expensive materials shared by the baseline's processes: each batch is computed once per "
    "round") {
  const auto units = static_cast<int>(dash::size());
  if (!kernels::MpiWorld().is_one_node()) DASH_SKIP("needs all units on one node");
  constexpr std::size_t batches = 40;
  MpiSharing sharing(batches, dash::myid().id, units);
  REQUIRE(sharing.own().size() == batches);
  for (int round = 0; round < 20; ++round) {
    for (MaterialBatch& batch : sharing.own()) {
      batch.size = 1;
      batch.repetitions = 1;
      for (auto* values : {&batch.energy, &batch.pressure, &batch.viscosity, &batch.linear,
                           &batch.square, &batch.change, &batch.volume}) {
        (*values)[0] = 1 + 0.01 * round;
      }
      batch.new_energy[0] = -1;
    }
    MaterialBatch expected = sharing.own()[0];
    compute(expected);
    sharing.compute_all();
    for (const MaterialBatch& batch : sharing.own())
      REQUIRE(batch.new_energy[0] == expected.new_energy[0]);
  }
  dash::barrier();
}
