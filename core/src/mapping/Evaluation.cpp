#include "dash/core/mapping/Evaluation.h"

#include <algorithm>

#include "Fail.h"
#include "Loads.h"
#include "Neighbours.h"
#include "dash/core/mapping/Links.h"

namespace dash::core::mapping {

namespace {

void check(std::size_t units, const Grid& grid, const GridMapping& mapping) {
  grid.check(units);
  if (mapping.unit_at.size() != units) {
    fail("the mapping has ", mapping.unit_at.size(), " units, but there are ", units);
  }
}

}  // namespace

Loads count_loads(const Links& links, const Grid& grid, const GridMapping& mapping) {
  Loads loads;
  loads.of_link.assign(links.size(), 0);
  loads.joined.assign(links.num_levels(), 0);
  const bool is_symmetric = !links.is_torus();
  for_each_pair(grid, [&](std::uint32_t position, std::uint32_t next, double weight) {
    const std::uint32_t a = mapping.unit_at[position];
    const std::uint32_t b = mapping.unit_at[next];
    const std::size_t level = links.visit(a, b, [&](std::size_t link) {
      loads.of_link[link] += weight;
      if (is_symmetric) loads.of_link[Links::reverse(link)] += weight;
    });
    if (!is_symmetric) links.visit(b, a, [&](std::size_t link) { loads.of_link[link] += weight; });
    loads.joined[level] += 2 * weight;
  });
  return loads;
}

double cost_of(const Links& links, const Loads& loads) {
  double cost = 0;
  for (std::size_t link = 0; link < loads.of_link.size(); ++link) {
    if (loads.of_link[link] > 0) cost += loads.of_link[link] / links.bandwidth(link);
  }
  return cost;
}

Evaluation evaluate(const Machine& machine, std::span<const UnitLocation> locations,
                    const Grid& grid, const GridMapping& mapping) {
  check(locations.size(), grid, mapping);
  const Links links(machine, locations);
  const Loads loads = count_loads(links, grid, mapping);

  Evaluation result;
  result.levels.resize(links.num_levels());
  std::vector<std::size_t> largest(links.num_levels(), 0);
  for (std::size_t link = 0; link < links.size(); ++link) {
    const std::size_t index = links.level(link);
    if (index == Links::core_level) continue;
    LevelLoad& level = result.levels[index];
    const double load = loads.of_link[link];
    level.hop_bytes += load;
    // Links of one level may have different bandwidths: the one with the longest transfer time counts.
    if (level.num_links++ == 0 ||
        load * level.bandwidth > level.largest_load * links.bandwidth(link)) {
      level.largest_load = load;
      level.bandwidth = links.bandwidth(link);
      largest[index] = link;
    }
  }
  for (std::size_t i = 0; i < result.levels.size(); ++i) {
    LevelLoad& level = result.levels[i];
    level.name = links.level_name(i);
    level.num_links /= 2;
    level.bytes = loads.joined[i];
    if (level.largest_load > 0) level.largest_link = links.name(largest[i]);
    result.bytes += level.bytes;
    result.hop_bytes += level.hop_bytes;
    if (i >= Links::node_level) result.network_hop_bytes += level.hop_bytes;
    if (level.bandwidth > 0)
      result.bottleneck = std::max(result.bottleneck, level.largest_load / level.bandwidth);
  }
  result.cost = cost_of(links, loads);
  return result;
}

double total_cost(const Machine& machine, std::span<const UnitLocation> locations, const Grid& grid,
                  const GridMapping& mapping) {
  check(locations.size(), grid, mapping);
  const Links links(machine, locations);
  return cost_of(links, count_loads(links, grid, mapping));
}

}  // namespace dash::core::mapping
