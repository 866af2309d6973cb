#pragma once

#include <map>
#include <mutex>
#include <optional>
#include <span>
#include <vector>

#include "locality/Capability.h"
#include "locality/Hierarchy.h"

namespace dash::dart {

class Team;

/// The hierarchies of teams, each built when it is first asked for.
/// \threads any
class Locality {
 public:
  /// \param hardware  of all units; outlives this
  explicit Locality(std::span<const UnitHardware> hardware) : _hardware(hardware) {}
  ~Locality();
  Locality(const Locality&) = delete;
  Locality& operator=(const Locality&) = delete;

  /// Stays where it is until the team is forgotten.
  Hierarchy& of(const Team& team);
  /// Frees what was handed out. What was measured is kept, unless the team ends.
  void forget(dart_team_t team, bool team_ends) noexcept;

  /// Measures what the units of a team can do, the first time that it is called for the team.
  /// \collective over the team
  void measure(Team& team);

 private:
  void prepare(const Team& team, std::optional<MemoryProbe>& probe) const;
  void measure_self(std::optional<MemoryProbe>& probe);

  std::span<const UnitHardware> _hardware;
  std::mutex _mutex;  // guards the maps
  std::map<dart_team_t, Hierarchy> _hierarchies;
  std::map<dart_team_t, std::vector<Capability>> _measured;  // by the ids in the team
  std::optional<Capability> _own;
};

}  // namespace dash::dart
