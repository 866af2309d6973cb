#include "dash/util/TeamLocality.h"

#include "dash/dart/if/dart_locality.h"
#include "dash/internal/element/ElementAccess.h"

namespace dash::util {

namespace {

const dart_domain_locality_t& domain_of(const Team& team, const std::string& tag) {
  dart_domain_locality_t* domain = nullptr;
  dash::internal::check(dart_domain_team_locality(team.dart_id(), tag.c_str(), &domain),
                        "dash::util::TeamLocality");
  return *domain;
}

}  // namespace

TeamLocality::TeamLocality(const Team& team, Locality::Scope scope, const std::string& tag)
    : TeamLocality(team, LocalityDomain(domain_of(team, tag))) {
  if (scope != Locality::Global) split(scope);
}

TeamLocality::TeamLocality(const Team& team, const LocalityDomain& domain)
    : _team(&Team::Get(team.dart_id())), _domain(domain) {}

TeamLocality& TeamLocality::split(Locality::Scope scope, int num_parts) {
  _domain.split(scope, num_parts);
  return *this;
}

TeamLocality& TeamLocality::split_groups() {
  _domain.split_groups();
  return *this;
}

TeamLocality& TeamLocality::select(const std::vector<std::string>& tags) {
  _domain.select(tags);
  return *this;
}

TeamLocality& TeamLocality::exclude(const std::vector<std::string>& tags) {
  _domain.exclude(tags);
  return *this;
}

}  // namespace dash::util
