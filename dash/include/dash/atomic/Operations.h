#pragma once

#include <type_traits>

#include "dash/atomic/AtomicRef.h"

/// Atomic operations as free functions, equivalent to the members of `GlobRef<Atomic<T>>` with the
/// same names.
namespace dash::atomic {

/// The value of the element.
/// \ingroup atomics
template <class T>
T load(const GlobRef<Atomic<T>>& ref) {
  return ref.load();
}
/// Writes the element.
/// \ingroup atomics
template <class T>
void store(const GlobRef<Atomic<T>>& ref, const std::type_identity_t<T>& value) {
  ref.store(value);
}
/// Replaces the element.
/// \returns the old value
/// \ingroup atomics
template <class T>
T exchange(const GlobRef<Atomic<T>>& ref, const std::type_identity_t<T>& value) {
  return ref.exchange(value);
}
/// Stores `desired` if the element equals `expected` bitwise.
/// \returns whether `desired` was stored
/// \ingroup atomics
template <class T>
bool compare_exchange(const GlobRef<Atomic<T>>& ref, const std::type_identity_t<T>& expected,
                      const std::type_identity_t<T>& desired) {
  return ref.compare_exchange(expected, desired);
}
/// Replaces the element by operation(element, value).
/// \ingroup atomics
template <class T, class BinaryOp>
void op(const GlobRef<Atomic<T>>& ref, BinaryOp operation, const std::type_identity_t<T>& value) {
  ref.op(operation, value);
}
/// Replaces the element by operation(element, value).
/// \returns the old value
/// \ingroup atomics
template <class T, class BinaryOp>
T fetch_op(const GlobRef<Atomic<T>>& ref, BinaryOp operation,
           const std::type_identity_t<T>& value) {
  return ref.fetch_op(operation, value);
}
/// Adds to the element.
/// \ingroup atomics
template <class T>
void add(const GlobRef<Atomic<T>>& ref, const std::type_identity_t<T>& value) {
  ref.add(value);
}
/// Subtracts from the element.
/// \ingroup atomics
template <class T>
void sub(const GlobRef<Atomic<T>>& ref, const std::type_identity_t<T>& value) {
  ref.sub(value);
}
/// Multiplies the element.
/// \ingroup atomics
template <class T>
void multiply(const GlobRef<Atomic<T>>& ref, const std::type_identity_t<T>& value) {
  ref.multiply(value);
}
/// Adds to the element.
/// \returns the old value
/// \ingroup atomics
template <class T>
T fetch_add(const GlobRef<Atomic<T>>& ref, const std::type_identity_t<T>& value) {
  return ref.fetch_add(value);
}
/// Subtracts from the element.
/// \returns the old value
/// \ingroup atomics
template <class T>
T fetch_sub(const GlobRef<Atomic<T>>& ref, const std::type_identity_t<T>& value) {
  return ref.fetch_sub(value);
}
/// Multiplies the element.
/// \returns the old value
/// \ingroup atomics
template <class T>
T fetch_multiply(const GlobRef<Atomic<T>>& ref, const std::type_identity_t<T>& value) {
  return ref.fetch_multiply(value);
}

}  // namespace dash::atomic
