#include "base/Error.h"
#include "locks/Lock.h"
#include "api/Runtime.h"
#include "dash/dart/if/dart_synchronization.h"

namespace dart = dash::dart;

extern "C" {

dart_ret_t dart_team_lock_init(dart_team_t teamid, dart_lock_t* lock) noexcept {
  return dart::guarded("dart_team_lock_init", [&] {
    if (lock == nullptr) dart::throw_error(DART_ERR_INVAL, "lock is NULL");
    *lock = DART_LOCK_NULL;
    dart::Runtime& runtime = dart::Runtime::get();
    *lock = runtime.locks().create(runtime.team(teamid));
  });
}

dart_ret_t dart_team_lock_destroy(dart_lock_t* lock) noexcept {
  return dart::guarded("dart_team_lock_destroy", [&] {
    if (lock == nullptr) dart::throw_error(DART_ERR_INVAL, "lock is NULL");
    dart::Runtime& runtime = dart::Runtime::get();
    const dart_team_t teamid = dart::Locks::check(*lock).memory().teamid;
    runtime.locks().destroy(runtime.team(teamid), *lock);
    *lock = DART_LOCK_NULL;
  });
}

dart_ret_t dart_lock_acquire(dart_lock_t lock) noexcept {
  return dart::guarded("dart_lock_acquire", [&] {
    dart::Runtime::get();
    dart::Locks::check(lock).acquire();
  });
}

dart_ret_t dart_lock_try_acquire(dart_lock_t lock, int32_t* result) noexcept {
  return dart::guarded("dart_lock_try_acquire", [&] {
    if (result == nullptr) dart::throw_error(DART_ERR_INVAL, "result is NULL");
    *result = 0;
    dart::Runtime::get();
    dart::Lock& checked = dart::Locks::check(lock);
    if (checked.held_by_caller()) {
      *result = 1;
      dart::throw_error(DART_ERR_INVAL, "the calling thread holds the lock already");
    }
    *result = checked.try_acquire() ? 1 : 0;
  });
}

dart_ret_t dart_lock_release(dart_lock_t lock) noexcept {
  return dart::guarded("dart_lock_release", [&] {
    dart::Runtime::get();
    dart::Locks::check(lock).release();
  });
}

bool dart_lock_initialized(struct dart_lock_struct const* lock) noexcept {
  return dart::Runtime::find() != nullptr && lock != nullptr && lock->lock != nullptr;
}

}  // extern "C"
