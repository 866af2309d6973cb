#include "api/Boundary.h"
#include "dash/dart/if/dart_initialization.h"
#include "dash/dart/if/dart_synchronization.h"
#include "locks/Lock.h"

namespace dart = dash::dart;

extern "C" {

dart_ret_t dart_team_lock_init(dart_team_t teamid, dart_lock_t* lock) noexcept {
  return dart::with_output(
      "dart_team_lock_init", lock, "lock", DART_LOCK_NULL,
      [&](dart::Runtime& runtime) { *lock = runtime.locks().create(runtime.team(teamid)); });
}

dart_ret_t dart_team_lock_destroy(dart_lock_t* lock) noexcept {
  return dart::with_runtime("dart_team_lock_destroy", [&](dart::Runtime& runtime) {
    if (lock == nullptr) dart::throw_error(DART_ERR_INVAL, "lock is NULL");
    const dart_team_t teamid = dart::Locks::check(*lock).memory().teamid;
    runtime.locks().destroy(runtime.team(teamid), *lock);
    *lock = DART_LOCK_NULL;
  });
}

dart_ret_t dart_lock_acquire(dart_lock_t lock) noexcept {
  return dart::with_runtime("dart_lock_acquire",
                            [&](dart::Runtime&) { dart::Locks::check(lock).acquire(); });
}

dart_ret_t dart_lock_try_acquire(dart_lock_t lock, int32_t* result) noexcept {
  return dart::with_output("dart_lock_try_acquire", result, "result", 0, [&](dart::Runtime&) {
    dart::Lock& checked = dart::Locks::check(lock);
    if (checked.held_by_caller()) {
      *result = 1;
      dart::throw_error(DART_ERR_INVAL, "the calling thread holds the lock already");
    }
    *result = checked.try_acquire() ? 1 : 0;
  });
}

dart_ret_t dart_lock_release(dart_lock_t lock) noexcept {
  return dart::with_runtime("dart_lock_release",
                            [&](dart::Runtime&) { dart::Locks::check(lock).release(); });
}

bool dart_lock_initialized(struct dart_lock_struct const* lock) noexcept {
  return dart_initialized() && lock != nullptr && lock->lock != nullptr;
}

}  // extern "C"
