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

/// The hierarchies of teams, each built on first use.
/// \threads thread-safe
class Locality {
 public:
  /// \param hardware  of all units; must outlive this object
  explicit Locality(std::span<const UnitHardware> hardware) : _hardware(hardware) {}
  ~Locality();
  Locality(const Locality&) = delete;
  Locality& operator=(const Locality&) = delete;

  /// The hierarchy of a team; its address is valid until forget() is called for the team.
  Hierarchy& of(const Team& team);
  /// Frees the hierarchy of a team. Measurements are kept unless the team is destroyed.
  void forget(dart_team_t team, bool team_ends) noexcept;

  /// Measures the performance of the units of a team on the first call for the team; later calls do nothing.
  /// \collective over the team
  void measure(Team& team);

 private:
  void prepare(const Team& team, std::optional<MemoryProbe>& probe) const;
  void measure_self(std::optional<MemoryProbe>& probe);

  std::span<const UnitHardware> _hardware;
  std::mutex _mutex;  // guards the maps
  std::map<dart_team_t, Hierarchy> _hierarchies;
  std::map<dart_team_t, std::vector<Capability>> _measured;  // by id in the team
  std::optional<Capability> _own;
};

}  // namespace dash::dart
