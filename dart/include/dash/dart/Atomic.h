#pragma once

/// \file
/// Atomic operations on global memory as operations of the engine: what atomic references of the
/// layer above stand on. They are those of the C interface (dart_communication.h).

#include <cstddef>

#include "dash/async/Operation.h"
#include "dash/core/Export.h"
#include "dash/dart/if/dart_globmem.h"
#include "dash/dart/if/dart_types.h"

namespace dash::dart {

/// Combines `nelem` elements at `target` with `values`, each atomically.
/// \param   op any predefined operation but DART_OP_MINMAX; bitwise ones on integers
/// \completion source on return; the returned operation: remote
/// \blocks never, except while too many operations are in flight  \threads any
/// \throws exception::InvalidArgument if the target is not within a live segment or not aligned to
///         its type, or the operation is not defined on the type
/// \cost on a node the processor's atomics; else one message for 4 KiB, one answer in all
DASH_API exec::Operation accumulate_async(dart_gptr_t target, const void* values, std::size_t nelem,
                                          dart_datatype_t type, dart_operation_t op);

/// The same for one element, whose old value goes to `old`.
/// \completion source on return; the returned operation: the old value is in `old`, which is the
///             library's until then
DASH_API exec::Operation fetch_op_async(dart_gptr_t target, const void* value, void* old,
                                        dart_datatype_t type, dart_operation_t op);

/// Stores `value` if the target equals `compare`, bit for bit; the old value goes to `old`.
/// \completion as fetch_op_async
DASH_API exec::Operation compare_and_swap_async(dart_gptr_t target, const void* value,
                                                const void* compare, void* old,
                                                dart_datatype_t type);

}  // namespace dash::dart
