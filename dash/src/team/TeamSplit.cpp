#include <algorithm>
#include <compare>
#include <string>
#include <utility>
#include <vector>

#include "dash/Collectives.h"
#include "dash/Exception.h"
#include "dash/Team.h"
#include "dash/dart/Mapping.h"
#include "dash/dart/Placement.h"
#include "dash/dart/if/dart.h"
#include "dash/dart/if/dart_locality.h"
#include "dash/internal/element/ElementAccess.h"

namespace dash {

namespace {

/// Owns groups of the C interface.
class Groups {
 public:
  explicit Groups(std::size_t count) : _groups(count, DART_GROUP_NULL) {}
  Groups(const Groups&) = delete;
  Groups& operator=(const Groups&) = delete;
  ~Groups() {
    for (auto& group : _groups) {
      if (group != DART_GROUP_NULL) dart_group_destroy(&group);
    }
  }

  dart_group_t* data() { return _groups.data(); }
  dart_group_t operator[](std::size_t i) const { return _groups[i]; }

 private:
  std::vector<dart_group_t> _groups;
};

/// The hardware domain of a scope that contains a unit's first processor: the node, and the index on
/// that node, since in the hierarchy all hardware belongs to a node.
struct HardwareDomain {
  int node;
  int index;
  auto operator<=>(const HardwareDomain&) const = default;
};

HardwareDomain domain_of(const Team& team, team_unit_t unit, int node,
                         dart_locality_scope_t scope) {
  dart_unit_locality_t* locality = nullptr;
  internal::check(dart_unit_locality(team.dart_id(), unit, &locality), "units_in_scope");
  const int index = dart::number_in_scope(locality->hwinfo, scope);
  if (index < 0) {
    DASH_THROW(exception::InvalidArgument, "the hardware domain of scope " << scope << " of unit "
                                                                           << unit << " of " << team
                                                                           << " is unknown");
  }
  return {node, index};
}

}  // namespace

std::vector<bool> internal::units_in_scope(const Team& team, util::Locality::Scope scope) {
  std::vector<bool> result(team.size(), false);
  if (scope > util::Locality::Unit) {
    const auto placements = dart::unit_placements();
    const auto domain_of_unit = [&](team_unit_t unit) {
      const int node = placements[static_cast<std::size_t>(team.global_id(unit).id)].node;
      return domain_of(team, unit, node, static_cast<dart_locality_scope_t>(scope));
    };
    const HardwareDomain mine = domain_of_unit(team.myid());
    for (const int unit : team)
      result[static_cast<std::size_t>(unit)] = domain_of_unit(team_unit_t(unit)) == mine;
    return result;
  }
  dart_unit_locality_t* locality = nullptr;
  internal::check(dart_unit_locality(team.dart_id(), team.myid(), &locality), "units_in_scope");
  dart_domain_locality_t* own = nullptr;
  internal::check(dart_domain_team_locality(team.dart_id(), locality->domain_tag, &own),
                  "units_in_scope");
  const dart_domain_locality_t& domain = internal::enclosing_domain(*own, scope);
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
  // Converts ids of this team, because units of a mapped team are not in the order of its group.
  const std::size_t longest = (size() + num_parts - 1) / num_parts;
  const auto position = static_cast<std::size_t>(myid().id) / longest;
  const std::size_t end = std::min(size(), (position + 1) * longest);
  Groups mine(1);
  internal::check(dart_group_create(mine.data()), "split");
  for (std::size_t unit = position * longest; unit < end; ++unit) {
    const auto global = global_id(team_unit_t(static_cast<dart_unit_t>(unit)));
    internal::check(dart_group_addmember(mine[0], global), "split");
  }
  return make_part(mine[0], position, (size() + longest - 1) / longest);
}

Team& Team::locality_split(dart_locality_scope_t scope, unsigned num_parts) {
  check_split("Team::locality_split", num_parts);
  if (size() < 2) return Null();
  const std::size_t max_parts = std::min<std::size_t>(num_parts, size());
  Groups all(1);
  internal::check(dart_team_get_group(dart_id(), all.data()), "locality_split");
  dart_domain_locality_t* domain = nullptr;
  internal::check(dart_domain_team_locality(dart_id(), ".", &domain), "locality_split");
  Groups parts(max_parts);
  std::size_t made = 0;
  internal::check(dart_group_locality_split(all[0], domain, scope, max_parts, &made, parts.data()),
                  "locality_split");
  std::size_t position = 0;
  int32_t member = 0;
  for (; position < made; ++position) {
    internal::check(dart_group_ismember(parts[position], GlobalUnitID(), &member),
                    "locality_split");
    if (member != 0) break;
  }
  DASH_ASSERT_MSG(member != 0, "locality_split: the caller is in no part");
  return make_part(parts[position], position, made);
}

Team& Team::mapped(const std::vector<std::size_t>& extents, const std::vector<bool>& periodic,
                   const std::vector<double>& weights) {
  internal::collective_team(*this, "Team::mapped");
  dart_team_t id = DART_TEAM_NULL;
  try {
    id = dart::create_mapped_team(dart_id(), {extents, periodic, weights});
  } catch (const exception::InvalidArgument& error) {
    throw exception::InvalidArgument(std::string("dash::Team::mapped: ") + error.what());
  }
  Team& team = adopt(id, 0, 1);
  team._node->grid = extents;
  return team;
}

}  // namespace dash
