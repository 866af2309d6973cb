#pragma once

#include <map>
#include <mutex>
#include <span>

#include "Hierarchy.h"

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
  void forget(dart_team_t team) noexcept;

 private:
  std::span<const UnitHardware> _hardware;
  std::mutex _mutex;  // guards _hierarchies
  std::map<dart_team_t, Hierarchy> _hierarchies;
};

/// Frees what was handed out of a team's locality; for the destruction of the team. Nothing if
/// nobody has asked, or the runtime is not there.
void forget_team_locality(dart_team_t team) noexcept;

}  // namespace dash::dart
