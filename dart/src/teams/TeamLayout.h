#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "launch/Session.h"

namespace dash::dart {

/// The units of a team and where they are, seen from one of them. Ids are relative to the team
/// unless they are called global; nodes are those with members, in the order of their first ones.
struct TeamLayout {
  /// \param globals  the members' global ids, in the order of their ids in the team
  TeamLayout(const Layout& all, std::vector<std::int32_t> globals);

  int size() const noexcept { return static_cast<int>(units.size()); }
  int nnodes() const noexcept { return static_cast<int>(leaders.size()); }
  bool leads_node() const noexcept { return members.front() == my_id; }
  /// Members on the caller's node.
  int node_size() const noexcept { return static_cast<int>(members.size()); }
  /// Whether the members are in the order of their global ids.
  bool is_ascending() const noexcept { return _by_global.empty(); }
  /// Id of a unit given by its global id, or -1.
  std::int32_t id_of(std::int32_t global) const noexcept;

  int my_id = -1;
  std::vector<std::int32_t> units;    // global id of each member
  std::vector<std::int32_t> slots;    // slot on the caller's node of each member, or -1
  std::vector<std::int32_t> members;  // on the caller's node, ascending
  int node = 0;                       // the caller's
  std::vector<std::int32_t> leaders;  // first member of each node, global
  std::vector<std::int32_t> node_sizes;
  std::vector<std::int32_t> node_first;  // members of the nodes before
  int largest_node = 1;
  // Of teams on several nodes only:
  std::vector<std::int32_t> node_of;  // node of each member
  std::vector<std::int32_t> place;    // of each member, when they are sorted by node

 private:
  void find_nodes(const Layout& all);
  std::vector<std::int32_t>
      _by_global;  // ids sorted by their global ids; empty if they are already
};

}  // namespace dash::dart
