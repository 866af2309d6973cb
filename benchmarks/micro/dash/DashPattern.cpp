// dash-bench: units=1 layouts=node quick=node
//
// Index mappings of patterns of two dimensions, per element, against a loop over the same indices
// that maps nothing.

#include <array>
#include <cstddef>
#include <random>
#include <string>
#include <vector>

#include "dash/Pattern.h"
#include "support/Contest.h"
#include "support/Measure.h"
#include "support/Table.h"
#include "support/World.h"

using namespace dash::bench;

namespace {

using index_t = dash::default_index_t;
using Coords = std::array<index_t, 2>;

constexpr long samples = 4096;
constexpr long repetitions = 64 * samples;
constexpr double most_ns = 3;

/// Elements of a pattern, at random, as each mapping takes them.
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
      const auto place = pattern.local_index(coords.back());
      unit.push_back(place.unit);
      local.push_back(place.index);
    }
  }
};

/// \param body, bare  called with the number of an element
template <class Body, class Bare>
void compare(const std::string& what, Body body, Bare bare, Table& table) {
  const auto sample = [](auto f) {
    return [f] {
      return time_each(repetitions, [&](long i) { f(static_cast<std::size_t>(i % samples)); });
    };
  };
  table.add(
      row_of(what, "", "bare loop", contest(sample(body), sample(bare)), ns_more_at_most(most_ns)));
}

template <class Pattern>
void measure_pattern(const std::string& name, const dash::SizeSpec<2>& sizes,
                     const dash::DistributionSpec<2>& dists, const dash::TeamSpec<2>& units,
                     Table& table) {
  const Pattern pattern(sizes, dists, units, dash::Team::Null());
  const Elements<Pattern> elements(pattern);
  const auto bare_coords = [&](std::size_t i) {
    keep(elements.coords[i][0]);
    keep(elements.coords[i][1]);
  };
  const auto bare_global = [&](std::size_t i) { keep(elements.global[i]); };
  const auto bare_place = [&](std::size_t i) {
    keep(elements.unit[i].id);
    keep(elements.local[i]);
  };
  compare(
      name + ": coordinates to (unit, local)",
      [&](std::size_t i) {
        const auto place = pattern.local_index(elements.coords[i]);
        keep(place.unit.id);
        keep(place.index);
      },
      bare_coords, table);
  compare(
      name + ": index to (unit, local)",
      [&](std::size_t i) {
        const auto place = pattern.local(elements.global[i]);
        keep(place.unit.id);
        keep(place.index);
      },
      bare_global, table);
  compare(
      name + ": (unit, local) to coordinates",
      [&](std::size_t i) {
        const auto coords = pattern.global_coords(elements.unit[i], elements.local[i]);
        keep(coords[0]);
        keep(coords[1]);
      },
      bare_place, table);
  compare(
      name + ": (unit, local) to index",
      [&](std::size_t i) { keep(pattern.global(elements.unit[i], elements.local[i])); }, bare_place,
      table);
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
  if (world.leads()) table.print();
}

}  // namespace

int main(int argc, char** argv) {
  return run_program(argc, argv, measure);
}
