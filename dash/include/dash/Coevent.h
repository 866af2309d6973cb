#pragma once

#include <cstddef>
#include <memory>

#include "dash/Signal.h"
#include "dash/Team.h"
#include "dash/coarray/CoEventIter.h"
#include "dash/coarray/CoEventRef.h"
#include "dash/core/Export.h"

namespace dash {

/// An event for each unit of a team, which other units post and the unit waits for.
///
/// If constructed before dash::init(), it must be initialized by initialize().
/// \threads thread-safe, except for construction and destruction
/// \ingroup atomics
class DASH_API Coevent {
 public:
  using value_type = coarray::CoEventRef;
  using size_type = std::size_t;
  using difference_type = std::ptrdiff_t;
  using iterator = coarray::CoEventIter;

  /// Creates the events, if dash::init() has been called.
  /// \collective over the team
  explicit Coevent(Team& team = Team::All());
  /// Takes over the events; the other object must be initialized again before it is used.
  Coevent(Coevent&&) noexcept = default;
  /// Destroys the events of this object, then takes over those of the other.
  /// \collective over the team of this object, if initialized
  Coevent& operator=(Coevent&&) noexcept = default;
  /// Destroys the events.
  /// \collective over the team, unless finalized
  ~Coevent() = default;

  /// Creates the events, none of which has a post.
  /// \returns false, with no effect, if already initialized
  /// \throws exception::RuntimeError if dash::init() has not been called or the team has no units
  /// \collective over the team
  bool initialize(Team& team = Team::All());

  /// Waits for `count` posts of the caller's event and consumes them. Data put by the posting units
  /// before their posts is visible on return.
  /// \blocks until there are `count` posts; the thread sleeps
  void wait(int count = 1);
  /// Number of posts of the caller's event that have not been consumed. \blocks never
  int test() const;

  /// The event of a unit.
  /// \throws exception::InvalidArgument if the team has no such unit
  coarray::CoEventRef operator()(team_unit_t unit) const;
  /// \overload
  coarray::CoEventRef operator()(int unit) const { return (*this)(team_unit_t(unit)); }

  /// Iterator to the event of unit 0.
  iterator begin() const noexcept { return {*this, 0}; }
  /// The end of the events of all units.
  iterator end() const noexcept { return {*this, static_cast<difference_type>(size())}; }
  /// Number of units of the team.
  size_type size() const noexcept { return _team->size(); }
  /// The team whose units have an event.
  Team& team() const noexcept { return *_team; }

 private:
  // Two counters for each unit; the unit itself is the only writer of the second one.
  static constexpr std::size_t posted = 0;
  static constexpr std::size_t consumed = 1;

  const SignalArray& counts() const;

  Team* _team;
  std::unique_ptr<SignalArray> _counts;
};

namespace coarray {

inline CoEventRef CoEventIter::operator*() const {
  return (*_events)(team_unit_t(static_cast<int>(_unit)));
}

}  // namespace coarray

}  // namespace dash
