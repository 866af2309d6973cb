#include "Locality.h"

#include "DomainOwners.h"
#include "Runtime.h"
#include "Team.h"

namespace dash::dart {

Locality::~Locality() {
  for (const auto& [team, hierarchy] : _hierarchies)
    forget_owner(hierarchy.root.get());
}

Hierarchy& Locality::of(const Team& team) {
  const std::lock_guard lock(_mutex);
  const auto found = _hierarchies.find(team.id());
  if (found != _hierarchies.end()) return found->second;
  const std::span<const dart_unit_t> units(team.units(), static_cast<std::size_t>(team.size()));
  Hierarchy built = build_hierarchy(team.id(), units, _hardware);
  mark_as_runtimes(built.root.get());
  return _hierarchies.emplace(team.id(), std::move(built)).first->second;
}

void Locality::forget(dart_team_t team) noexcept {
  const std::lock_guard lock(_mutex);
  const auto found = _hierarchies.find(team);
  if (found == _hierarchies.end()) return;
  forget_owner(found->second.root.get());
  _hierarchies.erase(found);
}

void forget_team_locality(dart_team_t team) noexcept {
  Runtime* const runtime = Runtime::find();
  if (runtime != nullptr) runtime->locality().forget(team);
}

}  // namespace dash::dart
