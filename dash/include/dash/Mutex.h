#pragma once

#include <memory>

#include "dash/Team.h"
#include "dash/core/Export.h"

namespace dash {

/// A lock of a team, for std::lock_guard and its kin: one thread or task of one unit holds it, the
/// others are served in the order in which they came, and sleep meanwhile.
///
/// Completes no transfers: what was put without waiting is flushed before unlock(), so that the next
/// holder sees it.
/// \threads any; construction and destruction: one at a time per team
/// \see Mellor-Crummey, Scott: Algorithms for scalable synchronization on shared-memory
///      multiprocessors, 1991
class DASH_API Mutex {
 public:
  /// Constructed before dash::init(), it is to be made by init().
  /// \collective over the team  \blocks until all units have called it
  explicit Mutex(Team& team = Team::All());
  Mutex(Mutex&&) noexcept;
  /// \collective over the team of this object, if it was made
  Mutex& operator=(Mutex&&) noexcept;
  /// \collective over the team, if made and not finalized  \blocks until all units have called it
  ~Mutex();

  /// Makes the lock. \returns false, with no effect, if that was done
  /// \throws exception::RuntimeError when not initialised
  /// \collective over the team  \blocks until all units have called it
  bool init();

  /// Returns when the calling thread holds the lock.
  /// \throws exception::InvalidArgument if it does already
  /// \collective no  \blocks until all who came before have released it
  void lock();
  /// \returns whether the calling thread holds the lock now
  /// \collective no  \blocks never, but for an answer from another node
  bool try_lock();
  /// Hands it to who waits for it longest.
  /// \throws exception::InvalidArgument if the calling thread does not hold it
  /// \collective no  \blocks never, but for an answer from another unit
  void unlock();

  Team& team() const noexcept { return *_team; }

 private:
  friend class Comutex;
  class Lock;
  bool is_made() const noexcept;
  Lock& made() const;

  Team* _team;
  std::unique_ptr<Lock> _lock;
};

}  // namespace dash
