#include "dash/core/mapping/GridMapping.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include "Fail.h"

namespace dash::core::mapping {

namespace {

constexpr std::size_t max_units = std::numeric_limits<std::uint32_t>::max();

std::string times(const std::vector<std::uint32_t>& extents) {
  std::string text;
  for (const std::uint32_t extent : extents)
    text += (text.empty() ? "" : " x ") + std::to_string(extent);
  return text;
}

// SplitMix64, since the distributions of standard libraries differ.
class Random {
 public:
  explicit Random(std::uint64_t seed) : _state(seed) {}

  /// A random number below a bound. The bias of the multiplication is below 2^-32.
  std::uint32_t below(std::uint32_t bound) {
    return static_cast<std::uint32_t>((next() >> 32) * bound >> 32);
  }

 private:
  std::uint64_t next() {
    std::uint64_t z = _state += 0x9e3779b97f4a7c15U;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9U;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebU;
    return z ^ (z >> 31);
  }

  std::uint64_t _state;
};

}  // namespace

std::size_t Grid::size() const noexcept {
  std::size_t size = 1;
  for (const std::uint32_t extent : extents) {
    if (extent != 0 && size > max_units / extent) return std::numeric_limits<std::size_t>::max();
    size *= extent;
  }
  return size;
}

void Grid::check(std::size_t units) const {
  if (extents.empty() || extents.size() > max_dimensions) {
    fail("a grid has 1 to ", max_dimensions, " dimensions, not ", extents.size());
  }
  if (std::count(extents.begin(), extents.end(), 0U) > 0) {
    fail("the grid ", times(extents), " has a dimension without units");
  }
  const auto lists = {std::pair("periodic", periodic.size()), std::pair("weights", weights.size())};
  for (const auto& [name, length] : lists) {
    if (length != 0 && length != extents.size()) {
      fail("'", name, "' of a grid has an entry for each of its ", extents.size(),
           " dimensions or none, not ", length);
    }
  }
  for (const double weight : weights) {
    if (!(weight >= 0) || !std::isfinite(weight)) {
      fail("a weight of a grid is a number from 0 on, not ", weight);
    }
  }
  if (size() > max_units) {
    fail("a grid of ", times(extents), " has more positions than can be mapped: ", max_units);
  }
  if (size() != units) {
    fail("a grid of ", times(extents), " has not as many positions as there are units: ", units);
  }
}

GridMapping unit_order(std::size_t units) {
  GridMapping mapping;
  mapping.unit_at.resize(units);
  std::iota(mapping.unit_at.begin(), mapping.unit_at.end(), 0U);
  mapping.position_of = mapping.unit_at;
  mapping.method = "unit order";
  return mapping;
}

GridMapping random_order(std::size_t units, std::uint64_t seed) {
  std::vector<std::uint32_t> unit_at = unit_order(units).unit_at;
  Random random(seed);
  for (std::size_t i = units; i > 1; --i)
    std::swap(unit_at[i - 1], unit_at[random.below(static_cast<std::uint32_t>(i))]);
  GridMapping mapping = mapping_of(std::move(unit_at));
  mapping.method = "random";
  return mapping;
}

GridMapping mapping_of(std::vector<std::uint32_t> unit_at) {
  constexpr std::uint32_t no_position = std::numeric_limits<std::uint32_t>::max();
  GridMapping mapping;
  mapping.position_of.assign(unit_at.size(), no_position);
  for (std::size_t position = 0; position < unit_at.size(); ++position) {
    const std::uint32_t unit = unit_at[position];
    if (unit >= unit_at.size()) {
      fail("position ", position, " has unit ", unit, " of ", unit_at.size());
    }
    if (mapping.position_of[unit] != no_position) {
      fail("unit ", unit, " is at positions ", mapping.position_of[unit], " and ", position);
    }
    mapping.position_of[unit] = static_cast<std::uint32_t>(position);
  }
  mapping.unit_at = std::move(unit_at);
  return mapping;
}

std::vector<UnitLocation> fill_nodes(const Machine& machine, std::span<const std::uint32_t> nodes,
                                     std::uint32_t units_per_node, std::size_t units) {
  std::vector<UnitLocation> locations;
  const auto full = [&] { return units != 0 && locations.size() == units; };
  for (const std::uint32_t index : nodes) {
    if (index >= machine.num_nodes()) {
      fail("node ", index, " of a machine of ", machine.num_nodes(), " nodes");
    }
    if (full()) break;
    const Node& node = machine.node(index);
    const std::uint32_t count = units_per_node != 0 ? units_per_node : node.cores;
    if (count == 0) {
      fail("the number of cores of node ", node.name,
           " is unknown: give the number of units per node");
    }
    // Units are distributed evenly over the cores, and cores over the NUMA domains.
    const std::uint32_t cores = node.cores != 0 ? node.cores : count;
    const std::uint64_t slots = std::max(count, cores);
    for (std::uint32_t i = 0; i < count && !full(); ++i) {
      const auto core = static_cast<std::uint32_t>(std::uint64_t{i} * cores / slots);
      const auto numa = static_cast<std::uint32_t>(std::uint64_t{core} * node.numa / cores);
      locations.push_back({index, numa, core});
    }
  }
  if (locations.size() < units) {
    fail(units, " units do not fit on ", nodes.size(), " nodes, which have space for ",
         locations.size());
  }
  return locations;
}

}  // namespace dash::core::mapping
