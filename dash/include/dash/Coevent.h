#pragma once

#include <cstddef>
#include <memory>

#include "dash/Signal.h"
#include "dash/Team.h"
#include "dash/coarray/CoEventIter.h"
#include "dash/coarray/CoEventRef.h"
#include "dash/core/Export.h"

namespace dash {

/// An event for each unit of a team: other units post it, and it waits.
///
/// Constructed before dash::init(), it is to be made by initialize().
/// \threads any, but for making and destroying
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

  /// \returns false, with no effect, if that was done
  /// \throws exception::RuntimeError when not initialised
  /// \collective over the team
  bool initialize(Team& team = Team::All());

  /// Waits for so many posts of the caller's own event, and takes them off. What their units had put
  /// before is visible then.
  /// \blocks until there are as many; sleeps
  void wait(int count = 1);
  /// The posts of the caller's own event that were not waited for yet. \blocks never
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
  // Two counts for each unit, of which the second is its own alone.
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
