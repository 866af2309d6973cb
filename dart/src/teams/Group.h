#pragma once

#include <cstddef>
#include <span>
#include <utility>
#include <vector>

#include "dash/dart/if/dart_team_group.h"

namespace dash::dart {

/// What a dart_group_t stands for: global ids of units, ascending, each once.
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

  static Group united(const Group& a, const Group& b);
  static Group intersected(const Group& a, const Group& b);
  /// Exactly `nparts` contiguous parts of ceil(size / nparts) members each, the last ones empty.
  std::vector<Group> split(std::size_t nparts) const;

 private:
  std::vector<dart_unit_t> _members;
};

/// The group behind a handle, until it is destroyed.
/// \throws Error (DART_ERR_INVAL) unless the handle is that of a living group
const Group& group_of(dart_group_t handle);
Group& mutable_group_of(dart_group_t handle);

/// Makes handles of groups: of all or, when memory is short, of none.
std::vector<dart_group_t> new_group_handles(std::vector<Group> groups);
dart_group_t new_group_handle(Group group);

/// \throws as group_of
void destroy_group(dart_group_t handle);

}  // namespace dash::dart
