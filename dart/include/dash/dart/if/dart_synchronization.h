#pragma once

/// \file
/// Queue locks: units acquire a lock in the order of their requests. A waiting unit sleeps.
///
/// The thread that acquired a lock owns it; other threads of its unit wait like other units. Acquire and
/// release do not complete transfers: before the release, flush the puts that the next owner must see.

#include "dash/dart/if/dart_types.h"

#ifdef __cplusplus
extern "C" {
#endif

/// \addtogroup c_runtime
/// @{

/// A lock of a team.
typedef struct dart_lock_struct* dart_lock_t;

/// No lock.
#define DART_LOCK_NULL ((dart_lock_t)NULL)

/// Creates a free lock.
/// \param lock  receives the lock; DART_LOCK_NULL on error
/// \returns DART_ERR_INVAL for an unknown team, DART_ERR_NOMEM
/// \collective over teamid  \blocks until all have called it
/// \cost a page of each unit's heap. The tails of successive locks of a team are on different units
DART_API dart_ret_t dart_team_lock_init(dart_team_t teamid, dart_lock_t* lock) DART_NOTHROW;

/// Destroys a lock and sets it to DART_LOCK_NULL.
/// \returns DART_ERR_INVAL, on all units and without effect, if a unit holds the lock or waits for it
/// \collective over the lock's team  \blocks until all have called it
DART_API dart_ret_t dart_team_lock_destroy(dart_lock_t* lock) DART_NOTHROW;

/// Acquires the lock for the calling thread.
/// \returns DART_ERR_INVAL if the calling thread holds it already, or for an invalid lock
/// \collective no  \blocks until all earlier requests have been served; sleeps  \threads thread-safe
/// \cost within a node one atomic operation if the lock is free; between nodes a message to the unit of the
///       lock's tail and one to the predecessor, with their replies
DART_API dart_ret_t dart_lock_acquire(dart_lock_t lock) DART_NOTHROW;

/// Acquires the lock if it is free; else makes progress.
/// \param result  receives 1 if the calling thread holds the lock now, else 0
/// \returns DART_ERR_INVAL, with 1, if the calling thread held the lock already
/// \collective no  \blocks only for a reply from another node  \threads thread-safe
DART_API dart_ret_t dart_lock_try_acquire(dart_lock_t lock, int32_t* result) DART_NOTHROW;

/// Releases the lock, to the longest waiting unit if there is one.
/// \returns DART_ERR_INVAL, without effect, if the calling thread does not hold it
/// \collective no  \blocks only for a reply from another unit  \threads thread-safe
DART_API dart_ret_t dart_lock_release(dart_lock_t lock) DART_NOTHROW;

/// Whether this is a valid lock: dart_team_lock_init has returned it, and it has not been destroyed.
/// \collective no  \blocks never  \threads thread-safe
DART_API bool dart_lock_initialized(struct dart_lock_struct const* lock) DART_NOTHROW;

/// @}

#ifdef __cplusplus
}
#endif
