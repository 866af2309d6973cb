#pragma once

/// \file
/// Atomic operations that return futures: `dash::atomic::fetch_add_async(array[i], 1)`. Many may be in flight, each is
/// waited for separately, and continuations may use its result.

#include <memory>
#include <type_traits>
#include <utility>

#include "dash/Future.h"
#include "dash/atomic/AtomicRef.h"

namespace dash {

namespace internal {

/// The future of a value that `start(value)` begins to write.
template <class T, class Start>
Future<T> future_of_result(const Start& start) {
  auto result = std::make_unique<T>();
  T* const value = result.get();
  return exec::make_future(start(value), std::move(result)).then([](std::unique_ptr<T> written) {
    return *written;
  });
}

/// As atomic_fetch(). \returns a future of the old value
template <dart_operation_t op, class T>
Future<T> atomic_fetch_async(const ElementLocation& location, const T& value) {
  if constexpr (is_applicable<T, op>) {
    if (T* const element = atomic_address<T>(location)) [[likely]]
      return fetch_on_node<op>(*element, value);
  }
  return future_of_result<T>([&](T* old) {
    return dart::fetch_op_async(location.gptr(), &value, old, atomic_dtype<T>, op);
  });
}

/// As atomic_swap_if(). \returns a future of the old value
template <class T>
Future<T> atomic_swap_if_async(const ElementLocation& location, const T& expected,
                               const T& desired) {
  if constexpr (std::atomic_ref<T>::is_always_lock_free) {
    if (T* const element = atomic_address<T>(location)) [[likely]]
      return swap_on_node_if(*element, expected, desired);
  }
  return future_of_result<T>([&](T* old) {
    return dart::compare_and_swap_async(location.gptr(), &desired, &expected, old, atomic_dtype<T>);
  });
}

/// Retries a function that the runtime does not support until no other access intervenes.
template <class T, class Operation>
Future<T> atomic_retry_async(ElementLocation location, Operation operation, T value, T seen) {
  const T desired = static_cast<T>(operation(seen, value));
  return atomic_swap_if_async(location, seen, desired).then([=](T old) mutable -> Future<T> {
    if (same_bits(old, seen)) return old;
    return atomic_retry_async(location, std::move(operation), value, old);
  });
}

template <class T, class Operation>
Future<T> atomic_fetch_op_async(const ElementLocation& location, Operation operation,
                                const T& value) {
  constexpr dart_operation_t op = atomic_operation<T, Operation>();
  if constexpr (op != DART_OP_UNDEFINED) {
    return atomic_fetch_async<op>(location, value);
  } else {
    return atomic_fetch_async<DART_OP_NO_OP>(location, T{}).then([=](T seen) mutable {
      return atomic_retry_async(location, std::move(operation), value, seen);
    });
  }
}

/// Gives access to the location of an atomic element.
template <class T>
class AtomicLocation : AtomicReader<Atomic<T>> {
 public:
  static const ElementLocation& of(const GlobRef<Atomic<T>>& ref) noexcept {
    return AtomicLocation::location_of(ref);
  }
};

}  // namespace internal

/// Asynchronous forms of the operations in dash/atomic/Operations.h.
namespace atomic {

/// \addtogroup atomics
/// @{

/// Starts to read the element. \returns a future of its value
/// \completion the future; the operations of a thread on an element take effect in their order, except functions that are
///             retried (fetch_op_async())
/// \collective no   \blocks never, except while too many operations are in flight   \threads thread-safe
/// \throws as `GlobRef<Atomic<T>>`
/// \cost on the node the operation itself; otherwise one message, and one for the reply
template <class T>
Future<T> load_async(const GlobRef<Atomic<T>>& ref) {
  return internal::atomic_fetch_async<DART_OP_NO_OP>(internal::AtomicLocation<T>::of(ref), T{});
}

/// Starts to replace the element. \returns a future of its old value
/// \contract{load_async}
template <class T>
Future<T> exchange_async(const GlobRef<Atomic<T>>& ref, const std::type_identity_t<T>& value) {
  return internal::atomic_fetch_async<DART_OP_REPLACE>(internal::AtomicLocation<T>::of(ref), value);
}

/// Starts to store `desired` if the element equals `expected` bitwise. \returns a future of whether it was stored
/// \contract{load_async}
template <class T>
Future<bool> compare_exchange_async(const GlobRef<Atomic<T>>& ref,
                                    const std::type_identity_t<T>& expected,
                                    const std::type_identity_t<T>& desired) {
  return internal::atomic_swap_if_async<T>(internal::AtomicLocation<T>::of(ref), expected, desired)
      .then([expected](T old) { return internal::same_bits(old, expected); });
}

/// Starts to replace the element by operation(element, value). \returns a future of its old value
/// \param operation  predefined, such as dash::min<T>, dash::max<T> and dash::bit_or<T>; or any function of two T, which is
///                   retried by a continuation until no other access intervenes
/// \contract{load_async}
template <class T, class BinaryOp>
Future<T> fetch_op_async(const GlobRef<Atomic<T>>& ref, BinaryOp operation,
                         const std::type_identity_t<T>& value) {
  return internal::atomic_fetch_op_async<T>(internal::AtomicLocation<T>::of(ref),
                                            std::move(operation), value);
}

/// Starts to add to the element; integers wrap around. \returns a future of its old value
/// \contract{load_async}
template <class T>
Future<T> fetch_add_async(const GlobRef<Atomic<T>>& ref, const std::type_identity_t<T>& value) {
  return atomic::fetch_op_async(ref, plus<T>(), value);
}

/// Starts to subtract from the element; integers wrap around. \returns a future of its old value
/// \contract{load_async}
template <class T>
Future<T> fetch_sub_async(const GlobRef<Atomic<T>>& ref, const std::type_identity_t<T>& value) {
  return atomic::fetch_op_async(ref, plus<T>(), internal::negated(value));
}

/// @}

}  // namespace atomic
}  // namespace dash
