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
class DASH_API Coevent {
 public:
  using value_type = coarray::CoEventRef;
  using size_type = std::size_t;
  using difference_type = std::ptrdiff_t;
  using iterator = coarray::CoEventIter;

  /// \collective over the team
  explicit Coevent(Team& team = Team::All());
  Coevent(Coevent&&) noexcept = default;
  Coevent& operator=(Coevent&&) noexcept = default;
  /// \collective over the team, unless finalized
  ~Coevent() = default;

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
  coarray::CoEventRef operator()(int unit) const { return (*this)(team_unit_t(unit)); }

  iterator begin() const noexcept { return {*this, 0}; }
  iterator end() const noexcept { return {*this, static_cast<difference_type>(size())}; }
  size_type size() const noexcept { return _team->size(); }
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
