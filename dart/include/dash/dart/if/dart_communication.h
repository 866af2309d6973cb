#pragma once

/// \file
/// One-sided and collective communication.
///
/// Target unit, team, segment and offset of a one-sided operation all come from the global
/// pointer. `src_type` describes the source, `dst_type` the destination, whatever the direction;
/// their base types have to agree. An unknown team or segment, a unit out of range or a transfer
/// past the end of the segment is DART_ERR_INVAL and moves nothing.
///
/// Conflicting accesses without synchronisation are undefined, and non-blocking operations are
/// not ordered among each other.

#include "dash/dart/if/dart_globmem.h"
#include "dash/dart/if/dart_types.h"

#ifdef __cplusplus
extern "C" {
#endif

/// \name Blocking transfers
/// \completion remote: the data is in `dest`, or visible at the target
/// \blocks until complete  \threads any
/// \cost on a node a copy, no MPI call; else one MPI operation and, for a put, a one-byte get
/// @{
DART_API dart_ret_t dart_get_blocking(void* dest, dart_gptr_t gptr, size_t nelem,
                                      dart_datatype_t src_type,
                                      dart_datatype_t dst_type) DART_NOTHROW;
DART_API dart_ret_t dart_put_blocking(dart_gptr_t gptr, const void* src, size_t nelem,
                                      dart_datatype_t src_type,
                                      dart_datatype_t dst_type) DART_NOTHROW;
/// @}

/// \name Non-blocking transfers, completed by a flush
/// \completion by dart_flush and its variants; the buffer is the library's until then
/// \blocks never, except while too many operations are in flight  \threads any
/// @{
DART_API dart_ret_t dart_get(void* dest, dart_gptr_t gptr, size_t nelem, dart_datatype_t src_type,
                             dart_datatype_t dst_type) DART_NOTHROW;
DART_API dart_ret_t dart_put(dart_gptr_t gptr, const void* src, size_t nelem,
                             dart_datatype_t src_type, dart_datatype_t dst_type) DART_NOTHROW;
/// @}

/// \name Flush
/// Complete the caller's operations on the segment of gptr: those to gptr's unit, or to all units.
/// \completion remote (dart_flush, dart_flush_all) or source (the local forms)
/// \collective no  \blocks until complete  \threads any
/// @{
DART_API dart_ret_t dart_flush(dart_gptr_t gptr) DART_NOTHROW;
DART_API dart_ret_t dart_flush_all(dart_gptr_t gptr) DART_NOTHROW;
DART_API dart_ret_t dart_flush_local(dart_gptr_t gptr) DART_NOTHROW;
DART_API dart_ret_t dart_flush_local_all(dart_gptr_t gptr) DART_NOTHROW;
/// @}

/// \name Non-blocking transfers with a handle
/// \param handle  receives the operation in flight; DART_HANDLE_NULL if it is complete already
/// @{
DART_API dart_ret_t dart_get_handle(void* dest, dart_gptr_t gptr, size_t nelem,
                                    dart_datatype_t src_type, dart_datatype_t dst_type,
                                    dart_handle_t* handle) DART_NOTHROW;
DART_API dart_ret_t dart_put_handle(dart_gptr_t gptr, const void* src, size_t nelem,
                                    dart_datatype_t src_type, dart_datatype_t dst_type,
                                    dart_handle_t* handle) DART_NOTHROW;
/// @}

/// \name Waiting for handles
/// Complete handles are freed and set to DART_HANDLE_NULL; null handles are complete.
/// \completion remote; source for the local forms
/// \blocks until complete  \threads any, one at a time per handle
/// @{
DART_API dart_ret_t dart_wait(dart_handle_t* handle) DART_NOTHROW;
DART_API dart_ret_t dart_wait_local(dart_handle_t* handle) DART_NOTHROW;
DART_API dart_ret_t dart_waitall(dart_handle_t handles[], size_t n) DART_NOTHROW;
DART_API dart_ret_t dart_waitall_local(dart_handle_t handles[], size_t n) DART_NOTHROW;
/// @}

/// \name Testing handles
/// \param flag  receives 1 if complete (for testall: all of them), else 0 with handles unchanged
/// \blocks never; makes progress
/// @{
DART_API dart_ret_t dart_test(dart_handle_t* handle, int32_t* flag) DART_NOTHROW;
DART_API dart_ret_t dart_test_local(dart_handle_t* handle, int32_t* flag) DART_NOTHROW;
DART_API dart_ret_t dart_testall(dart_handle_t handles[], size_t n, int32_t* flag) DART_NOTHROW;
DART_API dart_ret_t dart_testall_local(dart_handle_t handles[], size_t n,
                                       int32_t* flag) DART_NOTHROW;
/// @}

/// Lets go of a handle without completing or cancelling its operation; a flush still covers it.
DART_API dart_ret_t dart_handle_free(dart_handle_t* handle) DART_NOTHROW;

/// \name Collectives
/// Same nelem, type, operation and root on all units of the team; basic types.
/// \collective over teamid  \blocks until the result is there; sleeps, does not spin
/// \threads one collective at a time per team
/// @{

/// Returns when all units of the team have called it. Completes no transfer.
DART_API dart_ret_t dart_barrier(dart_team_t teamid) DART_NOTHROW;
/// Copies root's buffer to all units.
DART_API dart_ret_t dart_bcast(void* buf, size_t nelem, dart_datatype_t dtype,
                               dart_team_unit_t root, dart_team_t teamid) DART_NOTHROW;
/// Element-wise reduction, result on all units; sendbuf may equal recvbuf.
DART_API dart_ret_t dart_allreduce(const void* sendbuf, void* recvbuf, size_t nelem,
                                   dart_datatype_t dtype, dart_operation_t op,
                                   dart_team_t teamid) DART_NOTHROW;
/// Gathers nelem elements of each unit, in unit order, on all units; in place if sendbuf is NULL
/// or equals recvbuf (the caller's part is then at its place in recvbuf).
DART_API dart_ret_t dart_allgather(const void* sendbuf, void* recvbuf, size_t nelem,
                                   dart_datatype_t dtype, dart_team_t teamid) DART_NOTHROW;
/// @}

#ifdef __cplusplus
}
#endif
