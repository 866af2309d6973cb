#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "base/IdPool.h"
#include "network/rma/RmaDriver.h"
#include "launch/Session.h"
#include "memory/SymmetricHeap.h"
#include "teams/Team.h"

namespace dash::dart {

/// The living teams that this unit is a member of.
/// \threads looking up: any; making and ending teams: as their collectives
class TeamRegistry {
 public:
  TeamRegistry(Session& session, RmaDriver& driver, SymmetricHeap& heap);
  /// Forgets all teams.
  ~TeamRegistry();
  TeamRegistry(const TeamRegistry&) = delete;
  TeamRegistry& operator=(const TeamRegistry&) = delete;

  Team& all() noexcept { return *_all; }
  /// \returns null if this unit is in no such team \cost one load
  Team* find(dart_team_t id) const noexcept;

  /// Calls f for each team, by ascending ids; f may end it.
  void for_each(exec::FunctionRef<void(Team&)> f);

  /// Makes a team of some of the parent's units. Units may name different sets at once, which must
  /// not overlap; the teams then have the same id, as each unit is in one at most.
  /// \param globals  global ids, in the order of the ids in the new team
  /// \returns null if the caller is not among them
  /// \collective over the parent
  Team* create(Team& parent, std::vector<std::int32_t> globals);

  /// Ends a team that has no segment any more.
  /// \collective over the team
  void destroy(Team& team);

 private:
  TeamBlock block_for(std::size_t nunits) const noexcept;

  Session& _session;
  RmaDriver& _driver;
  SymmetricHeap& _heap;
  IdPool _ids;  // guarded by the heap, which gives them
  std::unique_ptr<Team> _all;
};

}  // namespace dash::dart
