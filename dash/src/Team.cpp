#include "dash/Team.h"

#include <algorithm>
#include <utility>

#include "dash/Collectives.h"
#include "dash/Exception.h"
#include "dash/dart/Access.h"
#include "dash/dart/Transfer.h"
#include "dash/dart/if/dart.h"

namespace dash {

// Both are never destroyed: containers of static storage refer to them to the very end.

Team& Team::All() {
  static Team& team = *new Team(DART_TEAM_ALL);
  return team;
}

Team& Team::Null() {
  static Team& team = *new Team(DART_TEAM_NULL);
  return team;
}

global_unit_t Team::GlobalUnitID() noexcept {
  return global_unit_t(All()._myid.id);
}

void Team::initialize() {
  Team& all = All();
  dart_team_unit_t myid;
  std::size_t size = 0;
  if (const auto ret = dart_team_myid(DART_TEAM_ALL, &myid); ret != DART_OK) {
    dart::throw_last_error(ret, "dart_team_myid");
  }
  if (const auto ret = dart_team_size(DART_TEAM_ALL, &size); ret != DART_OK) {
    dart::throw_last_error(ret, "dart_team_size");
  }
  all._myid = myid;
  all._size = size;
}

void Team::finalize() {
  Team& all = All();
  all.free();
  all._myid = UNDEFINED_TEAM_UNIT_ID;
  all._size = 0;
}

void Team::barrier() const {
  if (_size == 0) return;
  dart::complete_all();
  if (const auto ret = dart_barrier(_dart_id); ret != DART_OK) {
    dart::throw_last_error(ret, "dart_barrier");
  }
}

Future<void> Team::barrier_async() const {
  if (_size == 0) return make_ready_future();
  return internal::collective_future<void>(
      [this](dart::Done done, auto&) { dart::start_barrier(std::move(done), _dart_id, true); });
}

namespace internal {

dart_team_t collective_team(const Team& team, const char* called) {
  if (team.size() == 0) {
    DASH_THROW(exception::InvalidArgument,
               "dash::" << called << ": the team has no units ("
                        << (team.is_null() ? "Team::Null()" : "dash::init has not been called")
                        << ")");
  }
  return team.dart_id();
}

}  // namespace internal

team_unit_t Team::relative_id(global_unit_t global_id) const {
  dart_team_unit_t local_id;
  if (_size == 0 || dart_team_unit_g2l(_dart_id, global_id, &local_id) != DART_OK) {
    return UNDEFINED_TEAM_UNIT_ID;
  }
  return local_id;
}

global_unit_t Team::global_id(team_unit_t local_id) const {
  dart_global_unit_t global_id;
  if (const auto ret = dart_team_unit_l2g(_dart_id, local_id, &global_id); ret != DART_OK) {
    dart::throw_last_error(ret, "dart_team_unit_l2g");
  }
  return global_id;
}

void Team::register_deallocator(void* object, deallocator dealloc) {
  _deallocators.push_back({object, std::move(dealloc)});
}

void Team::unregister_deallocator(void* object, const deallocator&) {
  std::erase_if(_deallocators,
                [object](const Registration& entry) { return entry.object == object; });
}

void Team::free() {
  while (!_deallocators.empty()) {
    // Taken out first: the function may unregister itself.
    const Registration last = std::move(_deallocators.back());
    _deallocators.pop_back();
    barrier();
    if (last.dealloc) last.dealloc();
  }
}

}  // namespace dash
