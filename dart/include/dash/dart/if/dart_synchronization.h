#pragma once

/// \file
/// Locks: a queue of units, served in the order in which they came. A unit that waits sleeps.
///
/// A lock belongs to the thread that acquired it; the other threads of its unit wait as other units
/// do. Acquire and release complete no transfers: flush what the next holder has to see before the
/// release.

#include "dash/dart/if/dart_types.h"

#ifdef __cplusplus
extern "C" {
#endif

/// A lock of a team.
typedef struct dart_lock_struct* dart_lock_t;

#define DART_LOCK_NULL ((dart_lock_t)NULL)

/// Makes a lock that nobody holds.
/// \param lock  receives the lock; DART_LOCK_NULL on error
/// \returns DART_ERR_INVAL for an unknown team, DART_ERR_NOMEM
/// \collective over teamid  \blocks until all have called it
/// \cost a page of each unit's heap; successive locks of a team have their tails on different units
DART_API dart_ret_t dart_team_lock_init(dart_team_t teamid, dart_lock_t* lock) DART_NOTHROW;

/// Destroys a lock and sets it to DART_LOCK_NULL.
/// \returns DART_ERR_INVAL, on all units and with no effect, if a unit holds or awaits it
/// \collective over the lock's team  \blocks until all have called it
DART_API dart_ret_t dart_team_lock_destroy(dart_lock_t* lock) DART_NOTHROW;

/// Returns when the calling thread holds the lock.
/// \returns DART_ERR_INVAL if it does already, or for a lock that is none
/// \collective no  \blocks until all who came before have released it; sleeps  \threads any
/// \cost on a node an atomic operation if the lock is free; between nodes a message each to the
///       lock's unit and to the unit before, and their answers
DART_API dart_ret_t dart_lock_acquire(dart_lock_t lock) DART_NOTHROW;

/// Acquires the lock if nobody holds it; else makes progress.
/// \param result  receives 1 if the calling thread holds the lock now, else 0
/// \returns DART_ERR_INVAL, with 1, if it held the lock already
/// \collective no  \blocks never, but for an answer from another node  \threads any
DART_API dart_ret_t dart_lock_try_acquire(dart_lock_t lock, int32_t* result) DART_NOTHROW;

/// Hands the lock to who waits for it longest.
/// \returns DART_ERR_INVAL, with no effect, if the calling thread does not hold it
/// \collective no  \blocks never, but for an answer from another unit  \threads any
DART_API dart_ret_t dart_lock_release(dart_lock_t lock) DART_NOTHROW;

/// Whether this is a lock that has not been destroyed.
/// \collective no  \blocks never  \threads any
DART_API bool dart_lock_initialized(struct dart_lock_struct const* lock) DART_NOTHROW;

#ifdef __cplusplus
}
#endif
