#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "base/IdPool.h"
#include "launch/Session.h"
#include "memory/SymmetricHeap.h"
#include "network/rma/RmaDriver.h"
#include "teams/Team.h"

namespace dash::dart {

/// The live teams that this unit is a member of. Their blocks are allocated in the symmetric heap.
/// \threads find: thread-safe; creating and ending teams: as the collectives of the team
class TeamRegistry {
 public:
  TeamRegistry(Session& session, RmaDriver& driver, SymmetricHeap& heap);
  /// Removes all teams, without communication.
  ~TeamRegistry();
  TeamRegistry(const TeamRegistry&) = delete;
  TeamRegistry& operator=(const TeamRegistry&) = delete;

  Team& all() noexcept { return *_all; }
  /// \returns null if this unit is not in a team of that id \cost one load
  Team* find(dart_team_t id) const noexcept;

  /// Calls f for each team, by ascending ids; f may end the team.
  void for_each(exec::FunctionRef<void(Team&)> f);

  /// Creates a team of some of the parent's units. Units may pass different sets in the same call if
  /// the sets do not overlap; the teams then have the same id, since each unit is in at most one.
  /// \param globals  global ids, in the order of the ids in the new team
  /// \returns null if the caller is not in the set
  /// \collective over the parent
  Team* create(Team& parent, std::vector<std::int32_t> globals);

  /// Ends a team, whose segments have been freed.
  /// \collective over the team
  void destroy(Team& team);

 private:
  TeamBlock block_for(std::size_t nunits) const noexcept;

  Session& _session;
  RmaDriver& _driver;
  SymmetricHeap& _heap;
  IdPool _ids;  // guarded by the heap, which assigns them
  std::unique_ptr<Team> _all;
};

}  // namespace dash::dart
