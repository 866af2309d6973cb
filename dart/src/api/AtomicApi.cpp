#include "api/Boundary.h"
#include "base/Atomics.h"
#include "base/Types.h"
#include "dash/dart/Access.h"
#include "dash/dart/Atomic.h"
#include "dash/dart/if/dart_communication.h"

namespace dart = dash::dart;

namespace {

/// For the fast path; the slow path reports the buffer that is null.
template <class... Buffers>
bool are_not_null(Buffers... buffers) noexcept {
  return ((buffers != nullptr) && ...);
}

/// Address of an aligned element on the caller's node; null if it is on another node, or not
/// aligned.
/// \pre the type is basic
void* element_on_node(const dart_gptr_t& gptr, dart_datatype_t type) noexcept {
  const std::size_t size = dart::basic_type_sizes[type];
  void* const target = dart::uncounted_address(gptr, size);
  return (reinterpret_cast<std::uintptr_t>(target) & (size - 1)) == 0 ? target : nullptr;
}

[[gnu::noinline]] dart_ret_t fetch_and_op_slow(const dart_gptr_t& gptr, const void* value,
                                               void* result, dart_datatype_t type,
                                               dart_operation_t op) {
  return dart::with_runtime("dart_fetch_and_op", [&](dart::Runtime& runtime) {
    runtime.atomics().start_fetch_and_op(gptr, value, result, type, op);
  });
}

[[gnu::noinline]] dart_ret_t compare_and_swap_slow(const dart_gptr_t& gptr, const void* value,
                                                   const void* compare, void* result,
                                                   dart_datatype_t type) {
  return dart::with_runtime("dart_compare_and_swap", [&](dart::Runtime& runtime) {
    runtime.atomics().start_compare_and_swap(gptr, value, compare, result, type);
  });
}

}  // namespace

extern "C" {

dart_ret_t dart_accumulate(dart_gptr_t gptr, const void* values, size_t nelem,
                           dart_datatype_t dtype, dart_operation_t op) noexcept {
  return dart::with_runtime("dart_accumulate", [&](dart::Runtime& runtime) {
    runtime.atomics().start_accumulate(gptr, values, nelem, dtype, op);
  });
}

dart_ret_t dart_accumulate_blocking_local(dart_gptr_t gptr, const void* values, size_t nelem,
                                          dart_datatype_t dtype, dart_operation_t op) noexcept {
  return dart::with_runtime("dart_accumulate_blocking_local", [&](dart::Runtime& runtime) {
    runtime.atomics().start_accumulate(gptr, values, nelem, dtype, op);
  });
}

dart_ret_t dart_fetch_and_op(dart_gptr_t gptr, const void* value, void* result,
                             dart_datatype_t dtype, dart_operation_t op) noexcept {
  if (const dart::FetchAndOp apply = dart::find_fetch_and_op(op, dtype)) [[likely]] {
    void* const target = element_on_node(gptr, dtype);
    if (are_not_null(target, value, result)) [[likely]] {
      apply(target, value, result);
      return DART_OK;
    }
  }
  return fetch_and_op_slow(gptr, value, result, dtype, op);
}

dart_ret_t dart_compare_and_swap(dart_gptr_t gptr, const void* value, const void* compare,
                                 void* result, dart_datatype_t dtype) noexcept {
  if (const dart::CompareAndSwap apply = dart::find_compare_and_swap(dtype)) [[likely]] {
    void* const target = element_on_node(gptr, dtype);
    if (are_not_null(target, value, compare, result)) [[likely]] {
      apply(target, value, compare, result);
      return DART_OK;
    }
  }
  return compare_and_swap_slow(gptr, value, compare, result, dtype);
}

}  // extern "C"

namespace dash::dart {

namespace {
AtomicOperations& atomics() {
  return Runtime::get().atomics();
}
}  // namespace

exec::Operation accumulate_async(dart_gptr_t target, const void* values, std::size_t nelem,
                                 dart_datatype_t type, dart_operation_t op) {
  return atomics().start_accumulate(target, values, nelem, type, op);
}

exec::Operation fetch_op_async(dart_gptr_t target, const void* value, void* old,
                               dart_datatype_t type, dart_operation_t op) {
  return atomics().start_fetch_and_op(target, value, old, type, op);
}

exec::Operation compare_and_swap_async(dart_gptr_t target, const void* value, const void* compare,
                                       void* old, dart_datatype_t type) {
  return atomics().start_compare_and_swap(target, value, compare, old, type);
}

}  // namespace dash::dart
