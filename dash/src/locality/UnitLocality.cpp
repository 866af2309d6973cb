#include "dash/util/UnitLocality.h"

#include <algorithm>

#include "dash/Exception.h"
#include "dash/dart/if/dart_locality.h"
#include "dash/internal/element/ElementAccess.h"
#include "dash/util/LocalityDomain.h"

namespace dash::util {

UnitLocality::UnitLocality() : UnitLocality(Team::All(), Team::All().myid()) {}

UnitLocality::UnitLocality(global_unit_t unit) : UnitLocality(Team::All(), team_unit_t(unit.id)) {}

UnitLocality::UnitLocality(const Team& team, team_unit_t unit) : _team(&Team::Get(team.dart_id())) {
  using dash::internal::check;
  check(dart_unit_locality(team.dart_id(), unit, &_unit), "dash::util::UnitLocality");
  check(dart_domain_team_locality(team.dart_id(), _unit->domain_tag, &_domain),
        "dash::util::UnitLocality");
}

LocalityDomain& UnitLocality::node_domain() const {
  if (!_node) _node = std::make_shared<LocalityDomain>(parent_in_scope(Locality::Node));
  return *_node;
}

dart_domain_locality_t& UnitLocality::parent() const {
  return _domain->parent != nullptr ? *_domain->parent : *_domain;
}

dart_domain_locality_t& UnitLocality::parent_in_scope(Locality::Scope scope) const {
  return dash::internal::enclosing_domain(*_domain, scope);
}

int UnitLocality::num_threads() const noexcept {
  return std::max(1, num_cores()) * std::max(1, max_threads());
}

int UnitLocality::cache_line_size(int level) const {
  if (level < 0 || level >= DART_LOCALITY_MAX_CACHE_LEVELS) {
    DASH_THROW(exception::OutOfRange, "dash::util::UnitLocality: cache level "
                                          << level << "; expected 0 to "
                                          << DART_LOCALITY_MAX_CACHE_LEVELS - 1);
  }
  return hwinfo().cache_line_sizes[level];
}

}  // namespace dash::util
