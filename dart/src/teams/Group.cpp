#include "teams/Group.h"

#include <algorithm>
#include <cstdint>
#include <iterator>
#include <mutex>
#include <unordered_map>

#include "base/Error.h"

namespace dash::dart {

namespace {

/// All groups by handle. A handle is a serial number that is never reused, so that the handle of a
/// destroyed group is detected without an access to freed memory. The table does not belong to the
/// runtime: the application may create groups before dart_init and keep them beyond dart_exit.
class GroupTable {
 public:
  static GroupTable& instance() {
    // Never destroyed: destructors of the application may still use it.
    static auto* const table = new GroupTable();
    return *table;
  }

  Group& find(dart_group_t handle) {
    if (handle == DART_GROUP_NULL) throw_error(DART_ERR_INVAL, "the group is DART_GROUP_NULL");
    const std::lock_guard lock(_mutex);
    const auto found = _groups.find(number(handle));
    if (found == _groups.end()) fail(handle);
    return found->second;
  }

  dart_group_t add(Group group) {
    const std::lock_guard lock(_mutex);
    _groups.emplace(_next, std::move(group));
    return reinterpret_cast<dart_group_t>(_next++);
  }

  void remove(dart_group_t handle) {
    if (handle == DART_GROUP_NULL) throw_error(DART_ERR_INVAL, "the group is DART_GROUP_NULL");
    const std::lock_guard lock(_mutex);
    if (_groups.erase(number(handle)) == 0) fail(handle);
  }

 private:
  static std::uintptr_t number(dart_group_t handle) {
    return reinterpret_cast<std::uintptr_t>(handle);
  }

  [[noreturn]] static void fail(dart_group_t handle) {
    throw_error(DART_ERR_INVAL,
                "{:#x} is not the handle of a group; was it destroyed, or never created?",
                number(handle));
  }

  std::mutex _mutex;  // guards the table, not the groups, which the application synchronizes
  std::uintptr_t _next = 1;
  std::unordered_map<std::uintptr_t, Group> _groups;
};

}  // namespace

Group::Group(std::vector<dart_unit_t> units) : _members(std::move(units)) {
  std::sort(_members.begin(), _members.end());
  _members.erase(std::unique(_members.begin(), _members.end()), _members.end());
}

bool Group::contains(dart_unit_t unit) const noexcept {
  return std::binary_search(_members.begin(), _members.end(), unit);
}

void Group::add(dart_unit_t unit) {
  const auto position = std::lower_bound(_members.begin(), _members.end(), unit);
  if (position == _members.end() || *position != unit) _members.insert(position, unit);
}

void Group::remove(dart_unit_t unit) noexcept {
  const auto position = std::lower_bound(_members.begin(), _members.end(), unit);
  if (position != _members.end() && *position == unit) _members.erase(position);
}

Group Group::unite(const Group& a, const Group& b) {
  Group result;
  result._members.reserve(std::max(a.size(), b.size()));
  std::set_union(a._members.begin(), a._members.end(), b._members.begin(), b._members.end(),
                 std::back_inserter(result._members));
  return result;
}

Group Group::intersect(const Group& a, const Group& b) {
  Group result;
  std::set_intersection(a._members.begin(), a._members.end(), b._members.begin(), b._members.end(),
                        std::back_inserter(result._members));
  return result;
}

std::vector<Group> Group::split(std::size_t nparts) const {
  std::vector<Group> parts(nparts);
  const std::size_t chunk = size() / nparts + (size() % nparts == 0 ? 0 : 1);
  for (std::size_t part = 0, first = 0; first < size(); ++part, first += chunk) {
    const std::size_t last = std::min(first + chunk, size());
    parts[part]._members.assign(_members.begin() + static_cast<std::ptrdiff_t>(first),
                                _members.begin() + static_cast<std::ptrdiff_t>(last));
  }
  return parts;
}

const Group& group_of(dart_group_t handle) {
  return GroupTable::instance().find(handle);
}

Group& mutable_group_of(dart_group_t handle) {
  return GroupTable::instance().find(handle);
}

dart_group_t new_group_handle(Group group) {
  return GroupTable::instance().add(std::move(group));
}

std::vector<dart_group_t> new_group_handles(std::vector<Group> groups) {
  std::vector<dart_group_t> handles;
  handles.reserve(groups.size());
  try {
    for (Group& group : groups)
      handles.push_back(new_group_handle(std::move(group)));
  } catch (...) {
    for (const dart_group_t handle : handles)
      destroy_group(handle);
    throw;
  }
  return handles;
}

void destroy_group(dart_group_t handle) {
  GroupTable::instance().remove(handle);
}

}  // namespace dash::dart
