#pragma once

#include <cstddef>
#include <vector>

#include "dash/Mutex.h"
#include "dash/Team.h"
#include "dash/core/Export.h"

namespace dash {

/// A mutex for each unit of a team, which any unit can lock: protects data that the unit owns.
///
/// If constructed before dash::init(), it must be initialized by initialize().
/// \threads thread-safe, except for construction and destruction
/// \ingroup atomics
class DASH_API Comutex {
 public:
  using value_type = Mutex;
  using size_type = std::size_t;
  using iterator = std::vector<Mutex>::iterator;

  /// Creates the mutexes, if dash::init() has been called.
  /// \collective over the team
  explicit Comutex(Team& team = Team::All());

  /// Creates the mutexes, none of which is held.
  /// \returns false, with no effect, if already initialized
  /// \throws exception::RuntimeError if dash::init() has not been called or the team has no units
  /// \collective over the team
  bool initialize(Team& team = Team::All());

  /// The mutex of a unit.
  /// \throws exception::InvalidArgument if the team has no such unit
  Mutex& operator()(team_unit_t unit);
  /// \overload
  Mutex& operator()(int unit) { return (*this)(team_unit_t(unit)); }

  /// Iterator to the mutex of unit 0.
  iterator begin() noexcept { return _mutexes.begin(); }
  /// The end of the mutexes of all units.
  iterator end() noexcept { return _mutexes.end(); }
  /// Number of units that have a mutex; 0 before initialize().
  size_type size() const noexcept { return _mutexes.size(); }
  /// The team whose units have a mutex.
  Team& team() const noexcept { return *_team; }

 private:
  Team* _team;
  std::vector<Mutex> _mutexes;
};

}  // namespace dash
