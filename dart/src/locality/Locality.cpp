#include "locality/Locality.h"

#include <algorithm>

#include "base/Error.h"
#include "dash/core/Settings.h"
#include "locality/DomainOwners.h"
#include "teams/Agreement.h"
#include "teams/Team.h"

namespace dash::dart {

namespace {

/// Enters measurements in the locality of the units.
void set_capabilities(std::span<const Capability> measured, std::span<dart_unit_locality_t> units) {
  for (std::size_t i = 0; i < measured.size(); ++i) {
    dart_hwinfo_t& hardware = units[i].hwinfo;
    if (measured[i].memory_mbps > 0) hardware.max_shmem_mbps = measured[i].memory_mbps;
    if (hardware.max_cpu_mhz < 0) hardware.max_cpu_mhz = measured[i].clock_mhz;
  }
}

}  // namespace

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
  if (const auto measured = _measured.find(team.id()); measured != _measured.end())
    set_capabilities(measured->second, built.units);
  mark_as_runtime_owned(built.root.get());
  return _hierarchies.emplace(team.id(), std::move(built)).first->second;
}

void Locality::forget(dart_team_t team, bool team_ends) noexcept {
  const std::lock_guard lock(_mutex);
  if (team_ends) _measured.erase(team);
  const auto found = _hierarchies.find(team);
  if (found == _hierarchies.end()) return;
  forget_owner(found->second.root.get());
  _hierarchies.erase(found);
}

void Locality::measure(Team& team) {
  {
    const std::lock_guard lock(_mutex);
    if (_measured.contains(team.id())) return;
  }
  constexpr const char* operation = "measuring the units";
  std::vector<Capability> all;
  // A unit that was measured for another team only takes part in the synchronization.
  std::optional<MemoryProbe> probe;
  run_on_all_or_throw(team, operation, [&] {
    all.resize(static_cast<std::size_t>(team.size()));
    prepare(team, probe);
  });
  run_on_all_or_throw(team, operation, [&] { measure_self(probe); });
  team.allgather(&*_own, all.data(), sizeof *_own);
  std::map<dart_team_t, std::vector<Capability>> entry;
  run_on_all_or_throw(team, operation, [&] {
    use_medians(_hardware, {team.units(), all.size()}, all);
    entry.emplace(team.id(), all);
  });
  const std::lock_guard lock(_mutex);
  _measured.merge(entry);
  if (const auto found = _hierarchies.find(team.id()); found != _hierarchies.end())
    set_capabilities(all, found->second.units);
}

/// Allocates and initializes the memory of the measurement, before all units measure at the same
/// time.
void Locality::prepare(const Team& team, std::optional<MemoryProbe>& probe) const {
  if (_own.has_value() || core::settings().memory_mbps != 0) return;
  const std::span<const dart_unit_t> units(team.units(), static_cast<std::size_t>(team.size()));
  const UnitHardware& mine =
      _hardware[static_cast<std::size_t>(units[static_cast<std::size_t>(team.my_id())])];
  const auto on_host = std::count_if(units.begin(), units.end(), [&](dart_unit_t unit) {
    return _hardware[static_cast<std::size_t>(unit)].host == mine.host;
  });
  probe.emplace(mine, static_cast<int>(on_host));
}

void Locality::measure_self(std::optional<MemoryProbe>& probe) {
  if (_own.has_value()) return;
  const auto given = static_cast<std::int32_t>(core::settings().memory_mbps);
  const std::int32_t mbps = probe.has_value() ? probe->measure_mbps() : given;
  _own = Capability{mbps, measure_clock_mhz(), given != 0 ? 1 : 0};
}

}  // namespace dash::dart
