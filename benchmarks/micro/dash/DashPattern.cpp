// dash-bench: units=1 layouts=node quick=node
//
// Index mappings of two-dimensional patterns, per element, compared with a loop over the same indices
// without a mapping.

#include <array>
#include <cstddef>
#include <random>
#include <string>
#include <vector>

#include "dash/Pattern.h"
#include "support/Comparison.h"
#include "support/Measure.h"
#include "support/Table.h"
#include "support/World.h"

using namespace dash::bench;

namespace {

using index_t = dash::default_index_t;
using Coords = std::array<index_t, 2>;

constexpr long samples = 4096;
constexpr long repetitions = 64 * samples;
constexpr double allowed_ns = 3;

/// Random elements of a pattern, in the forms that the mappings take.
template <class Pattern>
struct Elements {
  std::vector<Coords> coords;
  std::vector<index_t> global;
  std::vector<dash::team_unit_t> unit;
  std::vector<index_t> local;

  explicit Elements(const Pattern& pattern) {
    std::mt19937_64 random(1);
    for (long i = 0; i < samples; ++i) {
      coords.push_back({static_cast<index_t>(random() % pattern.extent(0)),
                        static_cast<index_t>(random() % pattern.extent(1))});
      global.push_back(pattern.global_at(coords.back()));
      const auto location = pattern.local_index(coords.back());
      unit.push_back(location.unit);
      local.push_back(location.index);
    }
  }
};

/// \param mapped, unmapped  are called with the number of an element
template <class Mapped, class Unmapped>
void add_comparison(const std::string& name, Mapped mapped, Unmapped unmapped, Table& table) {
  const auto sample = [](auto f) {
    return [f] {
      return measure_ns_per_call(repetitions,
                                 [&](long i) { f(static_cast<std::size_t>(i % samples)); });
    };
  };
  table.add(make_row(name, "", "loop without mapping", compare(sample(mapped), sample(unmapped)),
                     overhead_at_most_ns(allowed_ns)));
}

template <class Pattern>
void measure_pattern(const std::string& name, const dash::SizeSpec<2>& sizes,
                     const dash::DistributionSpec<2>& dists, const dash::TeamSpec<2>& units,
                     Table& table) {
  const Pattern pattern(sizes, dists, units, dash::Team::Null());
  const Elements<Pattern> elements(pattern);
  const auto unmapped_coords = [&](std::size_t i) {
    do_not_optimize(elements.coords[i][0]);
    do_not_optimize(elements.coords[i][1]);
  };
  const auto unmapped_index = [&](std::size_t i) { do_not_optimize(elements.global[i]); };
  const auto unmapped_location = [&](std::size_t i) {
    do_not_optimize(elements.unit[i].id);
    do_not_optimize(elements.local[i]);
  };
  add_comparison(
      name + ": coordinates to (unit, local)",
      [&](std::size_t i) {
        const auto location = pattern.local_index(elements.coords[i]);
        do_not_optimize(location.unit.id);
        do_not_optimize(location.index);
      },
      unmapped_coords, table);
  add_comparison(
      name + ": index to (unit, local)",
      [&](std::size_t i) {
        const auto location = pattern.local(elements.global[i]);
        do_not_optimize(location.unit.id);
        do_not_optimize(location.index);
      },
      unmapped_index, table);
  add_comparison(
      name + ": (unit, local) to coordinates",
      [&](std::size_t i) {
        const auto coords = pattern.global_coords(elements.unit[i], elements.local[i]);
        do_not_optimize(coords[0]);
        do_not_optimize(coords[1]);
      },
      unmapped_location, table);
  add_comparison(
      name + ": (unit, local) to index",
      [&](std::size_t i) { do_not_optimize(pattern.global(elements.unit[i], elements.local[i])); },
      unmapped_location, table);
}

void measure(const World& world) {
  using dash::BLOCKED;
  using dash::DistributionSpec;
  using dash::SizeSpec;
  using dash::TeamSpec;
  using dash::TILE;
  using Block = dash::BlockPattern<2>;
  using Tile = dash::TilePattern<2>;
  Table table;
  const DistributionSpec<2> blocked(BLOCKED, BLOCKED);
  measure_pattern<Block>("block, 2^n", SizeSpec<2>(4096, 2048), blocked, TeamSpec<2>(2, 2), table);
  measure_pattern<Block>("block", SizeSpec<2>(3001, 1999), blocked, TeamSpec<2>(3, 2), table);
  measure_pattern<Block>("block, cyclic", SizeSpec<2>(3001, 1999),
                         DistributionSpec<2>(dash::BLOCKCYCLIC(7), dash::CYCLIC), TeamSpec<2>(3, 2),
                         table);
  measure_pattern<Tile>("tile, 2^n", SizeSpec<2>(4096, 2048),
                        DistributionSpec<2>(TILE(64), TILE(64)), TeamSpec<2>(2, 2), table);
  measure_pattern<Tile>("tile", SizeSpec<2>(3001, 1999), DistributionSpec<2>(TILE(50), TILE(30)),
                        TeamSpec<2>(3, 2), table);
  measure_pattern<dash::ShiftTilePattern<2>>("shifted tile", SizeSpec<2>(3000, 1998),
                                             DistributionSpec<2>(TILE(50), TILE(27)),
                                             TeamSpec<2>(3, 2), table);
  if (world.is_first_unit()) table.print();
}

}  // namespace

int main(int argc, char** argv) {
  return run_program(argc, argv, measure);
}
