#pragma once

/// \file
/// One-sided and collective communication.
///
/// Target unit, team, segment and offset of a one-sided operation all come from the global
/// pointer. `src_type` describes the source, `dst_type` the destination, whatever the direction;
/// their base types have to agree. An unknown team or segment, a unit out of range, a transfer
/// past the end of the segment, or a NULL buffer for at least one element is DART_ERR_INVAL and moves
/// nothing.
///
/// Unsynchronized conflicting accesses have undefined results, and non-blocking operations are not
/// ordered with respect to each other.

#include "dash/dart/if/dart_globmem.h"
#include "dash/dart/if/dart_types.h"

#ifdef __cplusplus
extern "C" {
#endif

/// \addtogroup c_runtime
/// @{

/// \name Blocking transfers
/// \completion operation: the data is in `dest`; remote: it is visible at the target
/// \blocks until complete  \threads thread-safe
/// \cost within a node a copy and no MPI call; else one MPI operation and, for a put, a one-byte get
/// @{

/// Copies elements of one unit to local memory.
DART_API dart_ret_t dart_get_blocking(void* dest, dart_gptr_t gptr, size_t nelem,
                                      dart_datatype_t src_type,
                                      dart_datatype_t dst_type) DART_NOTHROW;
/// Copies local memory to elements of one unit.
DART_API dart_ret_t dart_put_blocking(dart_gptr_t gptr, const void* src, size_t nelem,
                                      dart_datatype_t src_type,
                                      dart_datatype_t dst_type) DART_NOTHROW;
/// @}

/// \name Non-blocking transfers, completed by a flush
/// \completion operation and remote: dart_flush and its variants; the buffer must not be accessed until then
/// \blocks never, except while too many operations are in flight  \threads thread-safe
/// @{

/// Starts to copy elements of one unit to local memory.
DART_API dart_ret_t dart_get(void* dest, dart_gptr_t gptr, size_t nelem, dart_datatype_t src_type,
                             dart_datatype_t dst_type) DART_NOTHROW;
/// Starts to copy local memory to elements of one unit.
DART_API dart_ret_t dart_put(dart_gptr_t gptr, const void* src, size_t nelem,
                             dart_datatype_t src_type, dart_datatype_t dst_type) DART_NOTHROW;
/// @}

/// \name Flush
/// Completes the caller's operations on the segment of gptr: those on gptr's unit, or (_all) on all units.
/// \completion operation and remote (dart_flush, dart_flush_all), or local (the local forms)
/// \collective no  \blocks until complete  \threads thread-safe
/// @{

/// Completes the operations on the unit of gptr.
DART_API dart_ret_t dart_flush(dart_gptr_t gptr) DART_NOTHROW;
/// Completes the operations on all units.
DART_API dart_ret_t dart_flush_all(dart_gptr_t gptr) DART_NOTHROW;
/// Waits for local completion of the operations on the unit of gptr.
DART_API dart_ret_t dart_flush_local(dart_gptr_t gptr) DART_NOTHROW;
/// Waits for local completion of the operations on all units.
DART_API dart_ret_t dart_flush_local_all(dart_gptr_t gptr) DART_NOTHROW;
/// @}

/// \name Non-blocking transfers with a handle
/// \param handle  receives the operation in flight; DART_HANDLE_NULL if it is complete already
/// \completion operation and remote: dart_wait or dart_test and their variants, or a flush; the buffer must
///             not be accessed until then
/// \blocks never, except while too many operations are in flight  \threads thread-safe
/// @{

/// Starts to copy elements of one unit to local memory.
/// \param handle  receives the operation in flight, or DART_HANDLE_NULL
DART_API dart_ret_t dart_get_handle(void* dest, dart_gptr_t gptr, size_t nelem,
                                    dart_datatype_t src_type, dart_datatype_t dst_type,
                                    dart_handle_t* handle) DART_NOTHROW;
/// Starts to copy local memory to elements of one unit.
/// \param handle  receives the operation in flight, or DART_HANDLE_NULL
DART_API dart_ret_t dart_put_handle(dart_gptr_t gptr, const void* src, size_t nelem,
                                    dart_datatype_t src_type, dart_datatype_t dst_type,
                                    dart_handle_t* handle) DART_NOTHROW;
/// @}

/// \name Waiting for handles
/// Handles of completed operations are freed and set to DART_HANDLE_NULL; null handles are complete.
/// \completion operation and remote; local for the local forms
/// \blocks until complete  \threads thread-safe; externally synchronized per handle
/// @{

/// Waits for remote completion of an operation.
DART_API dart_ret_t dart_wait(dart_handle_t* handle) DART_NOTHROW;
/// Waits for local completion of an operation. The handle is freed; a flush completes the operation.
DART_API dart_ret_t dart_wait_local(dart_handle_t* handle) DART_NOTHROW;
/// Waits for remote completion of n operations.
DART_API dart_ret_t dart_waitall(dart_handle_t handles[], size_t n) DART_NOTHROW;
/// Waits for local completion of n operations. The handles are freed; a flush completes the
/// operations.
DART_API dart_ret_t dart_waitall_local(dart_handle_t handles[], size_t n) DART_NOTHROW;
/// @}

/// \name Testing handles
/// Handles of completed operations are freed and set to DART_HANDLE_NULL; null handles are complete.
/// \param flag  receives 1 if complete (for testall: all of them), else 0 with handles unchanged
/// \blocks never; makes progress  \threads thread-safe; externally synchronized per handle
/// @{

/// Tests for remote completion of an operation.
DART_API dart_ret_t dart_test(dart_handle_t* handle, int32_t* flag) DART_NOTHROW;
/// Tests for local completion of an operation, and frees its handle in this case.
DART_API dart_ret_t dart_test_local(dart_handle_t* handle, int32_t* flag) DART_NOTHROW;
/// Tests for remote completion of all of n operations.
DART_API dart_ret_t dart_testall(dart_handle_t handles[], size_t n, int32_t* flag) DART_NOTHROW;
/// Tests for local completion of all of n operations, and frees their handles in this case.
DART_API dart_ret_t dart_testall_local(dart_handle_t handles[], size_t n,
                                       int32_t* flag) DART_NOTHROW;
/// @}

/// Releases a handle without completing or cancelling its operation, which a flush still completes.
DART_API dart_ret_t dart_handle_free(dart_handle_t* handle) DART_NOTHROW;

/// \name Messages between two units
/// Matched by the other unit and the tag, in the order in which they were sent; a message may be
/// shorter than its receiver's buffer, but not longer. Units are global ids, tags 0 to the largest of
/// MPI but one (at least 32766); basic and custom types.
///
/// A send may wait for its receive. Within a node, messages of up to 64 KiB are buffered and do not wait, as
/// long as the unit's buffered messages take at most 1 MiB; so a unit may send to itself before it receives.
/// dart_sendrecv waits for both of its messages concurrently, so that pairwise exchanges, rings and messages
/// to the caller itself of any length do not deadlock.
/// \returns DART_ERR_INVAL for a unit or tag out of range, more than INT_MAX elements, a NULL buffer
///          for at least one element: nothing is sent then. Also if the received message is longer
///          than the buffer: the message is lost, and the buffer is unchanged
/// \completion local: the buffer may be reused (send), or contains the data (recv)
/// \collective no  \blocks until complete; sleeps, does not spin  \threads thread-safe
/// \cost within a node two copies through shared memory and no MPI call
/// @{

/// Sends a message to a unit.
DART_API dart_ret_t dart_send(const void* sendbuf, size_t nelem, dart_datatype_t dtype, int tag,
                              dart_global_unit_t dest) DART_NOTHROW;
/// Receives a message of a unit.
DART_API dart_ret_t dart_recv(void* recvbuf, size_t nelem, dart_datatype_t dtype, int tag,
                              dart_global_unit_t src) DART_NOTHROW;
/// Sends a message to a unit, and receives one of the same or another unit, concurrently.
DART_API dart_ret_t dart_sendrecv(const void* sendbuf, size_t send_nelem,
                                  dart_datatype_t send_dtype, int send_tag, dart_global_unit_t dest,
                                  void* recvbuf, size_t recv_nelem, dart_datatype_t recv_dtype,
                                  int recv_tag, dart_global_unit_t src) DART_NOTHROW;
/// @}

/// \name User-defined operations
/// @{

/// inout[i] = in[i] op inout[i] for `len` elements.
typedef void (*dart_operator_t)(const void* invec, void* inoutvec, size_t len, void* user_data);

/// Creates an operation for dart_reduce and dart_allreduce on elements of one type.
/// \param op            associative function
/// \param userdata      passed to each call of op
/// \param commute       false: op is not commutative and is applied in unit order
/// \param dtype         basic or custom type with which the collectives are called
/// \param dtype_is_tmp  true: transfers ownership of dtype, which is destroyed with the operation
/// \collective no, but all units of a collective must pass equivalent operations  \threads thread-safe
DART_API dart_ret_t dart_op_create(dart_operator_t op, void* userdata, bool commute,
                                   dart_datatype_t dtype, bool dtype_is_tmp,
                                   dart_operation_t* new_op) DART_NOTHROW;

/// Frees an operation of dart_op_create and sets it to DART_OP_UNDEFINED.
/// \returns DART_ERR_INVAL for a predefined operation, or an invalid one
DART_API dart_ret_t dart_op_destroy(dart_operation_t* op) DART_NOTHROW;
/// @}

/// \name Atomic operations
/// Each element is accessed atomically with respect to all other atomic operations on the same type, by any
/// unit. For basic types. `op` is any predefined operation but DART_OP_MINMAX: DART_OP_NO_OP
/// reads, DART_OP_REPLACE swaps, bitwise ones are for integers. A target that is not aligned to its
/// size is DART_ERR_INVAL.
/// \completion source on return: `values` may be reused; remote after dart_flush and its variants: the effect
///             is visible, and `result` contains the old value
/// \blocks never, except while too many operations are in flight  \threads thread-safe
/// \cost within a node one atomic instruction or a loop around one; else an active message, which the
///       target's engine executes in the same way, and its reply
/// @{

/// Combines nelem elements of the target with those of values, without returning the old values.
DART_API dart_ret_t dart_accumulate(dart_gptr_t gptr, const void* values, size_t nelem,
                                    dart_datatype_t dtype, dart_operation_t op) DART_NOTHROW;
/// The same as dart_accumulate, which also permits to reuse `values` on return.
DART_API dart_ret_t dart_accumulate_blocking_local(dart_gptr_t gptr, const void* values,
                                                   size_t nelem, dart_datatype_t dtype,
                                                   dart_operation_t op) DART_NOTHROW;
/// Combines one element of the target with a value; `result` receives its old value.
DART_API dart_ret_t dart_fetch_and_op(dart_gptr_t gptr, const void* value, void* result,
                                      dart_datatype_t dtype, dart_operation_t op) DART_NOTHROW;
/// Stores `value` if the target equals `compare`; `result` receives the old value. The comparison is bitwise:
/// a NaN equals itself, -0.0 does not equal 0.0; padding of long double is ignored.
DART_API dart_ret_t dart_compare_and_swap(dart_gptr_t gptr, const void* value, const void* compare,
                                          void* result, dart_datatype_t dtype) DART_NOTHROW;
/// @}

/// \name Collectives
/// All units of the team pass the same nelem, type, operation and root; basic and custom types. Invalid
/// arguments are DART_ERR_INVAL and cause no communication; they must be invalid on all units.
/// \collective over teamid  \blocks until the result is available; sleeps, does not spin
/// \threads one collective at a time per team and unit; a concurrent one is DART_ERR_INVAL
/// @{

/// Returns when all units of the team have called it. Does not complete transfers. Zeroes and releases the memory of
/// segments that the units have freed by dart_team_memfree.
DART_API dart_ret_t dart_barrier(dart_team_t teamid) DART_NOTHROW;
/// Copies root's buffer to all units.
DART_API dart_ret_t dart_bcast(void* buf, size_t nelem, dart_datatype_t dtype,
                               dart_team_unit_t root, dart_team_t teamid) DART_NOTHROW;
/// Distributes root's sendbuf, which contains nelem elements for each unit, in unit order.
/// \param sendbuf  used on root only; other units may pass NULL
/// \param recvbuf  nelem elements
DART_API dart_ret_t dart_scatter(const void* sendbuf, void* recvbuf, size_t nelem,
                                 dart_datatype_t dtype, dart_team_unit_t root,
                                 dart_team_t teamid) DART_NOTHROW;
/// Gathers nelem elements of each unit, in unit order, into root's recvbuf.
/// \param recvbuf  used on root only; other units may pass NULL
DART_API dart_ret_t dart_gather(const void* sendbuf, void* recvbuf, size_t nelem,
                                dart_datatype_t dtype, dart_team_unit_t root,
                                dart_team_t teamid) DART_NOTHROW;
/// Gathers nelem elements of each unit, in unit order, on all units; in place if sendbuf is NULL
/// or equals recvbuf (the caller's part is then at its position in recvbuf).
DART_API dart_ret_t dart_allgather(const void* sendbuf, void* recvbuf, size_t nelem,
                                   dart_datatype_t dtype, dart_team_t teamid) DART_NOTHROW;
/// Gathers a number of elements of each unit, on all units; in place like dart_allgather.
/// \param nsendelem    number of elements of the caller; equal to its entry of nrecvcounts
/// \param nrecvcounts  number of elements of each unit
/// \param recvdispls   position of the elements of each unit in recvbuf, in elements
DART_API dart_ret_t dart_allgatherv(const void* sendbuf, size_t nsendelem, dart_datatype_t dtype,
                                    void* recvbuf, const size_t* nrecvcounts,
                                    const size_t* recvdispls, dart_team_t teamid) DART_NOTHROW;
/// Part i of unit j's sendbuf becomes part j of unit i's recvbuf; a part has nelem elements. In
/// place if sendbuf is NULL or equals recvbuf.
DART_API dart_ret_t dart_alltoall(const void* sendbuf, void* recvbuf, size_t nelem,
                                  dart_datatype_t dtype, dart_team_t teamid) DART_NOTHROW;
/// Element-wise reduction, result on root; sendbuf may equal recvbuf.
/// DART_REDUCE_ORDER selects the order of combination.
/// \param recvbuf  used on root only; other units may pass NULL
DART_API dart_ret_t dart_reduce(const void* sendbuf, void* recvbuf, size_t nelem,
                                dart_datatype_t dtype, dart_operation_t op, dart_team_unit_t root,
                                dart_team_t teamid) DART_NOTHROW;
/// Element-wise reduction, result bitwise equal on all units; sendbuf may equal recvbuf.
DART_API dart_ret_t dart_allreduce(const void* sendbuf, void* recvbuf, size_t nelem,
                                   dart_datatype_t dtype, dart_operation_t op,
                                   dart_team_t teamid) DART_NOTHROW;
/// @}

/// @}

#ifdef __cplusplus
}
#endif
