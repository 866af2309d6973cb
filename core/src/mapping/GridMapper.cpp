// Maps units to a grid: sorts the units in machine order (network, node, NUMA domain, core) and the cells
// in an order in which neighbours are close, and puts the i-th unit on the i-th cell. The result is always
// a bijection, even for irregular placements. Several cell orders are evaluated, and the cheapest mapping
// is returned.

#include <algorithm>
#include <limits>
#include <map>
#include <numeric>
#include <tuple>
#include <utility>

#include "Bisection.h"
#include "BlockShapes.h"
#include "CellOrder.h"
#include "Loads.h"
#include "dash/core/mapping/Evaluation.h"
#include "dash/core/mapping/GridMapping.h"

namespace dash::core::mapping {

namespace {

/// Number of block shapes to evaluate.
constexpr std::size_t max_shapes = 4;

std::vector<std::uint32_t> units_along_machine(const Machine& machine,
                                               std::span<const UnitLocation> locations) {
  const auto& network = machine.network_order();
  const auto key = [&](std::uint32_t unit) {
    const UnitLocation& location = locations[unit];
    return std::tuple(network[location.node], location.numa, location.core, unit);
  };
  std::vector<std::uint32_t> units(locations.size());
  std::iota(units.begin(), units.end(), 0U);
  std::sort(units.begin(), units.end(),
            [&](std::uint32_t a, std::uint32_t b) { return key(a) < key(b); });
  return units;
}

/// The most frequent numbers of units and domains of a node.
struct TypicalNode {
  std::uint32_t units = 0;
  std::uint32_t numa = 0;  // number of NUMA domains with units

  friend auto operator<=>(const TypicalNode&, const TypicalNode&) = default;
};

TypicalNode typical_node(std::span<const UnitLocation> locations,
                         const std::vector<std::uint32_t>& units) {
  std::map<TypicalNode, std::size_t> nodes;
  TypicalNode current;
  for (std::size_t i = 0; i < units.size(); ++i) {
    const UnitLocation& location = locations[units[i]];
    const UnitLocation* const before = i == 0 ? nullptr : &locations[units[i - 1]];
    const bool is_new_node = before == nullptr || before->node != location.node;
    if (is_new_node && i != 0) ++nodes[std::exchange(current, {})];
    if (is_new_node || before->numa != location.numa) ++current.numa;
    ++current.units;
  }
  ++nodes[current];
  return std::max_element(nodes.begin(), nodes.end(),
                          [](const auto& a, const auto& b) { return a.second < b.second; })
      ->first;
}

/// Block shapes for nodes, each with a block shape for the NUMA domains inside.
std::vector<std::vector<Extents>> shapes_to_try(const Grid& grid, const TypicalNode& node) {
  std::vector<std::vector<Extents>> result;
  std::vector<BlockShape> shapes = block_shapes(grid, node.units);
  // Shapes that divide the grid first, then the others; both sorted by their cut.
  std::stable_partition(shapes.begin(), shapes.end(),
                        [](const BlockShape& shape) { return shape.divides; });
  if (shapes.size() > max_shapes) shapes.resize(max_shapes);
  for (BlockShape& shape : shapes) {
    Grid block{shape.extents, {}, grid.weights};
    result.push_back({std::move(shape.extents)});
    if (node.numa < 2 || node.units % node.numa != 0) continue;
    // A block that spans a complete periodic dimension is periodic, too.
    for (std::size_t d = 0; d < block.extents.size(); ++d)
      block.periodic.push_back(grid.is_periodic(d) && block.extents[d] == grid.extents[d]);
    const auto parts = block_shapes(block, node.units / node.numa);
    if (!parts.empty()) result.back().push_back(parts.front().extents);
  }
  result.push_back({});
  return result;
}

/// The boundaries between NUMA domains, nodes and switches. All boundaries between nodes of a torus have
/// the same level.
std::vector<PartBoundary> boundaries_of(const Links& links,
                                        const std::vector<std::uint32_t>& units) {
  std::vector<PartBoundary> boundaries;
  for (std::uint32_t i = 1; i < units.size(); ++i) {
    if (links.home(units[i - 1]) == links.home(units[i])) continue;
    const std::size_t level = links.visit(units[i - 1], units[i], [](std::size_t) {});
    const std::size_t apart = links.is_torus() ? std::min(level, Links::node_level) : level;
    boundaries.push_back({i, static_cast<std::uint32_t>(apart)});
  }
  boundaries.push_back({static_cast<std::uint32_t>(units.size()), 0});
  return boundaries;
}

GridMapping combine(const std::vector<std::uint32_t>& units,
                    const std::vector<std::uint32_t>& cells) {
  GridMapping mapping;
  mapping.unit_at.resize(units.size());
  mapping.position_of.resize(units.size());
  for (std::size_t i = 0; i < units.size(); ++i) {
    mapping.unit_at[cells[i]] = units[i];
    mapping.position_of[units[i]] = cells[i];
  }
  return mapping;
}

}  // namespace

GridMapping map_grid(const Machine& machine, std::span<const UnitLocation> locations,
                     const Grid& grid) {
  grid.check(locations.size());
  const Links links(machine, locations);
  const auto units = units_along_machine(machine, locations);

  GridMapping best = unit_order(locations.size());
  double least = cost_of(links, count_loads(links, grid, best));
  const auto consider = [&](GridMapping mapping) {
    const double cost = cost_of(links, count_loads(links, grid, mapping));
    if (cost >= least) return;
    least = cost;
    best = std::move(mapping);
  };

  std::vector<std::uint32_t> rows(locations.size());
  std::iota(rows.begin(), rows.end(), 0U);
  GridMapping along_machine = combine(units, rows);
  along_machine.method = "machine order";
  consider(std::move(along_machine));

  CellOrder cells(grid);
  for (const std::vector<Extents>& shapes : shapes_to_try(grid, typical_node(locations, units))) {
    GridMapping mapping = combine(units, cells.order(shapes));
    mapping.method = shapes.empty() ? "curve" : "blocks along a curve";
    if (!shapes.empty()) mapping.node_block = shapes[0];
    if (shapes.size() > 1) mapping.numa_block = shapes[1];
    consider(std::move(mapping));
  }
  GridMapping bisected = combine(units, bisected_cells(grid, boundaries_of(links, units)));
  bisected.method = "bisection";
  consider(std::move(bisected));
  return best;
}

}  // namespace dash::core::mapping
