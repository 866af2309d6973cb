#include "dash/Mutex.h"

#include <exception>
#include <utility>

#include "dash/Exception.h"
#include "dash/core/Log.h"
#include "dash/dart/if/dart.h"
#include "dash/internal/element/ElementAccess.h"
#include "dash/internal/element/SharedCell.h"

namespace dash {

/// Must not move: the team refers to it and destroys it at finalize.
class Mutex::Lock {
 public:
  explicit Lock(Team& team) : _team(team) {
    internal::check(dart_team_lock_init(team.dart_id(), &_handle), "dash::Mutex");
    team.register_deallocator(this, [this] { end(); });
  }
  Lock(const Lock&) = delete;
  Lock& operator=(const Lock&) = delete;
  ~Lock() {
    if (!is_initialized()) return;
    try {
      _team.unregister_deallocator(this);
      end();
    } catch (const std::exception& error) {
      core::log(core::LogLevel::error, error.what());
    }
  }

  bool is_initialized() const noexcept { return _handle != DART_LOCK_NULL; }
  dart_lock_t handle() const noexcept { return _handle; }

 private:
  /// Destroys the lock even if a unit holds it, since the team is being destroyed.
  void end() {
    dart_lock_t handle = std::exchange(_handle, DART_LOCK_NULL);
    internal::check(dart_team_lock_destroy(&handle), "destruction of a dash::Mutex");
  }

  Team& _team;
  dart_lock_t _handle = DART_LOCK_NULL;
};

Mutex::Mutex(Team& team) : _team(&team) {
  if (team.size() > 0) init();
}

Mutex::Mutex(Mutex&&) noexcept = default;
Mutex& Mutex::operator=(Mutex&&) noexcept = default;
Mutex::~Mutex() = default;

bool Mutex::init() {
  if (_team->size() == 0) internal::throw_not_initialized("dash::Mutex::init");
  if (is_initialized()) return false;
  _lock = std::make_unique<Lock>(*_team);
  return true;
}

bool Mutex::is_initialized() const noexcept {
  return _lock && _lock->is_initialized();
}

Mutex::Lock& Mutex::initialized_lock() const {
  if (!is_initialized()) internal::throw_not_initialized("dash::Mutex (call init())");
  return *_lock;
}

void Mutex::lock() {
  internal::check(dart_lock_acquire(initialized_lock().handle()), "dash::Mutex::lock");
}

bool Mutex::try_lock() {
  int32_t held = 0;
  internal::check(dart_lock_try_acquire(initialized_lock().handle(), &held),
                  "dash::Mutex::try_lock");
  return held != 0;
}

void Mutex::unlock() {
  internal::check(dart_lock_release(initialized_lock().handle()), "dash::Mutex::unlock");
}

}  // namespace dash
