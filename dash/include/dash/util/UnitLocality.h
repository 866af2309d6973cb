#pragma once

#include <concepts>
#include <string>

#include "dash/Team.h"
#include "dash/core/Export.h"
#include "dash/dart/if/dart_locality_types.h"
#include "dash/internal/Unit.h"
#include "dash/util/Locality.h"

namespace dash::util {

/// The location and the hardware of a unit: its share of the host. Unknown numbers are -1. A value
/// type, valid as long as the team exists.
/// \threads thread-safe
class DASH_API UnitLocality {
 public:
  /// The caller. \pre the library is initialised
  UnitLocality();
  /// \throws exception::InvalidArgument if there is no such unit
  explicit UnitLocality(global_unit_t unit);
  UnitLocality(const Team& team, team_unit_t unit);
  /// \overload for an id given as an integer
  template <std::integral Id>
  [[deprecated("use UnitLocality(global_unit_t(id))")]] explicit UnitLocality(Id unit)
      : UnitLocality(global_unit_t(static_cast<dart_unit_t>(unit))) {}

  const dart_hwinfo_t& hwinfo() const noexcept { return _unit->hwinfo; }
  dart_hwinfo_t& hwinfo() noexcept { return _unit->hwinfo; }
  /// The unit's domain in the hierarchy of the team.
  const dart_domain_locality_t& domain() const noexcept { return *_domain; }
  dart_domain_locality_t& domain() noexcept { return *_domain; }
  Team& team() const noexcept { return *_team; }
  team_unit_t unit_id() const noexcept { return team_unit_t(_unit->unit.id); }

  /// The domain of the unit's node; the root if there is none.
  dart_domain_locality_t& node_domain() const { return parent_in_scope(Locality::Node); }
  dart_domain_locality_t& parent() const;
  /// The nearest enclosing domain of a scope, which may be the unit's own; the root if there is
  /// none.
  dart_domain_locality_t& parent_in_scope(Locality::Scope scope) const;

  std::string domain_tag() const { return _domain->domain_tag; }
  std::string host() const { return _unit->hwinfo.host; }
  std::string hostname() const { return host(); }

  int num_cores() const noexcept { return hwinfo().num_cores; }
  /// The smallest and largest number of hardware threads that the unit has on one of its cores.
  int min_threads() const noexcept { return hwinfo().min_threads; }
  int max_threads() const noexcept { return hwinfo().max_threads; }
  /// Number of hardware threads of its cores; at least 1.
  int num_threads() const noexcept;
  int num_domain_threads() const noexcept { return num_threads(); }
  int num_numa() const noexcept { return hwinfo().num_numa; }
  int numa_id() const noexcept { return hwinfo().numa_id; }
  int cpu_id() const noexcept { return hwinfo().cpu_id; }
  int cpu_mhz() const noexcept { return hwinfo().max_cpu_mhz; }
  int max_cpu_mhz() const noexcept { return hwinfo().max_cpu_mhz; }
  int min_cpu_mhz() const noexcept { return hwinfo().min_cpu_mhz; }
  int max_shmem_mbps() const noexcept { return hwinfo().max_shmem_mbps; }
  /// Line size in bytes of a cache level; 0 is L1.
  /// \throws exception::OutOfRange if there is no such level
  int cache_line_size(int level) const;

 private:
  Team* _team;
  dart_unit_locality_t* _unit = nullptr;
  dart_domain_locality_t* _domain = nullptr;
};

}  // namespace dash::util
