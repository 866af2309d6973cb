#pragma once

#include <atomic>
#include <cfloat>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <type_traits>

#include "dash/Types.h"
#include "dash/algorithm/Operation.h"
#include "dash/dart/Access.h"
#include "dash/dart/Atomic.h"
#include "dash/dart/if/dart_communication.h"
#include "dash/internal/element/ElementAccess.h"

namespace dash::internal {

/// \name Atomic access to an element of global memory
/// On the caller's node, the calling thread executes atomic instructions. For other nodes, and for
/// types without atomic instructions, the runtime performs the operation at the owner of the
/// element with the same instructions. Sequentially consistent. The element must be aligned to its
/// size.
/// @{

template <class T>
inline constexpr dart_datatype_t atomic_dtype = dart_punned_datatype<T>::value;

/// The address of an element on the caller's node; nullptr if the runtime must perform the
/// operation or report an error.
template <class T>
T* atomic_address(const ElementLocation& location) noexcept {
  if constexpr (std::atomic_ref<T>::is_always_lock_free) {
    void* const address = location.address(sizeof(T));
    return reinterpret_cast<std::uintptr_t>(address) % sizeof(T) == 0 ? static_cast<T*>(address)
                                                                      : nullptr;
  } else {
    return nullptr;
  }
}

/// Whether two values have the same bits, ignoring the padding of long double.
template <class T>
bool same_bits(const T& a, const T& b) noexcept {
  constexpr bool padded = std::is_same_v<T, long double> && LDBL_MANT_DIG == 64;
  return std::memcmp(&a, &b, padded ? 10 : sizeof(T)) == 0;
}

/// Whether the DART type of T orders values like T itself.
template <class T>
inline constexpr bool has_runtime_order = std::is_same_v<T, unsigned char> ||
                                          (basic_datatype<T>() != DART_TYPE_UNDEFINED &&
                                           basic_datatype<T>() != DART_TYPE_BYTE &&
                                           !std::is_same_v<T, unsigned short>);

/// The DART operation equivalent to a function object for T; DART_OP_UNDEFINED if there is none.
template <class T, class Operation>
constexpr dart_operation_t atomic_operation() {
  if constexpr (requires { Operation::op_kind(); }) {
    constexpr dart_operation_t op = Operation::dart_operation();
    constexpr bool is_order = op == DART_OP_MIN || op == DART_OP_MAX;
    constexpr bool is_copy = op == DART_OP_REPLACE || op == DART_OP_NO_OP;
    if (std::is_same_v<typename Operation::value_type, T> &&
        Operation::op_kind() != OpKind::CUSTOM &&
        (!is_order || has_runtime_order<T>)&&(is_copy || !std::is_same_v<T, bool>)) {
      return op;
    }
  }
  return DART_OP_UNDEFINED;
}

/// Whether apply_atomic() supports the operation.
template <class T, dart_operation_t op>
inline constexpr bool is_applicable = std::atomic_ref<T>::is_always_lock_free &&
                                      (op == DART_OP_SUM || op == DART_OP_BAND ||
                                       op == DART_OP_BOR || op == DART_OP_BXOR ||
                                       op == DART_OP_REPLACE || op == DART_OP_NO_OP);

template <dart_operation_t op, class T>
T apply_atomic(T& element, T value) noexcept {
  const std::atomic_ref<T> atomic(element);
  if constexpr (op == DART_OP_SUM) {
    return atomic.fetch_add(value);
  } else if constexpr (op == DART_OP_BAND) {
    return atomic.fetch_and(value);
  } else if constexpr (op == DART_OP_BOR) {
    return atomic.fetch_or(value);
  } else if constexpr (op == DART_OP_BXOR) {
    return atomic.fetch_xor(value);
  } else if constexpr (op == DART_OP_REPLACE) {
    return atomic.exchange(value);
  } else {
    static_assert(op == DART_OP_NO_OP);
    return atomic.load();
  }
}

/// As apply_atomic(), for a caller that obtains the old value, and may wait until it changes.
template <dart_operation_t op, class T>
T fetch_on_node(T& element, const T& value) {
  if (dart::callers_serve_other_nodes) dart::serve_other_nodes(&element);
  return apply_atomic<op>(element, value);
}

/// Stores `desired` if the element of the caller's node equals `expected` bitwise. \returns the old value
template <class T>
T swap_on_node_if(T& element, const T& expected, const T& desired) {
  T seen = expected;
  const bool is_swapped = std::atomic_ref<T>(element).compare_exchange_strong(seen, desired);
  if (!is_swapped && dart::callers_serve_other_nodes) dart::serve_other_nodes(&element);
  return seen;
}

/// Applies a DART operation. \returns the old value
template <dart_operation_t op, class T>
T atomic_fetch(const ElementLocation& location, const T& value) {
  if constexpr (is_applicable<T, op>) {
    if (T* const element = atomic_address<T>(location)) [[likely]]
      return fetch_on_node<op>(*element, value);
  }
  T old;
  dart::fetch_op_async(location.gptr(), &value, &old, atomic_dtype<T>, op).wait();
  return old;
}

/// Stores `desired` if the element equals `expected` bitwise. \returns the old value
template <class T>
T atomic_swap_if(const ElementLocation& location, const T& expected, const T& desired) {
  if constexpr (std::atomic_ref<T>::is_always_lock_free) {
    if (T* const element = atomic_address<T>(location)) [[likely]]
      return swap_on_node_if(*element, expected, desired);
  }
  T old;
  dart::compare_and_swap_async(location.gptr(), &desired, &expected, &old, atomic_dtype<T>).wait();
  return old;
}

template <class T>
T atomic_load(const ElementLocation& location) {
  return atomic_fetch<DART_OP_NO_OP>(location, T{});
}

template <class T>
void atomic_store(const ElementLocation& location, const T& value) {
  if constexpr (std::atomic_ref<T>::is_always_lock_free) {
    if (T* const element = atomic_address<T>(location)) [[likely]] {
      std::atomic_ref<T>(*element).store(value);
      return;
    }
  }
  dart::accumulate_async(location.gptr(), &value, 1, atomic_dtype<T>, DART_OP_REPLACE).wait();
}

/// Applies any function of two values. A function that the runtime does not support is retried with
/// compare-and-swap until no other access intervenes. \returns the old value
template <class T, class Operation>
T atomic_fetch_op(const ElementLocation& location, const Operation& operation, const T& value) {
  constexpr dart_operation_t op = atomic_operation<T, Operation>();
  if constexpr (op != DART_OP_UNDEFINED) {
    return atomic_fetch<op>(location, value);
  } else {
    T seen = atomic_load<T>(location);
    for (;;) {
      const T old = atomic_swap_if(location, seen, static_cast<T>(operation(seen, value)));
      if (same_bits(old, seen)) return old;
      seen = old;
    }
  }
}

/// Like atomic_fetch_op without the old value; saves only the transfer of that value.
template <class T, class Operation>
void atomic_apply(const ElementLocation& location, const Operation& operation, const T& value) {
  constexpr dart_operation_t op = atomic_operation<T, Operation>();
  if constexpr (op == DART_OP_UNDEFINED) {
    atomic_fetch_op(location, operation, value);
  } else {
    if constexpr (is_applicable<T, op>) {
      if (T* const element = atomic_address<T>(location)) [[likely]] {
        apply_atomic<op>(*element, value);
        return;
      }
    }
    dart::accumulate_async(location.gptr(), &value, 1, atomic_dtype<T>, op).wait();
  }
}

/// a + b and -a; integers wrap around, like the processor's atomic instructions.
template <class T>
constexpr T wrapping_sum(const T& a, const T& b) noexcept {
  if constexpr (std::is_integral_v<T>) {
    using Wide = std::common_type_t<unsigned, std::make_unsigned_t<T>>;
    return static_cast<T>(static_cast<Wide>(a) + static_cast<Wide>(b));
  } else {
    return a + b;
  }
}
template <class T>
constexpr T negated(const T& value) noexcept {
  if constexpr (std::is_integral_v<T>) {
    using Wide = std::common_type_t<unsigned, std::make_unsigned_t<T>>;
    return static_cast<T>(Wide{0} - static_cast<Wide>(value));
  } else {
    return -value;
  }
}
/// @}

/// \name Asynchronous atomic access
/// \completion a flush of the element's unit or allocation: the effect is visible, and the old
///         value, if requested, is in `old`. Argument values may be reused on return.
/// @{

/// A function that the runtime does not support is applied during the call.
template <class T, class Operation>
void start_atomic(const ElementLocation& location, const Operation& operation, const T& value) {
  constexpr dart_operation_t op = atomic_operation<T, Operation>();
  if constexpr (op == DART_OP_UNDEFINED) {
    atomic_fetch_op(location, operation, value);
  } else {
    if constexpr (is_applicable<T, op>) {
      if (T* const element = atomic_address<T>(location)) [[likely]] {
        apply_atomic<op>(*element, value);
        return;
      }
    }
    check(dart_accumulate(location.gptr(), &value, 1, atomic_dtype<T>, op), "an atomic operation");
  }
}

/// \overload
template <class T, class Operation>
void start_atomic_fetch(const ElementLocation& location, const Operation& operation, const T& value,
                        T* old) {
  constexpr dart_operation_t op = atomic_operation<T, Operation>();
  if constexpr (op == DART_OP_UNDEFINED) {
    *old = atomic_fetch_op(location, operation, value);
  } else {
    if constexpr (is_applicable<T, op>) {
      if (T* const element = atomic_address<T>(location)) [[likely]] {
        *old = apply_atomic<op>(*element, value);
        return;
      }
    }
    check(dart_fetch_and_op(location.gptr(), &value, old, atomic_dtype<T>, op),
          "an atomic operation");
  }
}

template <class T>
void start_atomic_swap_if(const ElementLocation& location, const T& expected, const T& desired,
                          T* old) {
  check(dart_compare_and_swap(location.gptr(), &desired, &expected, old, atomic_dtype<T>),
        "an atomic operation");
}
/// @}

}  // namespace dash::internal
