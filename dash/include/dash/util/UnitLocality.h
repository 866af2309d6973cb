#pragma once

#include <concepts>
#include <memory>
#include <string>

#include "dash/Team.h"
#include "dash/core/Export.h"
#include "dash/dart/if/dart_locality_types.h"
#include "dash/internal/Unit.h"
#include "dash/util/Locality.h"

namespace dash::util {

class LocalityDomain;

/// The location and the hardware of a unit: its share of the host. Unknown numbers are -1. A value
/// type, valid as long as the team exists.
/// \threads thread-safe, except node_domain(): externally synchronized per object
/// \ingroup locality
class DASH_API UnitLocality {
 public:
  /// The caller. \pre the library is initialized
  UnitLocality();
  /// A unit of Team::All().
  /// \throws exception::InvalidArgument if there is no such unit
  explicit UnitLocality(global_unit_t unit);
  /// A unit of a team.
  /// \throws exception::InvalidArgument if there is no such unit
  UnitLocality(const Team& team, team_unit_t unit);
  /// \overload
  /// For an id given as an integer.
  template <std::integral Id>
  [[deprecated("use UnitLocality(global_unit_t(id))")]] explicit UnitLocality(Id unit)
      : UnitLocality(global_unit_t(static_cast<dart_unit_t>(unit))) {}

  /// The hardware of the unit: its share of the host. Owned by the runtime.
  const dart_hwinfo_t& hwinfo() const noexcept { return _unit->hwinfo; }
  /// \overload
  dart_hwinfo_t& hwinfo() noexcept { return _unit->hwinfo; }
  /// The domain of the unit's first core in the hierarchy of the team, in which parent() is that of the unit.
  const dart_domain_locality_t& domain() const noexcept { return *_domain; }
  /// \overload
  dart_domain_locality_t& domain() noexcept { return *_domain; }
  /// The team given at construction; otherwise Team::All().
  Team& team() const noexcept { return *_team; }
  /// Id of the unit in team().
  team_unit_t unit_id() const noexcept { return team_unit_t(_unit->unit.id); }

  /// A copy of the domain of the unit's node, or of the root if there is none, for DASH 0.4. It is made by the first
  /// call, and lives as long as this object. parent_in_scope() returns the original.
  LocalityDomain& node_domain() const;
  /// The domain that contains domain(); the root if domain() is the root.
  dart_domain_locality_t& parent() const;
  /// The nearest enclosing domain of a scope, which may be the unit's own; the root if there is
  /// none.
  dart_domain_locality_t& parent_in_scope(Locality::Scope scope) const;

  /// The name of domain().
  std::string domain_tag() const { return _domain->domain_tag; }
  /// The name of the host.
  std::string host() const { return _unit->hwinfo.host; }
  /// The name of the host.
  std::string hostname() const { return host(); }

  /// Number of cores of the unit; other units may share them.
  int num_cores() const noexcept { return hwinfo().num_cores; }
  /// The smallest number of hardware threads that the unit has on one of its cores.
  int min_threads() const noexcept { return hwinfo().min_threads; }
  /// The largest number of hardware threads that the unit has on one of its cores.
  int max_threads() const noexcept { return hwinfo().max_threads; }
  /// Number of cores, at least 1, times max_threads(), at least 1.
  int num_threads() const noexcept;
  /// The same as num_threads().
  int num_domain_threads() const noexcept { return num_threads(); }
  /// Number of NUMA domains with cores of the unit.
  int num_numa() const noexcept { return hwinfo().num_numa; }
  /// The NUMA domain with most of the unit's processors, by its number on the host.
  int numa_id() const noexcept { return hwinfo().numa_id; }
  /// The system's number of the first processor of the unit's first core.
  int cpu_id() const noexcept { return hwinfo().cpu_id; }
  /// The same as max_cpu_mhz().
  int cpu_mhz() const noexcept { return hwinfo().max_cpu_mhz; }
  /// Maximum clock rate of the processor in MHz.
  int max_cpu_mhz() const noexcept { return hwinfo().max_cpu_mhz; }
  /// Minimum clock rate of the processor in MHz.
  int min_cpu_mhz() const noexcept { return hwinfo().min_cpu_mhz; }
  /// Bandwidth of main memory in MB/s (10^6 bytes) while the other units of the host use it, too;
  /// known after dart_team_locality_measure.
  int max_shmem_mbps() const noexcept { return hwinfo().max_shmem_mbps; }
  /// Line size in bytes of a cache level; 0 is L1.
  /// \throws exception::OutOfRange if there is no such level
  int cache_line_size(int level) const;

 private:
  Team* _team;
  dart_unit_locality_t* _unit = nullptr;
  dart_domain_locality_t* _domain = nullptr;
  mutable std::shared_ptr<LocalityDomain> _node;
};

}  // namespace dash::util
