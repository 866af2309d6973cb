#include <algorithm>
#include <compare>
#include <map>
#include <utility>
#include <vector>

#include "dash/Collectives.h"
#include "dash/Exception.h"
#include "dash/Team.h"
#include "dash/dart/Placement.h"
#include "dash/dart/if/dart.h"
#include "dash/dart/if/dart_locality.h"
#include "dash/internal/ElementAccess.h"
#include "dash/util/UnitLocality.h"

namespace dash {

namespace {

/// Groups of the C interface, which are destroyed with it.
class Groups {
 public:
  explicit Groups(std::size_t room = 0) : _groups(room, DART_GROUP_NULL) {}
  Groups(const Groups&) = delete;
  Groups& operator=(const Groups&) = delete;
  ~Groups() {
    for (auto& group : _groups) {
      if (group != DART_GROUP_NULL) dart_group_destroy(&group);
    }
  }

  dart_group_t* data() { return _groups.data(); }
  dart_group_t operator[](std::size_t i) const { return _groups[i]; }
  const std::vector<dart_group_t>& all() const { return _groups; }
  std::vector<dart_group_t> first(std::size_t n) const {
    return {_groups.begin(), _groups.begin() + static_cast<std::ptrdiff_t>(n)};
  }
  dart_group_t& add() { return _groups.emplace_back(DART_GROUP_NULL); }

 private:
  std::vector<dart_group_t> _groups;
};

/// What a unit's first processor is part of: a number on one of the nodes, as in the hierarchy, where
/// all hardware belongs to a node.
struct Place {
  int node;
  int index;
  friend auto operator<=>(const Place&, const Place&) = default;
};

Place place_of(const Team& team, team_unit_t unit, int node, dart_locality_scope_t scope) {
  dart_unit_locality_t* locality = nullptr;
  internal::check(dart_unit_locality(team.dart_id(), unit, &locality), "locality_split");
  const dart_hwinfo_t& hardware = locality->hwinfo;
  const auto* const end = hardware.scopes + hardware.num_scopes;
  const auto* const found = std::find_if(
      hardware.scopes, end, [scope](const auto& position) { return position.scope == scope; });
  if (found == end) {
    DASH_THROW(exception::InvalidArgument, "dash::Team::locality_split: it is not known in which "
                                               << scope << " of its host unit " << unit << " of "
                                               << team << " is");
  }
  return {node, found->index};
}

/// Parts along domains that may be finer than a unit: in the hierarchy of the team they do not occur.
void split_by_place(const Team& team, dart_locality_scope_t scope, std::size_t num_parts,
                    Groups& parts) {
  const auto placements = dart::unit_placements();
  std::map<Place, std::vector<global_unit_t>> domains;
  for (const int unit : team) {
    const auto global = team.global_id(team_unit_t(unit));
    const int node = placements[static_cast<std::size_t>(global.id)].node;
    domains[place_of(team, team_unit_t(unit), node, scope)].push_back(global);
  }
  num_parts = std::min(num_parts, domains.size());
  auto domain = domains.begin();
  for (std::size_t part = 0; part < num_parts; ++part) {
    dart_group_t& group = parts.add();
    internal::check(dart_group_create(&group), "locality_split");
    // The first domains % num_parts parts have one domain more.
    std::size_t left = domains.size() / num_parts + (part < domains.size() % num_parts ? 1 : 0);
    for (; left > 0; --left, ++domain) {
      for (const global_unit_t unit : domain->second)
        internal::check(dart_group_addmember(group, unit), "locality_split");
    }
  }
}

}  // namespace

std::vector<bool> internal::units_in_scope(const Team& team, util::Locality::Scope scope) {
  std::vector<bool> result(team.size(), false);
  if (scope > util::Locality::Unit) {
    const auto placements = dart::unit_placements();
    const auto place = [&](team_unit_t unit) {
      const int node = placements[static_cast<std::size_t>(team.global_id(unit).id)].node;
      return place_of(team, unit, node, static_cast<dart_locality_scope_t>(scope));
    };
    const Place mine = place(team.myid());
    for (const int unit : team)
      result[static_cast<std::size_t>(unit)] = place(team_unit_t(unit)) == mine;
    return result;
  }
  const util::UnitLocality caller(team, team.myid());
  const dart_domain_locality_t& domain = caller.parent_in_scope(scope);
  for (int i = 0; i < domain.num_units; ++i) {
    const team_unit_t unit = team.relative_id(global_unit_t(domain.unit_ids[i].id));
    result[static_cast<std::size_t>(unit.id)] = true;
  }
  return result;
}

void Team::check_split(const char* called, unsigned num_parts) const {
  internal::collective_team(*this, called);
  if (num_parts == 0) {
    DASH_THROW(exception::InvalidArgument, "dash::" << called << ": 0 parts; expected at least 1");
  }
}

Team& Team::split(unsigned num_parts) {
  check_split("Team::split", num_parts);
  if (size() < 2) return Null();
  Groups all(1);
  internal::check(dart_team_get_group(dart_id(), all.data()), "split");
  const std::size_t room = std::min<std::size_t>(num_parts, size());
  Groups parts(room);
  std::size_t made = 0;
  internal::check(dart_group_split(all[0], room, &made, parts.data()), "split");
  return make_part(parts.first(made));
}

Team& Team::locality_split(dart_locality_scope_t scope, unsigned num_parts) {
  check_split("Team::locality_split", num_parts);
  if (size() < 2) return Null();
  const std::size_t room = std::min<std::size_t>(num_parts, size());
  if (scope > DART_LOCALITY_SCOPE_UNIT) {
    Groups parts;
    split_by_place(*this, scope, room, parts);
    return make_part(parts.all());
  }
  Groups all(1);
  internal::check(dart_team_get_group(dart_id(), all.data()), "locality_split");
  dart_domain_locality_t* domain = nullptr;
  internal::check(dart_domain_team_locality(dart_id(), ".", &domain), "locality_split");
  Groups parts(room);
  std::size_t made = 0;
  internal::check(dart_group_locality_split(all[0], domain, scope, room, &made, parts.data()),
                  "locality_split");
  return make_part(parts.first(made));
}

}  // namespace dash
