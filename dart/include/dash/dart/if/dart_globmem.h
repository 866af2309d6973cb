#pragma once

#include "dash/dart/if/dart_types.h"

#ifdef __cplusplus
extern "C" {
#endif

/// Names a byte of global memory on any unit: 128 bits, a value.
typedef struct {
  /// Relative to the team `teamid`.
  dart_unit_t unitid : 24;
  unsigned int flags : 8;
  /// 0: memory of dart_memalloc; > 0: collective allocation; < 0: registered by the user.
  int16_t segid;
  int16_t teamid;
  union {
    /// Bytes from the begin of the unit's part of the segment.
    uint64_t offset;
    void* addr;
  } addr_or_offs;
} dart_gptr_t;

#define DART_SEGMENT_LOCAL ((int16_t)0)

#ifdef __cplusplus
#define DART_GPTR_NULL (dart_gptr_t{-1, 0, DART_SEGMENT_LOCAL, DART_TEAM_NULL, {0}})
#else
#define DART_GPTR_NULL                        \
  ((dart_gptr_t){.unitid = -1,                \
                 .flags = 0,                  \
                 .segid = DART_SEGMENT_LOCAL, \
                 .teamid = DART_TEAM_NULL,    \
                 .addr_or_offs = {.offset = 0}})
#endif

#define DART_GPTR_ISNULL(gptr)                                                                   \
  ((gptr).unitid < 0 && (gptr).segid == DART_SEGMENT_LOCAL && (gptr).teamid == DART_TEAM_NULL && \
   (gptr).addr_or_offs.offset == 0)

/// Flags are not compared.
#define DART_GPTR_EQUAL(a, b)                                                        \
  ((a).unitid == (b).unitid && (a).segid == (b).segid && (a).teamid == (b).teamid && \
   (a).addr_or_offs.offset == (b).addr_or_offs.offset)

/// Native address of the caller's own memory.
/// \param addr  receives the address if gptr's unit is the caller, else NULL (on the same node too)
/// \returns DART_ERR_INVAL for an unknown team, segment or unit
/// \collective no  \blocks never  \threads any
DART_API dart_ret_t dart_gptr_getaddr(const dart_gptr_t gptr, void** addr) DART_NOTHROW;

/// Lets gptr designate `addr` of the caller's own memory, in the same segment.
/// \returns DART_ERR_INVAL for an unknown segment or an address outside of it
DART_API dart_ret_t dart_gptr_setaddr(dart_gptr_t* gptr, void* addr) DART_NOTHROW;

/// Adds bytes to the offset; no range check, no change of unit.
DART_INLINE dart_ret_t dart_gptr_incaddr(dart_gptr_t* gptr, int64_t offs) {
  gptr->addr_or_offs.offset += (uint64_t)offs;
  return DART_OK;
}

/// Changes the (team-relative) unit.
DART_INLINE dart_ret_t dart_gptr_setunit(dart_gptr_t* gptr, dart_team_unit_t unit) {
  gptr->unitid = unit.id;
  return DART_OK;
}

/// \name Flags of the user's
/// Kept in the caller's record of the segment, for all pointers to it; other units do not learn of
/// them. dart_gptr_getflags reads that record, not the flags of the pointer given.
/// \param flags  8 bits
/// \returns DART_ERR_INVAL for an unknown segment or flags of more than 8 bits
/// \collective no  \blocks never  \threads one at a time per segment
/// @{
DART_API dart_ret_t dart_gptr_getflags(dart_gptr_t gptr, uint16_t* flags) DART_NOTHROW;
DART_API dart_ret_t dart_gptr_setflags(dart_gptr_t* gptr, uint16_t flags) DART_NOTHROW;
/// @}

/// Allocates zeroed global memory of the caller's own: usable by any unit that learns the pointer.
/// \param nelem  elements of `dtype` (a basic type)
/// \param gptr   receives {unit: caller's global id, team: ALL, segid 0}; null on error
/// \returns DART_ERR_NOMEM when the pool is used up
/// \collective no  \blocks never  \threads any
DART_API dart_ret_t dart_memalloc(size_t nelem, dart_datatype_t dtype,
                                  dart_gptr_t* gptr) DART_NOTHROW;

/// Frees memory of dart_memalloc; by its owner only.
/// \returns DART_ERR_INVAL if gptr is not the begin of a live allocation of the caller
DART_API dart_ret_t dart_memfree(dart_gptr_t gptr) DART_NOTHROW;

/// Allocates `nelem` zeroed elements on each unit of a team, at the same offset on all.
/// \param nelem  elements of `dtype` (a basic type) of the caller; 0 is allowed. Units may ask for
///               different numbers: addresses are reserved, and may be accessed, as for the largest
/// \param gptr   receives {unit 0, offset 0} of the new segment, equal on all units
/// \returns DART_ERR_NOMEM on all units if one of them lacks the memory
/// \collective over teamid  \blocks until all units have called it
DART_API dart_ret_t dart_team_memalloc_aligned(dart_team_t teamid, size_t nelem,
                                               dart_datatype_t dtype,
                                               dart_gptr_t* gptr) DART_NOTHROW;

/// Frees a segment. Pending accesses by others are the caller's concern; a null pointer is fine.
/// \returns DART_ERR_INVAL if gptr is of no live segment
/// \collective over the segment's team  \blocks until all units have called it
DART_API dart_ret_t dart_team_memfree(dart_gptr_t gptr) DART_NOTHROW;

/// \name Memory of the user's
/// Makes memory of each unit a segment, for all functions that take a global pointer. Other units
/// reach it through MPI, on the same node, too. It stays the user's, and must live until it has been
/// deregistered.
/// \param nelem   elements of `dtype` (a basic type) at addr, the same on all units
/// \param nlelem  the same, but the units' own numbers
/// \param addr    may be NULL for no elements
/// \param gptr    receives {unit 0, offset 0} of the new segment, equal on all units, with a negative
///                segment id
/// \collective over teamid  \blocks until all units have called it
/// \cost   a window of MPI's, of which a process has about two thousand; its making takes 0.2 ms and
///         more
/// @{
DART_API dart_ret_t dart_team_memregister_aligned(dart_team_t teamid, size_t nelem,
                                                  dart_datatype_t dtype, void* addr,
                                                  dart_gptr_t* gptr) DART_NOTHROW;
DART_API dart_ret_t dart_team_memregister(dart_team_t teamid, size_t nlelem, dart_datatype_t dtype,
                                          void* addr, dart_gptr_t* gptr) DART_NOTHROW;
/// @}

/// Ends a registration; completes the caller's transfers in it. A null pointer is fine.
/// \returns DART_ERR_INVAL if gptr is of no living registration
/// \collective over the segment's team  \blocks until all units have called it
DART_API dart_ret_t dart_team_memderegister(dart_gptr_t gptr) DART_NOTHROW;

/// \name Pools
/// Memory that a unit allocates by itself from a pool that its team has made. It is not zeroed when
/// it is used again.
/// @{

/// A pool; one handle per unit.
typedef struct dart_allocator_struct* dart_allocator_t;

/// Makes a pool.
/// \param pool_size  bytes per unit, rounded up to a power of two
/// \returns DART_ERR_NOMEM on all units if one of them lacks the memory
/// \collective over team  \blocks until all units have called it
DART_API dart_ret_t dart_allocator_new(size_t pool_size, dart_team_t team,
                                       dart_allocator_t* new_allocator) DART_NOTHROW;

/// Allocates from the caller's part of a pool.
/// \param gptr  receives {unit: the caller's id in the team}; null on error
/// \returns DART_ERR_NOMEM when the caller's part is used up
/// \collective no  \blocks never  \threads any
DART_API dart_ret_t dart_allocator_alloc(size_t nelem, dart_datatype_t dtype, dart_gptr_t* gptr,
                                         dart_allocator_t allocator) DART_NOTHROW;

/// Gives back what the caller allocated and sets the pointer to DART_GPTR_NULL.
/// \returns DART_ERR_INVAL unless gptr is the begin of a live allocation of the caller
/// \collective no  \blocks never  \threads any
DART_API dart_ret_t dart_allocator_free(dart_gptr_t* gptr, dart_allocator_t allocator) DART_NOTHROW;

/// Frees a pool with all that is allocated from it and sets the handle to NULL.
/// \collective over the pool's team  \blocks until all units have called it
DART_API dart_ret_t dart_allocator_destroy(dart_allocator_t* allocator) DART_NOTHROW;
/// @}

#ifdef __cplusplus
}
#endif
