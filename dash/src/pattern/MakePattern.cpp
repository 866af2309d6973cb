#include "dash/pattern/MakePattern.h"

#include <cstdlib>
#include <limits>
#include <vector>

#include "dash/Exception.h"
#include "dash/dart/if/dart_locality.h"
#include "dash/internal/element/ElementAccess.h"

namespace dash::internal {

void throw_unbalanced_tiles(dim_t dimension, unsigned long long extent, unsigned long long tile) {
  DASH_THROW(dash::exception::InvalidArgument,
             "extent " << extent << " in dimension " << dimension
                       << " cannot be divided into equal blocks of about " << tile
                       << " elements, as the property `balanced` of the partitioning requires");
}

namespace {

std::size_t group_size(std::size_t nunits, std::size_t ngroups) {
  return ngroups == 0 ? nunits
                      : ceil_div(nunits, std::min(ngroups, std::max<std::size_t>(nunits, 1)));
}

std::size_t to_count(int number) {
  return static_cast<std::size_t>(std::max(number, 0));
}

/// The cost of a grid per unit: the elements of the largest block plus the exchanged elements.
class GridCost {
 public:
  GridCost(std::span<const std::size_t> extents, const UnitGroups& groups)
      : _extents(extents), _groups(groups) {}

  double of(std::span<const std::size_t> grid) const {
    std::vector<double> block(grid.size());
    double volume = 1;
    std::size_t nunits = 1;
    for (std::size_t d = 0; d < grid.size(); ++d) {
      block[d] = static_cast<double>(std::max<std::size_t>(ceil_div(_extents[d], grid[d]), 1));
      volume *= block[d];
      nunits *= grid[d];
    }
    double exchanged = 0;
    std::size_t distance = 1;  // between the ids of neighbours
    for (std::size_t d = grid.size(); d-- > 0;) {
      exchanged += volume / block[d] * pairs(grid[d], distance, nunits);
      distance *= grid[d];
    }
    // Each pair exchanges in both directions; the cost is averaged over the units.
    return volume + 2 * exchanged / static_cast<double>(nunits);
  }

 private:
  /// The number of neighbour pairs in one dimension, weighted by the distance between their
  /// locations.
  double pairs(std::size_t extent, std::size_t distance, std::size_t nunits) const {
    double sum = 0;
    for (std::size_t unit = 0; unit < nunits; ++unit) {
      if (unit / distance % extent + 1 == extent) continue;
      const std::size_t neighbour = unit + distance;
      sum += in_different_groups(unit, neighbour, _groups.per_node)   ? 4
             : in_different_groups(unit, neighbour, _groups.per_numa) ? 2
                                                                      : 1;
    }
    return sum;
  }
  static bool in_different_groups(std::size_t a, std::size_t b, std::size_t group) {
    return group > 0 && a / group != b / group;
  }

  std::span<const std::size_t> _extents;
  UnitGroups _groups;
};

/// Calls fn() for each factorization of `remaining_units` over the dimensions from d on.
template <class Fn>
void for_each_factorization(std::span<std::size_t> grid, std::size_t d, std::size_t remaining_units,
                            Fn& fn) {
  if (d + 1 == grid.size()) {
    grid[d] = remaining_units;
    fn();
    return;
  }
  // Tries large factors first: among grids of equal cost, the first is selected.
  for (std::size_t factor = remaining_units; factor > 0; --factor) {
    if (remaining_units % factor != 0) continue;
    grid[d] = factor;
    for_each_factorization(grid, d + 1, remaining_units / factor, fn);
  }
}

}  // namespace

UnitGroups unit_groups(std::size_t nunits, int n_nodes, int n_numa_dom, int n_cores) {
  std::size_t nodes = to_count(n_nodes);
  if (nodes == 0 && n_cores > 0) nodes = ceil_div(nunits, to_count(n_cores));
  UnitGroups groups;
  groups.per_node = group_size(nunits, nodes);
  groups.per_numa = group_size(groups.per_node, to_count(n_numa_dom));
  return groups;
}

UnitGroups unit_groups(const Team& team, int n_nodes, int n_numa_dom, int n_cores) {
  if (team.size() > 1 && n_nodes == 0) {
    dart_domain_locality_t* domain = nullptr;
    check(dart_domain_team_locality(team.dart_id(), ".", &domain),
          "query of the hardware of a team");
    n_nodes = std::max(domain->num_nodes, 1);
    if (n_numa_dom == 0) {
      int count = 0;
      dart_domain_locality_t** domains = nullptr;
      check(dart_domain_scope_domains(domain, DART_LOCALITY_SCOPE_NUMA, &count, &domains),
            "query of the hardware of a team");
      std::free(domains);
      n_numa_dom = ceil_div(count, n_nodes);
    }
  }
  return unit_groups(team.size(), n_nodes, n_numa_dom, n_cores);
}

void choose_grid(std::span<const std::size_t> extents, std::size_t nunits, const UnitGroups& groups,
                 std::span<std::size_t> grid) {
  std::fill(grid.begin(), grid.end(), std::size_t{1});
  if (nunits == 0) {
    grid[0] = 0;
    return;
  }
  const GridCost cost(extents, groups);
  double best = std::numeric_limits<double>::infinity();
  std::vector<std::size_t> candidate(grid.size());
  auto consider = [&] {
    const double cost_of_candidate = cost.of(candidate);
    // Differences in the last bits are rounding errors.
    if (cost_of_candidate < best * (1 - 1e-12)) {
      best = cost_of_candidate;
      std::copy(candidate.begin(), candidate.end(), grid.begin());
    }
  };
  for_each_factorization(candidate, 0, nunits, consider);
}

}  // namespace dash::internal
