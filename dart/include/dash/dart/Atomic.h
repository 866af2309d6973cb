#pragma once

/// \file
/// Asynchronous atomic operations on global memory, on which atomic references are built. They
/// correspond to those of the C interface (dart_communication.h). Internal to the library.

#include <cstddef>

#include "dash/async/Operation.h"
#include "dash/core/Export.h"
#include "dash/dart/if/dart_globmem.h"
#include "dash/dart/if/dart_types.h"

namespace dash::dart {

/// Whether only threads that call the library serve units of other nodes, because no other thread polls MPI. Changes in
/// dart_init and dart_exit only.
extern DASH_API bool callers_serve_other_nodes;

/// Serves units of other nodes in one of 16 consecutive calls of a thread with the same element: the program may repeat an
/// operation on it until another unit has changed it. Runs neither continuations nor tasks.
/// \pre callers_serve_other_nodes  \blocks never  \threads thread-safe
DASH_API void serve_other_nodes(const void* element) noexcept;

/// Combines `nelem` elements at `target` with `values`, each atomically.
/// \param op  any predefined operation except DART_OP_MINMAX; bitwise operations on integers only
/// \completion source on return; the returned operation: remote
/// \blocks never, except while too many operations are in flight  \threads thread-safe
/// \throws exception::InvalidArgument if the target is not within a live segment or not aligned to
///         its type, or the operation is not defined on the type
/// \cost on the node the processor's atomic instructions; otherwise one message per 4 KiB and one
///       acknowledgement
DASH_API exec::Operation accumulate_async(dart_gptr_t target, const void* values, std::size_t nelem,
                                          dart_datatype_t type, dart_operation_t op);

/// Combines one element at `target` with `value`, and stores its old value in `old`.
/// \param old  must not be accessed before completion
/// \completion source on return; the returned operation: the old value is in `old`
DASH_API exec::Operation fetch_op_async(dart_gptr_t target, const void* value, void* old,
                                        dart_datatype_t type, dart_operation_t op);

/// Stores `value` if the target equals `compare` bitwise, and stores the old value in `old`.
/// \completion as fetch_op_async
DASH_API exec::Operation compare_and_swap_async(dart_gptr_t target, const void* value,
                                                const void* compare, void* old,
                                                dart_datatype_t type);

}  // namespace dash::dart
