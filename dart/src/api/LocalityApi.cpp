#include <algorithm>
#include <climits>
#include <cstdlib>
#include <cstring>
#include <iterator>
#include <map>
#include <new>
#include <set>
#include <string_view>
#include <utility>
#include <vector>

#include "api/Boundary.h"
#include "api/Runtime.h"
#include "base/Error.h"
#include "dash/dart/Placement.h"
#include "dash/dart/if/dart_locality.h"
#include "locality/DomainEdit.h"
#include "locality/DomainOwners.h"
#include "locality/Locality.h"
#include "teams/Group.h"

namespace dart = dash::dart;

namespace {

dart::Hierarchy& hierarchy_of(dart_team_t team) {
  dart::Runtime& runtime = dart::Runtime::get();
  return runtime.locality().of(runtime.team(team));
}

/// Queries return pointers into their argument. C cannot express "const if the argument is".
dart::Domain& mutable_domain(const dart_domain_locality_t* domain) {
  return const_cast<dart_domain_locality_t&>(*domain);
}

std::vector<std::string_view> read_tags(int num_tags, const char** tags, int at_least) {
  if (num_tags < at_least) {
    dart::throw_error(DART_ERR_INVAL, "num_tags is {}; must be at least {}", num_tags, at_least);
  }
  if (num_tags > 0) dart::check_pointer(tags, "tags");
  std::vector<std::string_view> result;
  for (int i = 0; i < num_tags; ++i) {
    if (tags[i] == nullptr) dart::throw_error(DART_ERR_INVAL, "tags[{}] is NULL", i);
    result.emplace_back(tags[i]);
  }
  return result;
}

/// \throws Error (DART_ERR_NOTFOUND) if there are none
std::vector<dart::Domain*> existing_domains(const dart_domain_locality_t* domain,
                                            dart_locality_scope_t scope) {
  std::vector<dart::Domain*> found = dart::domains_of_scope(mutable_domain(domain), scope);
  if (found.empty()) {
    dart::throw_error(DART_ERR_NOTFOUND, "there is no domain of scope {} in {}",
                      dart::scope_name(scope), domain->domain_tag);
  }
  return found;
}

/// An array that the caller frees.
template <class T>
T* allocate_array(std::size_t count) {
  void* const array = std::calloc(count, sizeof(T));
  if (array == nullptr) throw std::bad_alloc();
  return static_cast<T*>(array);
}

/// The group's units in each domain, without those of earlier domains; no empty lists.
std::vector<std::vector<dart_unit_t>> units_by_domain(const dart::Group& group,
                                                      const std::vector<dart::Domain*>& domains) {
  std::vector<std::vector<dart_unit_t>> result;
  std::set<dart_unit_t> seen;  // a GROUP domain may contain another one
  for (const dart::Domain* const domain : domains) {
    std::vector<dart_unit_t> units;
    for (int i = 0; i < domain->num_units; ++i) {
      const dart_unit_t unit = domain->unit_ids[i].id;
      if (group.contains(unit) && seen.insert(unit).second) units.push_back(unit);
    }
    if (!units.empty()) result.push_back(std::move(units));
  }
  return result;
}

/// The group's units in a domain, by the component that contains their first processor; for scopes
/// below UNIT or outside the hierarchy. Components are numbered per node.
/// \throws Error (DART_ERR_NOTFOUND) if the component of a unit is unknown
std::vector<std::vector<dart_unit_t>> units_by_hardware(const dart::Group& group,
                                                        const dart::Domain& domain,
                                                        dart_locality_scope_t scope) {
  const std::vector<dart::UnitHardware>& all = dart::Runtime::get().session().hardware();
  std::map<std::pair<std::int32_t, int>, std::vector<dart_unit_t>> units_at;
  for (int i = 0; i < domain.num_units; ++i) {
    const dart_unit_t unit = domain.unit_ids[i].id;
    if (!group.contains(unit)) continue;
    const auto id = static_cast<std::size_t>(unit);
    const int number = id < all.size() ? dart::number_in_scope(all[id].hwinfo, scope) : -1;
    if (number < 0) {
      dart::throw_error(DART_ERR_NOTFOUND, "the {} of unit {} on its host is unknown",
                        dart::scope_name(scope), unit);
    }
    units_at[{all[id].node, number}].push_back(unit);
  }
  std::vector<std::vector<dart_unit_t>> result;
  for (auto& [component, units] : units_at)
    result.push_back(std::move(units));
  return result;
}

/// Joins adjacent lists to at most n groups of equally many lists (up to a difference of one).
std::vector<dart::Group> join_units(const std::vector<std::vector<dart_unit_t>>& units,
                                    std::size_t n) {
  const std::size_t nparts = std::min(n, units.size());
  std::vector<dart::Group> result;
  for (std::size_t part = 0, next = 0; part < nparts; ++part) {
    const std::size_t count = units.size() / nparts + (part < units.size() % nparts ? 1 : 0);
    std::vector<dart_unit_t> members;
    for (const std::size_t end = next + count; next < end; ++next)
      members.insert(members.end(), units[next].begin(), units[next].end());
    result.emplace_back(std::move(members));
  }
  return result;
}

}  // namespace

extern "C" {

dart_ret_t dart_team_locality_init(dart_team_t team) noexcept {
  return dart::guarded("dart_team_locality_init", [&] { hierarchy_of(team); });
}

dart_ret_t dart_team_locality_finalize(dart_team_t team) noexcept {
  return dart::guarded("dart_team_locality_finalize", [&] {
    dart::Runtime& runtime = dart::Runtime::get();
    runtime.locality().forget(runtime.team(team).id(), false);
  });
}

dart_ret_t dart_team_locality_measure(dart_team_t team) noexcept {
  return dart::guarded("dart_team_locality_measure", [&] {
    dart::Runtime& runtime = dart::Runtime::get();
    runtime.locality().measure(runtime.team(team));
  });
}

dart_ret_t dart_domain_team_locality(dart_team_t team, const char* domain_tag,
                                     dart_domain_locality_t** domain) noexcept {
  return dart::guarded("dart_domain_team_locality", [&] {
    dart::check_pointer(domain_tag, "domain_tag");
    dart::check_pointer(domain, "domain");
    *domain = &dart::find_domain(*hierarchy_of(team).root, domain_tag);
  });
}

dart_ret_t dart_unit_locality(dart_team_t team, dart_team_unit_t unit,
                              dart_unit_locality_t** locality) noexcept {
  return dart::guarded("dart_unit_locality", [&] {
    dart::check_pointer(locality, "locality");
    std::vector<dart_unit_locality_t>& units = hierarchy_of(team).units;
    const auto index = static_cast<std::size_t>(unit.id);
    if (unit.id < 0 || index >= units.size()) {
      dart::throw_error(DART_ERR_INVAL, "unit {} is not in team {}, which has units 0 to {}",
                        unit.id, team, units.size() - 1);
    }
    *locality = &units[index];
  });
}

dart_ret_t dart_domain_create(dart_domain_locality_t** domain) noexcept {
  return dart::guarded("dart_domain_create", [&] {
    dart::check_pointer(domain, "domain");
    *domain = dart::give_to_caller(dart::new_domain());
  });
}

dart_ret_t dart_domain_clone(const dart_domain_locality_t* domain,
                             dart_domain_locality_t** clone) noexcept {
  return dart::guarded("dart_domain_clone", [&] {
    dart::check_pointer(domain, "domain");
    dart::check_pointer(clone, "clone");
    *clone = dart::give_to_caller(dart::copy_domain(*domain));
  });
}

dart_ret_t dart_domain_destroy(dart_domain_locality_t* domain) noexcept {
  return dart::guarded("dart_domain_destroy", [&] {
    dart::check_pointer(domain, "domain");
    dart::destroy_callers_domain(domain);
  });
}

dart_ret_t dart_domain_assign(dart_domain_locality_t* lhs,
                              const dart_domain_locality_t* rhs) noexcept {
  return dart::guarded("dart_domain_assign", [&] {
    dart::check_pointer(lhs, "lhs");
    dart::check_pointer(rhs, "rhs");
    dart::check_root_of_caller(*lhs);
    dart::replace_content(*lhs, dart::copy_domain(*rhs));
  });
}

dart_ret_t dart_domain_find(const dart_domain_locality_t* domain, const char* domain_tag,
                            dart_domain_locality_t** result) noexcept {
  return dart::guarded("dart_domain_find", [&] {
    dart::check_pointer(domain, "domain");
    dart::check_pointer(domain_tag, "domain_tag");
    dart::check_pointer(result, "result");
    *result = nullptr;
    *result = &dart::find_domain(mutable_domain(domain), domain_tag);
  });
}

dart_ret_t dart_domain_select(dart_domain_locality_t* domain, int num_tags,
                              const char** tags) noexcept {
  return dart::guarded("dart_domain_select", [&] {
    dart::check_pointer(domain, "domain");
    const std::vector<std::string_view> names = read_tags(num_tags, tags, 1);
    dart::check_changeable(*domain);
    dart::select_domains(*domain, names);
  });
}

dart_ret_t dart_domain_exclude(dart_domain_locality_t* domain, int num_tags,
                               const char** tags) noexcept {
  return dart::guarded("dart_domain_exclude", [&] {
    dart::check_pointer(domain, "domain");
    const std::vector<std::string_view> names = read_tags(num_tags, tags, 0);
    dart::check_changeable(*domain);
    dart::exclude_domains(*domain, names);
  });
}

dart_ret_t dart_domain_add_subdomain(dart_domain_locality_t* domain,
                                     dart_domain_locality_t* subdomain,
                                     int relative_index) noexcept {
  return dart::guarded("dart_domain_add_subdomain", [&] {
    dart::check_pointer(domain, "domain");
    dart::check_pointer(subdomain, "subdomain");
    dart::check_changeable(*domain);
    if (&dart::root_of(*domain) == subdomain) {
      dart::throw_error(DART_ERR_INVAL, "domain {} cannot be inserted into itself",
                        subdomain->domain_tag);
    }
    dart::DomainPtr child = dart::take_from_caller(subdomain);
    try {
      dart::add_subdomain(*domain, child, relative_index);
    } catch (...) {
      if (child != nullptr) dart::give_to_caller(std::move(child));
      throw;
    }
  });
}

dart_ret_t dart_domain_move_subdomain(dart_domain_locality_t* subdomain,
                                      dart_domain_locality_t* new_parent,
                                      int relative_index) noexcept {
  return dart::guarded("dart_domain_move_subdomain", [&] {
    dart::check_pointer(subdomain, "subdomain");
    dart::check_pointer(new_parent, "new_parent");
    dart::check_changeable(*subdomain);
    dart::check_changeable(*new_parent);
    dart::move_subdomain(*subdomain, *new_parent, relative_index);
  });
}

dart_ret_t dart_domain_remove_subdomain(dart_domain_locality_t* subdomain) noexcept {
  return dart::guarded("dart_domain_remove_subdomain", [&] {
    dart::check_pointer(subdomain, "subdomain");
    dart::check_changeable(*subdomain);
    dart::give_to_caller(dart::remove_subdomain(*subdomain));
  });
}

dart_ret_t dart_domain_split_scope(const dart_domain_locality_t* domain,
                                   dart_locality_scope_t scope, int num_parts,
                                   dart_domain_locality_t* parts) noexcept {
  return dart::guarded("dart_domain_split_scope", [&] {
    dart::check_pointer(domain, "domain");
    dart::check_pointer(parts, "parts");
    if (num_parts < 1) {
      dart::throw_error(DART_ERR_INVAL, "num_parts is {}; must be at least 1", num_parts);
    }
    for (dart::DomainPtr& part : dart::split_domain(*domain, scope, num_parts))
      dart::give_array_element_to_caller(std::move(part), parts++);
  });
}

dart_ret_t dart_domain_scope_tags(const dart_domain_locality_t* domain, dart_locality_scope_t scope,
                                  int* num_domains, char*** tags) noexcept {
  return dart::guarded("dart_domain_scope_tags", [&] {
    dart::check_pointer(domain, "domain");
    dart::check_pointer(num_domains, "num_domains");
    dart::check_pointer(tags, "tags");
    *num_domains = 0;
    *tags = nullptr;
    const std::vector<dart::Domain*> found = existing_domains(domain, scope);
    auto** const names = allocate_array<char*>(found.size());
    for (std::size_t i = 0; i < found.size(); ++i) {
      names[i] = ::strdup(found[i]->domain_tag);
      if (names[i] != nullptr) continue;
      while (i > 0)
        std::free(names[--i]);
      std::free(static_cast<void*>(names));
      throw std::bad_alloc();
    }
    *num_domains = static_cast<int>(found.size());
    *tags = names;
  });
}

dart_ret_t dart_domain_scope_domains(const dart_domain_locality_t* domain,
                                     dart_locality_scope_t scope, int* num_domains,
                                     dart_domain_locality_t*** domains) noexcept {
  return dart::guarded("dart_domain_scope_domains", [&] {
    dart::check_pointer(domain, "domain");
    dart::check_pointer(num_domains, "num_domains");
    dart::check_pointer(domains, "domains");
    *num_domains = 0;
    *domains = nullptr;
    const std::vector<dart::Domain*> found = existing_domains(domain, scope);
    *domains = allocate_array<dart::Domain*>(found.size());
    std::copy(found.begin(), found.end(), *domains);
    *num_domains = static_cast<int>(found.size());
  });
}

dart_ret_t dart_domain_group(dart_domain_locality_t* domain, int num_tags, const char** tags,
                             char* group_tag) noexcept {
  return dart::guarded("dart_domain_group", [&] {
    dart::check_pointer(domain, "domain");
    dart::check_pointer(group_tag, "group_tag");
    const std::vector<std::string_view> names = read_tags(num_tags, tags, 1);
    dart::check_changeable(*domain);
    const dart::Domain& group = dart::group_domains(*domain, names);
    std::copy(std::begin(group.domain_tag), std::end(group.domain_tag), group_tag);
  });
}

dart_ret_t dart_group_locality_split(const dart_group_t group, const dart_domain_locality_t* domain,
                                     dart_locality_scope_t scope, size_t n, size_t* nout,
                                     dart_group_t* parts) noexcept {
  return dart::guarded("dart_group_locality_split", [&] {
    dart::check_pointer(domain, "domain");
    dart::check_pointer(nout, "nout");
    dart::check_pointer(parts, "parts");
    const dart::Group& members = dart::group_of(group);
    if (n < 1 || n > INT_MAX) {
      dart::throw_error(DART_ERR_INVAL, "cannot split a group into {} parts; must be 1 to {}", n,
                        INT_MAX);
    }
    const auto units = scope > DART_LOCALITY_SCOPE_UNIT
                           ? units_by_hardware(members, *domain, scope)
                           : units_by_domain(members, existing_domains(domain, scope));
    const std::vector<dart_group_t> handles = dart::new_group_handles(join_units(units, n));
    std::fill(std::copy(handles.begin(), handles.end(), parts), parts + n, DART_GROUP_NULL);
    *nout = handles.size();
  });
}

}  // extern "C"
