#include "teams/TeamLayout.h"

#include <algorithm>
#include <map>
#include <numeric>

namespace dash::dart {

TeamLayout::TeamLayout(const Layout& all, std::vector<std::int32_t> globals)
    : units(std::move(globals)) {
  slots.reserve(units.size());
  for (std::size_t id = 0; id < units.size(); ++id) {
    if (units[id] == all.unit) my_id = static_cast<int>(id);
    slots.push_back(all.slots[static_cast<std::size_t>(units[id])]);
    if (slots.back() >= 0) members.push_back(static_cast<std::int32_t>(id));
  }
  if (!std::is_sorted(units.begin(), units.end())) {
    _by_global.resize(units.size());
    std::iota(_by_global.begin(), _by_global.end(), 0);
    std::sort(_by_global.begin(), _by_global.end(), [this](std::int32_t a, std::int32_t b) {
      return units[static_cast<std::size_t>(a)] < units[static_cast<std::size_t>(b)];
    });
  }
  find_nodes(all);
}

void TeamLayout::find_nodes(const Layout& all) {
  std::map<std::int32_t, std::int32_t> nodes;  // node of the session -> node of the team
  for (const std::int32_t global : units) {
    const std::int32_t node_of_all = all.node_of[static_cast<std::size_t>(global)];
    const auto [found, is_new] = nodes.try_emplace(node_of_all, static_cast<int>(nodes.size()));
    if (is_new) {
      leaders.push_back(global);
      node_sizes.push_back(0);
    }
    node_of.push_back(found->second);
    node_order_index.push_back(node_sizes[static_cast<std::size_t>(found->second)]++);
  }
  node = nodes.at(all.node);
  largest_node = *std::max_element(node_sizes.begin(), node_sizes.end());
  node_first.resize(leaders.size());
  std::exclusive_scan(node_sizes.begin(), node_sizes.end(), node_first.begin(), 0);
  if (leaders.size() == 1) {
    node_of = {};
    node_order_index = {};
    return;
  }
  for (std::size_t id = 0; id < units.size(); ++id)
    node_order_index[id] += node_first[static_cast<std::size_t>(node_of[id])];
}

std::size_t TeamLayout::index_on_node() const noexcept {
  return static_cast<std::size_t>(std::lower_bound(members.begin(), members.end(), my_id) -
                                  members.begin());
}

std::int32_t TeamLayout::id_of(std::int32_t global) const noexcept {
  if (_by_global.empty()) {
    const auto found = std::lower_bound(units.begin(), units.end(), global);
    if (found == units.end() || *found != global) return -1;
    return static_cast<std::int32_t>(found - units.begin());
  }
  const auto found = std::lower_bound(
      _by_global.begin(), _by_global.end(), global,
      [this](std::int32_t id, std::int32_t g) { return units[static_cast<std::size_t>(id)] < g; });
  if (found == _by_global.end() || units[static_cast<std::size_t>(*found)] != global) return -1;
  return *found;
}

}  // namespace dash::dart
