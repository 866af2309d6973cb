#pragma once

#include <cstddef>

#include "dash/async/Operation.h"
#include "dash/dart/if/dart_globmem.h"
#include "dash/dart/if/dart_types.h"
#include "transfer/OneSided.h"

namespace dash::dart {

/// Atomic operations on global memory: by the caller's processor if the memory is mapped; otherwise
/// an active message asks its owner, whose processor applies them. Operands are read before the
/// call returns.
/// \completion the returned operation: remote, and the old value is in `old`
/// \threads thread-safe
/// \throws exception::InvalidArgument if the access is not valid or not aligned, or the operation is
///         not defined on the type
class AtomicOperations {
 public:
  explicit AtomicOperations(OneSided& one_sided) noexcept : _one_sided(one_sided) {}

  exec::Operation start_accumulate(const dart_gptr_t& gptr, const void* values, std::size_t nelem,
                                   dart_datatype_t type, dart_operation_t op);
  exec::Operation start_fetch_and_op(const dart_gptr_t& gptr, const void* value, void* old,
                                     dart_datatype_t type, dart_operation_t op);
  exec::Operation start_compare_and_swap(const dart_gptr_t& gptr, const void* value,
                                         const void* compare, void* old, dart_datatype_t type);

 private:
  RemoteAddress checked_address(const dart_gptr_t& gptr, std::size_t nbytes,
                                std::size_t size) const;

  OneSided& _one_sided;
};

}  // namespace dash::dart
