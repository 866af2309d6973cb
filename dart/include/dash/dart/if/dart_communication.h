#pragma once

/// \file
/// One-sided and collective communication.
///
/// Target unit, team, segment and offset of a one-sided operation all come from the global
/// pointer. `src_type` describes the source, `dst_type` the destination, whatever the direction;
/// their base types have to agree. An unknown team or segment, a unit out of range, a transfer
/// past the end of the segment, or a buffer of more than no bytes at NULL is DART_ERR_INVAL and moves
/// nothing.
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

/// \name Messages between two units
/// Matched by the other unit and the tag, in the order in which they were sent; a message may be
/// shorter than its receiver's buffer, but not longer. Units are global ids, tags 0 to the largest of
/// MPI (at least 32767); basic and custom types.
///
/// A send may wait for its receive. On a node one of at most 64 KiB does not, as long as messages of
/// this unit that wait for their receivers take no more than 1 MiB; so a unit may send to itself
/// before it receives. dart_sendrecv waits for both of its messages at once: it meets its mirror
/// image, goes round rings and to the caller itself, with any number of bytes.
/// \returns DART_ERR_INVAL for a unit or tag out of range, more than INT_MAX elements, a NULL buffer
///          for more than no elements; nothing is sent then. Also if the message received is longer
///          than the buffer: it is lost, and the buffer unchanged (between nodes it is an error of
///          MPI, which ends the job)
/// \completion source (send): the buffer may be reused; the data is in the buffer (recv)
/// \collective no  \blocks until complete; sleeps, does not spin  \threads any
/// \cost on a node two copies through shared memory, no call of MPI
/// @{
DART_API dart_ret_t dart_send(const void* sendbuf, size_t nelem, dart_datatype_t dtype, int tag,
                              dart_global_unit_t dest) DART_NOTHROW;
DART_API dart_ret_t dart_recv(void* recvbuf, size_t nelem, dart_datatype_t dtype, int tag,
                              dart_global_unit_t src) DART_NOTHROW;
DART_API dart_ret_t dart_sendrecv(const void* sendbuf, size_t send_nelem,
                                  dart_datatype_t send_dtype, int send_tag, dart_global_unit_t dest,
                                  void* recvbuf, size_t recv_nelem, dart_datatype_t recv_dtype,
                                  int recv_tag, dart_global_unit_t src) DART_NOTHROW;
/// @}

/// \name Operations of the user's
/// @{

/// inout[i] = in[i] op inout[i] for `len` elements.
typedef void (*dart_operator_t)(const void* invec, void* inoutvec, size_t len, void* user_data);

/// Makes an operation for dart_reduce and dart_allreduce on elements of one type.
/// \param op            has to be associative
/// \param userdata      handed to each call of op
/// \param commute       false: applied in the order of the units
/// \param dtype         basic or custom; what the collective has to be called with
/// \param dtype_is_tmp  hands dtype over: it is destroyed with the operation
/// \collective no, but the units of a collective need the same operation each  \threads any
DART_API dart_ret_t dart_op_create(dart_operator_t op, void* userdata, bool commute,
                                   dart_datatype_t dtype, bool dtype_is_tmp,
                                   dart_operation_t* new_op) DART_NOTHROW;

/// Frees an operation of dart_op_create and sets it to DART_OP_UNDEFINED.
/// \returns DART_ERR_INVAL for a predefined operation, or one that is none
DART_API dart_ret_t dart_op_destroy(dart_operation_t* op) DART_NOTHROW;
/// @}

/// \name Atomic operations
/// Atomic, element by element, to all other atomic operations on the same type, whichever units
/// they come from; basic types. `op` is any predefined operation but DART_OP_MINMAX: DART_OP_NO_OP
/// reads, DART_OP_REPLACE swaps, bitwise ones are for integers. A target that is not aligned to its
/// size is DART_ERR_INVAL.
/// \completion the values may be reused on return; by dart_flush and its variants: the effect is
///             visible, and the old value is in `result`
/// \blocks never, except while too many operations are in flight  \threads any
/// \cost on a node one instruction of the processor or a loop around one; else a message, which the
///       owner's engine applies in the same way, and its answer
/// @{

/// Combines nelem elements of the target with those of values.
DART_API dart_ret_t dart_accumulate(dart_gptr_t gptr, const void* values, size_t nelem,
                                    dart_datatype_t dtype, dart_operation_t op) DART_NOTHROW;
DART_API dart_ret_t dart_accumulate_blocking_local(dart_gptr_t gptr, const void* values,
                                                   size_t nelem, dart_datatype_t dtype,
                                                   dart_operation_t op) DART_NOTHROW;
/// The same for one element, of which result receives the old value.
DART_API dart_ret_t dart_fetch_and_op(dart_gptr_t gptr, const void* value, void* result,
                                      dart_datatype_t dtype, dart_operation_t op) DART_NOTHROW;
/// Stores value if the target equals compare; result receives the old value. Equal is bit for bit:
/// a NaN equals itself, -0.0 does not equal 0.0; the padding of long double does not count.
DART_API dart_ret_t dart_compare_and_swap(dart_gptr_t gptr, const void* value, const void* compare,
                                          void* result, dart_datatype_t dtype) DART_NOTHROW;
/// @}

/// \name Collectives
/// Same nelem, type, operation and root on all units of the team; basic and custom types. Bad
/// arguments are DART_ERR_INVAL and communicate nothing; they have to be as bad on all units.
/// \collective over teamid  \blocks until the result is there; sleeps, does not spin
/// \threads one collective at a time per team and unit; a second one is DART_ERR_INVAL
/// @{

/// Returns when all units of the team have called it. Completes no transfer.
DART_API dart_ret_t dart_barrier(dart_team_t teamid) DART_NOTHROW;
/// Copies root's buffer to all units.
DART_API dart_ret_t dart_bcast(void* buf, size_t nelem, dart_datatype_t dtype,
                               dart_team_unit_t root, dart_team_t teamid) DART_NOTHROW;
/// Hands each unit its part of root's sendbuf, which has nelem elements for each unit, in order.
/// \param sendbuf  of root; others may pass NULL
/// \param recvbuf  nelem elements
DART_API dart_ret_t dart_scatter(const void* sendbuf, void* recvbuf, size_t nelem,
                                 dart_datatype_t dtype, dart_team_unit_t root,
                                 dart_team_t teamid) DART_NOTHROW;
/// Gathers nelem elements of each unit, in unit order, in root's recvbuf.
/// \param recvbuf  of root; others may pass NULL
DART_API dart_ret_t dart_gather(const void* sendbuf, void* recvbuf, size_t nelem,
                                dart_datatype_t dtype, dart_team_unit_t root,
                                dart_team_t teamid) DART_NOTHROW;
/// Gathers nelem elements of each unit, in unit order, on all units; in place if sendbuf is NULL
/// or equals recvbuf (the caller's part is then at its place in recvbuf).
DART_API dart_ret_t dart_allgather(const void* sendbuf, void* recvbuf, size_t nelem,
                                   dart_datatype_t dtype, dart_team_t teamid) DART_NOTHROW;
/// Gathers a number of elements of each unit, on all units; in place as dart_allgather.
/// \param nsendelem    elements of the caller; equal to its entry of nrecvcounts
/// \param nrecvcounts  elements of each unit
/// \param recvdispls   where in recvbuf those of each unit go, in elements
DART_API dart_ret_t dart_allgatherv(const void* sendbuf, size_t nsendelem, dart_datatype_t dtype,
                                    void* recvbuf, const size_t* nrecvcounts,
                                    const size_t* recvdispls, dart_team_t teamid) DART_NOTHROW;
/// Part i of unit j's sendbuf becomes part j of unit i's recvbuf; a part has nelem elements. In
/// place if sendbuf is NULL or equals recvbuf.
DART_API dart_ret_t dart_alltoall(const void* sendbuf, void* recvbuf, size_t nelem,
                                  dart_datatype_t dtype, dart_team_t teamid) DART_NOTHROW;
/// Element-wise reduction, result on root; sendbuf may equal recvbuf.
/// The order of combination is a setting (DART_REDUCE_ORDER).
/// \param recvbuf  of root; others may pass NULL
DART_API dart_ret_t dart_reduce(const void* sendbuf, void* recvbuf, size_t nelem,
                                dart_datatype_t dtype, dart_operation_t op, dart_team_unit_t root,
                                dart_team_t teamid) DART_NOTHROW;
/// Element-wise reduction, result on all units, with the same bits; sendbuf may equal recvbuf.
DART_API dart_ret_t dart_allreduce(const void* sendbuf, void* recvbuf, size_t nelem,
                                   dart_datatype_t dtype, dart_operation_t op,
                                   dart_team_t teamid) DART_NOTHROW;
/// @}

#ifdef __cplusplus
}
#endif
