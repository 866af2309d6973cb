#include <algorithm>
#include <climits>

#include "api/Boundary.h"
#include "api/Runtime.h"
#include "base/Error.h"
#include "teams/Group.h"

namespace dart = dash::dart;

namespace {

/// Before dart_init the number of units is unknown.
void check_unit(dart_global_unit_t unit) {
  if (unit.id < 0) dart::throw_error(DART_ERR_INVAL, "unit {} is negative", unit.id);
  dart::Runtime* const runtime = dart::Runtime::find();
  if (runtime != nullptr && unit.id >= runtime->all().size()) {
    dart::throw_error(DART_ERR_INVAL, "unit {} does not exist, there are units 0 to {}", unit.id,
                      runtime->all().size() - 1);
  }
}

}  // namespace

extern "C" {

dart_ret_t dart_group_create(dart_group_t* group) noexcept {
  return dart::guarded("dart_group_create", [&] {
    dart::check_pointer(group, "group");
    *group = dart::new_group_handle({});
  });
}

dart_ret_t dart_group_destroy(dart_group_t* group) noexcept {
  return dart::guarded("dart_group_destroy", [&] {
    dart::check_pointer(group, "group");
    dart::destroy_group(*group);
    *group = DART_GROUP_NULL;
  });
}

dart_ret_t dart_group_clone(const dart_group_t group, dart_group_t* copy) noexcept {
  return dart::guarded("dart_group_clone", [&] {
    dart::check_pointer(copy, "copy");
    *copy = dart::new_group_handle(dart::group_of(group));
  });
}

dart_ret_t dart_group_union(const dart_group_t g1, const dart_group_t g2,
                            dart_group_t* result) noexcept {
  return dart::guarded("dart_group_union", [&] {
    dart::check_pointer(result, "result");
    *result = dart::new_group_handle(dart::Group::unite(dart::group_of(g1), dart::group_of(g2)));
  });
}

dart_ret_t dart_group_intersect(const dart_group_t g1, const dart_group_t g2,
                                dart_group_t* result) noexcept {
  return dart::guarded("dart_group_intersect", [&] {
    dart::check_pointer(result, "result");
    *result =
        dart::new_group_handle(dart::Group::intersect(dart::group_of(g1), dart::group_of(g2)));
  });
}

dart_ret_t dart_group_addmember(dart_group_t group, dart_global_unit_t unit) noexcept {
  return dart::guarded("dart_group_addmember", [&] {
    dart::Group& members = dart::mutable_group_of(group);
    check_unit(unit);
    members.add(unit.id);
  });
}

dart_ret_t dart_group_delmember(dart_group_t group, dart_global_unit_t unit) noexcept {
  return dart::guarded("dart_group_delmember", [&] {
    dart::Group& members = dart::mutable_group_of(group);
    check_unit(unit);
    members.remove(unit.id);
  });
}

dart_ret_t dart_group_ismember(const dart_group_t group, dart_global_unit_t unit,
                               int32_t* ismember) noexcept {
  return dart::guarded("dart_group_ismember", [&] {
    dart::check_pointer(ismember, "ismember");
    const dart::Group& members = dart::group_of(group);
    check_unit(unit);
    *ismember = members.contains(unit.id) ? 1 : 0;
  });
}

dart_ret_t dart_group_size(const dart_group_t group, size_t* size) noexcept {
  return dart::guarded("dart_group_size", [&] {
    dart::check_pointer(size, "size");
    *size = dart::group_of(group).size();
  });
}

dart_ret_t dart_group_getmembers(const dart_group_t group, dart_global_unit_t* unitids) noexcept {
  return dart::guarded("dart_group_getmembers", [&] {
    dart::check_pointer(unitids, "unitids");
    for (const dart_unit_t unit : dart::group_of(group).members())
      *unitids++ = dart_create_global_unit(unit);
  });
}

dart_ret_t dart_group_split(const dart_group_t group, size_t n, size_t* nout,
                            dart_group_t* parts) noexcept {
  return dart::guarded("dart_group_split", [&] {
    dart::check_pointer(nout, "nout");
    dart::check_pointer(parts, "parts");
    const dart::Group& members = dart::group_of(group);
    if (n < 1 || n > INT_MAX) {
      dart::throw_error(DART_ERR_INVAL, "cannot split a group into {} parts; expected 1 to {}", n,
                        INT_MAX);
    }
    std::vector<dart::Group> groups = members.split(n);
    const auto nonempty = std::count_if(groups.begin(), groups.end(),
                                        [](const dart::Group& part) { return part.size() > 0; });
    const std::vector<dart_group_t> handles = dart::new_group_handles(std::move(groups));
    std::copy(handles.begin(), handles.end(), parts);
    *nout = static_cast<std::size_t>(nonempty);
  });
}

}  // extern "C"
