#pragma once

/// \file
/// Global pointers, and allocation of global memory.

#include "dash/dart/if/dart_types.h"

#ifdef __cplusplus
extern "C" {
#endif

/// \addtogroup c_runtime
/// @{

/// Address of a byte of global memory on any unit; a value of 128 bits.
typedef struct {
  /// Relative to the team `teamid`.
  dart_unit_t unitid : 24;
  /// Set by the library, which recognizes pointers to freed segments by them; 0 in pointers that a program composes.
  unsigned int flags : 8;
  /// 0: memory of dart_memalloc; > 0: collective allocation; < 0: registered by the user.
  int16_t segid;
  /// The team of the segment; DART_TEAM_ALL for segment 0.
  int16_t teamid;
  /// The position in the segment.
  union {
    /// Bytes from the beginning of the unit's part of the segment.
    uint64_t offset;
    /// Not used by the library.
    void* addr;
  } addr_or_offs;
} dart_gptr_t;

/// The segment of the memory of dart_memalloc.
#define DART_SEGMENT_LOCAL ((int16_t)0)

/// \def DART_GPTR_NULL
/// The null pointer, which refers to no memory.
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

/// Whether a global pointer is null. Flags are ignored. Evaluates its argument several times.
#define DART_GPTR_ISNULL(gptr)                                                                   \
  ((gptr).unitid < 0 && (gptr).segid == DART_SEGMENT_LOCAL && (gptr).teamid == DART_TEAM_NULL && \
   (gptr).addr_or_offs.offset == 0)

/// Whether two global pointers refer to the same byte by the same team and segment. Flags are not
/// compared. Evaluates its arguments several times.
#define DART_GPTR_EQUAL(a, b)                                                        \
  ((a).unitid == (b).unitid && (a).segid == (b).segid && (a).teamid == (b).teamid && \
   (a).addr_or_offs.offset == (b).addr_or_offs.offset)

/// Native address of the caller's own memory.
/// \param addr  receives the address if gptr's unit is the caller, else NULL (on the same node too)
/// \returns DART_ERR_INVAL for an unknown team, segment or unit
/// \collective no  \blocks never  \threads thread-safe
DART_API dart_ret_t dart_gptr_getaddr(const dart_gptr_t gptr, void** addr) DART_NOTHROW;

/// Makes gptr refer to `addr` in the caller's own memory, in the same segment.
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

/// \name User-defined flags
/// Stored locally per segment, for all pointers to the segment; not communicated to other units.
/// dart_gptr_getflags reads that record, not the flags of the pointer given.
/// \param flags  8 bits
/// \returns DART_ERR_INVAL for an unknown segment or flags of more than 8 bits
/// \collective no  \blocks never  \threads externally synchronized per segment
/// @{

/// Returns the flags that the caller has set for the segment of gptr; 0 at first.
DART_API dart_ret_t dart_gptr_getflags(dart_gptr_t gptr, uint16_t* flags) DART_NOTHROW;
/// Sets the flags of the segment. The pointer does not change.
DART_API dart_ret_t dart_gptr_setflags(dart_gptr_t* gptr, uint16_t flags) DART_NOTHROW;
/// @}

/// Allocates zeroed global memory of the caller, which any unit that has the pointer can access.
/// \param nelem  elements of `dtype` (a basic type)
/// \param gptr   receives {unit: caller's global id, team: ALL, segid 0}; null on error
/// \returns DART_ERR_NOMEM when the pool is exhausted
/// \collective no  \blocks never  \threads thread-safe
DART_API dart_ret_t dart_memalloc(size_t nelem, dart_datatype_t dtype,
                                  dart_gptr_t* gptr) DART_NOTHROW;

/// Frees memory of dart_memalloc; only its owner may call this.
/// \returns DART_ERR_INVAL if gptr is not the beginning of a live allocation of the caller
DART_API dart_ret_t dart_memfree(dart_gptr_t gptr) DART_NOTHROW;

/// Allocates `nelem` zeroed elements on each unit of a team, at the same offset on all.
/// \param nelem  elements of `dtype` (a basic type) of the caller; 0 is allowed. Units may pass
///               different numbers: each unit then has addressable memory for the largest one
/// \param gptr   receives {unit 0, offset 0} of the new segment, equal on all units
/// \returns DART_ERR_NOMEM on all units if one of them is out of memory
/// \collective over teamid  \blocks until all units have called it
DART_API dart_ret_t dart_team_memalloc_aligned(dart_team_t teamid, size_t nelem,
                                               dart_datatype_t dtype,
                                               dart_gptr_t* gptr) DART_NOTHROW;

/// Frees a segment. Other units may access the caller's part until they make this call: its memory is released after all
/// units have called it, by the next allocation or barrier of the team (dart_barrier, dash::Team::barrier). A null pointer
/// is ignored.
/// \returns DART_ERR_INVAL if gptr does not refer to a live segment
/// \collective over the segment's team  \blocks until the caller's transfers to the segment are complete; does not wait
///             for other units
DART_API dart_ret_t dart_team_memfree(dart_gptr_t gptr) DART_NOTHROW;

/// \name Registered memory of the application
/// Makes memory of each unit a segment, for all functions that take a global pointer. Other units access it
/// through MPI, even on the same node. The application keeps ownership of the memory, which must stay valid
/// until it has been deregistered.
/// \param nelem   elements of `dtype` (a basic type) at addr, the same on all units
/// \param nlelem  the same, but may differ between units
/// \param addr    may be NULL for no elements
/// \param gptr    receives {unit 0, offset 0} of the new segment, equal on all units, with a negative
///                segment id
/// \collective over teamid  \blocks until all units have called it
/// \cost   an MPI window, of which a process can have about two thousand; creating it takes 0.2 ms or more
/// @{

/// Registers the same number of elements on all units.
DART_API dart_ret_t dart_team_memregister_aligned(dart_team_t teamid, size_t nelem,
                                                  dart_datatype_t dtype, void* addr,
                                                  dart_gptr_t* gptr) DART_NOTHROW;
/// Registers a number of elements that may differ between units.
DART_API dart_ret_t dart_team_memregister(dart_team_t teamid, size_t nlelem, dart_datatype_t dtype,
                                          void* addr, dart_gptr_t* gptr) DART_NOTHROW;
/// @}

/// Deregisters memory after completing the caller's transfers in it. A null pointer is ignored.
/// \returns DART_ERR_INVAL if gptr does not refer to registered memory
/// \collective over the segment's team  \blocks until all units have called it
DART_API dart_ret_t dart_team_memderegister(dart_gptr_t gptr) DART_NOTHROW;

/// \name Pools
/// A unit allocates from a pool without involving the other units of the team that created it. Reused memory
/// is not zeroed.
/// @{

/// A pool; one handle per unit.
typedef struct dart_allocator_struct* dart_allocator_t;

/// Creates a pool.
/// \param pool_size  bytes per unit, rounded up to a power of two
/// \returns DART_ERR_NOMEM on all units if one of them is out of memory
/// \collective over team  \blocks until all units have called it
DART_API dart_ret_t dart_allocator_new(size_t pool_size, dart_team_t team,
                                       dart_allocator_t* new_allocator) DART_NOTHROW;

/// Allocates from the caller's part of a pool.
/// \param gptr  receives {unit: the caller's id in the team}; null on error
/// \returns DART_ERR_NOMEM when the caller's part is exhausted
/// \collective no  \blocks never  \threads thread-safe
DART_API dart_ret_t dart_allocator_alloc(size_t nelem, dart_datatype_t dtype, dart_gptr_t* gptr,
                                         dart_allocator_t allocator) DART_NOTHROW;

/// Frees an allocation of the caller and sets the pointer to DART_GPTR_NULL.
/// \returns DART_ERR_INVAL unless gptr is the beginning of a live allocation of the caller
/// \collective no  \blocks never  \threads thread-safe
DART_API dart_ret_t dart_allocator_free(dart_gptr_t* gptr, dart_allocator_t allocator) DART_NOTHROW;

/// Frees a pool with all of its allocations and sets the handle to NULL.
/// \collective over the pool's team  \blocks until all units have called it
DART_API dart_ret_t dart_allocator_destroy(dart_allocator_t* allocator) DART_NOTHROW;
/// @}

/// @}

#ifdef __cplusplus
}
#endif
