#pragma once

#include <cstddef>

#include "dash/async/Operation.h"
#include "dash/dart/if/dart_globmem.h"
#include "dash/dart/if/dart_types.h"

namespace dash::dart {

/// Atomic operations on global memory: by the processor where the memory is mapped, else by the
/// processor of its owner, which a message asks for it. Values are read before the call returns.
/// \completion the returned operation: remote, and the old value is in `old`
/// \throws Error if the access is not valid or not aligned, or the operation not defined on the type
exec::Operation start_accumulate(const dart_gptr_t& gptr, const void* values, std::size_t nelem,
                                 dart_datatype_t type, dart_operation_t op);
exec::Operation start_fetch_and_op(const dart_gptr_t& gptr, const void* value, void* old,
                                   dart_datatype_t type, dart_operation_t op);
exec::Operation start_compare_and_swap(const dart_gptr_t& gptr, const void* value,
                                       const void* compare, void* old, dart_datatype_t type);

}  // namespace dash::dart
