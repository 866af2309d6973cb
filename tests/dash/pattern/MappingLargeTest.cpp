// dash-test: serial

#include <algorithm>
#include <array>
#include <cstddef>

#include "MappingChecks.h"
#include "support/Catch.h"
#include "support/Runner.h"

using namespace dash::test;
using dash::dim_t;

TEST_CASE("Mappings in three dimensions: random mappings: locations equal those of the model") {
  Random random(dash::test::seed());
  Mismatches same;
  for (int round = 0; round < 60; ++round) {
    std::array<index_t, 3> extents{};
    std::array<index_t, 3> grid{};
    std::array<dash::Distribution, 3> dists;
    for (std::size_t d = 0; d < 3; ++d) {
      extents[d] = pick(random, 1, 7);
      grid[d] = pick(random, 1, 3);
      dists[d] = distributions[static_cast<std::size_t>(pick(random, 0, 6))];
    }
    check_all<3>(extents, dists, grid, random, same);
  }
  CHECK(same.checked > 100000);
  CHECK(same.failed == 0);
}

namespace {

/// Whether locations are a bijection, for random elements of a range that is too large to
/// enumerate.
template <Kind K, std::size_t N>
void check_random(const std::array<index_t, N>& extents,
                  const std::array<dash::Distribution, N>& dists,
                  const std::array<index_t, N>& grid, Random& random, Mismatches& same) {
  const typename MappingOf<static_cast<dim_t>(N), dash::ROW_MAJOR, K>::type mapping(
      to_sizes(extents), dists, to_sizes(grid));
  index_t sum = 0;
  for (index_t unit = 0; unit < mapping.num_units(); ++unit)
    sum += static_cast<index_t>(mapping.local_size(mapping.locate(unit)));
  index_t size = 1;
  for (const auto extent : extents)
    size *= extent;
  same(sum == size);
  for (int i = 0; i < 2000; ++i) {
    std::array<index_t, N> coords{};
    for (std::size_t d = 0; d < N; ++d)
      coords[d] = pick(random, 0, extents[d] - 1);
    const auto location = mapping.location(coords);
    const auto unit = mapping.locate(location.unit);
    same(location.unit == mapping.unit_at(coords));
    same(location.index >= 0 && location.index < static_cast<index_t>(mapping.local_size(unit)));
    same(mapping.coords_of_local(unit, location.index) == coords);
    same(mapping.coords(mapping.global_at(coords)) == coords);
    same(mapping.global(unit, mapping.local_coords(coords).coords) == coords);

    // Memory is in the order of global indices.
    const auto next = mapping.global_at(coords) + 1;
    if (next < size) {
      const auto after = mapping.location(mapping.coords(next));
      same(after.unit != location.unit || after.index == location.index + 1);
    }
    const index_t local = pick(random, 0, static_cast<index_t>(mapping.local_size(unit)) - 1);
    const auto back = mapping.location(mapping.coords_of_local(unit, local));
    same(back.unit == location.unit && back.index == local);
  }
}

}  // namespace

TEST_CASE("Mappings of large ranges: random elements: location and inverse agree") {
  Random random(dash::test::seed());
  Mismatches same;
  for (int round = 0; round < 12; ++round) {
    std::array<index_t, 3> extents{};
    std::array<index_t, 3> grid{};
    std::array<dash::Distribution, 3> dists;
    for (std::size_t d = 0; d < 3; ++d) {
      extents[d] = pick(random, 1, index_t{1} << 20);
      grid[d] = pick(random, 1, 9);
      dists[d] =
          round == 0
              ? dash::CYCLIC
              : dash::TILE(static_cast<int>(pick(random, 1, std::max<index_t>(extents[d] / 2, 1))));
    }
    check_random<Kind::block>(extents, dists, grid, random, same);
    check_random<Kind::tile>(extents, dists, grid, random, same);
    check_random<Kind::diagonal>(extents, dists, grid, random, same);
    check_random<Kind::sequential>(extents, dists, grid, random, same);
  }
  CHECK(same.failed == 0);
}
