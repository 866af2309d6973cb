#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "launch/Session.h"

namespace dash::dart {

/// The units of a team and their nodes, as seen by one of them. Ids are relative to the team unless
/// called global. Nodes are the ones that have members, numbered in the order of their first members.
struct TeamLayout {
  /// \param globals  global ids of the members, in the order of their ids in the team
  TeamLayout(const Layout& all, std::vector<std::int32_t> globals);

  int size() const noexcept { return static_cast<int>(units.size()); }
  int nnodes() const noexcept { return static_cast<int>(leaders.size()); }
  bool leads_node() const noexcept { return members.front() == my_id; }
  /// Number of members on the caller's node.
  int node_size() const noexcept { return static_cast<int>(members.size()); }
  /// Index of the caller among the members on its node.
  std::size_t index_on_node() const noexcept;
  /// Whether the members are in the order of their global ids.
  bool is_ascending() const noexcept { return _by_global.empty(); }
  /// Id of a unit given by its global id, or -1.
  std::int32_t id_of(std::int32_t global) const noexcept;
  /// Index of a member when the members are sorted by node. \pre nnodes() > 1
  std::size_t index_by_node(int unit) const noexcept {
    return static_cast<std::size_t>(node_order_index[static_cast<std::size_t>(unit)]);
  }
  /// Node of a member. \pre nnodes() > 1
  std::int32_t node_of_member(int unit) const noexcept {
    return node_of[static_cast<std::size_t>(unit)];
  }

  int my_id = -1;
  std::vector<std::int32_t> units;    // global id of each member
  std::vector<std::int32_t> slots;    // slot of each member on the caller's node, or -1
  std::vector<std::int32_t> members;  // members on the caller's node, ascending
  int node = 0;                       // the caller's node
  std::vector<std::int32_t> leaders;  // global id of the first member of each node
  std::vector<std::int32_t> node_sizes;
  std::vector<std::int32_t> node_first;  // number of members on the preceding nodes
  int largest_node = 1;                  // its number of members
  // Filled for teams on several nodes only:
  std::vector<std::int32_t> node_of;           // node of each member
  std::vector<std::int32_t> node_order_index;  // index of each member when sorted by node

 private:
  void find_nodes(const Layout& all);
  std::vector<std::int32_t>
      _by_global;  // ids sorted by their global ids; empty if they are sorted already
};

}  // namespace dash::dart
