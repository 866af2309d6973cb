#pragma once

#include <memory>

#include "dash/Team.h"
#include "dash/core/Export.h"

namespace dash {

/// A lock of a team, usable with std::lock_guard: held by one thread or task of one unit. Waiting
/// threads sleep and are served in FIFO order.
///
/// Does not complete transfers: flush asynchronous puts before unlock(), so that the next holder
/// sees them.
/// \threads thread-safe; construction and destruction: externally synchronized per team
/// \see Mellor-Crummey, Scott: Algorithms for scalable synchronization on shared-memory
///      multiprocessors, 1991
/// \ingroup atomics
class DASH_API Mutex {
 public:
  /// Creates the lock, which no thread holds.
  /// If constructed before dash::init(), it must be initialized by init().
  /// \collective over the team  \blocks until all units have called it
  explicit Mutex(Team& team = Team::All());
  /// Takes over the lock; the other object is not initialized afterwards.
  Mutex(Mutex&&) noexcept;
  /// Destroys the lock of this object, then takes over that of the other.
  /// \collective over the team of this object, if initialized
  Mutex& operator=(Mutex&&) noexcept;
  /// Destroys the lock.
  /// \collective over the team, if initialized and before finalize()
  /// \blocks until all units have called it
  ~Mutex();

  /// Initializes the lock. \returns false, with no effect, if already initialized
  /// \throws exception::RuntimeError if dash::init() has not been called or the team has no units
  /// \collective over the team  \blocks until all units have called it
  bool init();

  /// Acquires the lock.
  /// \throws exception::InvalidArgument if the calling thread holds it already
  /// \collective no  \blocks until all earlier requests have been granted and released
  void lock();
  /// Acquires the lock if no thread holds it.
  /// \returns whether the calling thread now holds the lock
  /// \collective no  \blocks only for the reply of another node
  bool try_lock();
  /// Releases the lock to the thread that has waited longest.
  /// \throws exception::InvalidArgument if the calling thread does not hold it
  /// \collective no  \blocks only for the reply of another unit
  void unlock();

  /// The team whose units can acquire the lock.
  Team& team() const noexcept { return *_team; }

 private:
  friend class Comutex;
  class Lock;
  bool is_initialized() const noexcept;
  Lock& initialized_lock() const;

  Team* _team;
  std::unique_ptr<Lock> _lock;
};

}  // namespace dash
