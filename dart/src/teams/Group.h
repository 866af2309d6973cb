#pragma once

#include <cstddef>
#include <span>
#include <utility>
#include <vector>

#include "dash/dart/if/dart_team_group.h"

namespace dash::dart {

/// The set of units that a dart_group_t identifies: global ids, ascending and unique.
class Group {
 public:
  Group() = default;
  /// \param units  in any order, duplicates allowed
  explicit Group(std::vector<dart_unit_t> units);

  const std::vector<dart_unit_t>& members() const noexcept { return _members; }
  std::size_t size() const noexcept { return _members.size(); }
  bool contains(dart_unit_t unit) const noexcept;

  void add(dart_unit_t unit);
  void remove(dart_unit_t unit) noexcept;

  static Group unite(const Group& a, const Group& b);
  static Group intersect(const Group& a, const Group& b);
  /// Splits the group into `nparts` contiguous groups of ceil(size / nparts) members; the last ones may
  /// have fewer members or none.
  std::vector<Group> split(std::size_t nparts) const;

 private:
  std::vector<dart_unit_t> _members;
};

/// The group of a handle. The reference is valid until the group is destroyed.
/// \throws exception::InvalidArgument unless the handle is that of an existing group
const Group& group_of(dart_group_t handle);
Group& mutable_group_of(dart_group_t handle);

/// Creates handles of groups: of all, or of none if it throws.
std::vector<dart_group_t> new_group_handles(std::vector<Group> groups);
dart_group_t new_group_handle(Group group);

/// \throws as group_of
void destroy_group(dart_group_t handle);

}  // namespace dash::dart
