#pragma once

#include <type_traits>

#include "dash/atomic/AtomicRef.h"

/// Atomic operations as free functions, equivalent to the members of GlobRef<Atomic<T>> with the same
/// names.
namespace dash::atomic {

template <class T>
T load(const GlobRef<Atomic<T>>& ref) {
  return ref.load();
}
template <class T>
void store(const GlobRef<Atomic<T>>& ref, const std::type_identity_t<T>& value) {
  ref.store(value);
}
/// \returns the old value
template <class T>
T exchange(const GlobRef<Atomic<T>>& ref, const std::type_identity_t<T>& value) {
  return ref.exchange(value);
}
/// \returns whether `desired` was stored
template <class T>
bool compare_exchange(const GlobRef<Atomic<T>>& ref, const std::type_identity_t<T>& expected,
                      const std::type_identity_t<T>& desired) {
  return ref.compare_exchange(expected, desired);
}
template <class T, class BinaryOp>
void op(const GlobRef<Atomic<T>>& ref, BinaryOp operation, const std::type_identity_t<T>& value) {
  ref.op(operation, value);
}
/// \returns the old value
template <class T, class BinaryOp>
T fetch_op(const GlobRef<Atomic<T>>& ref, BinaryOp operation,
           const std::type_identity_t<T>& value) {
  return ref.fetch_op(operation, value);
}
template <class T>
void add(const GlobRef<Atomic<T>>& ref, const std::type_identity_t<T>& value) {
  ref.add(value);
}
template <class T>
void sub(const GlobRef<Atomic<T>>& ref, const std::type_identity_t<T>& value) {
  ref.sub(value);
}
template <class T>
void multiply(const GlobRef<Atomic<T>>& ref, const std::type_identity_t<T>& value) {
  ref.multiply(value);
}
/// \returns the old value
template <class T>
T fetch_add(const GlobRef<Atomic<T>>& ref, const std::type_identity_t<T>& value) {
  return ref.fetch_add(value);
}
template <class T>
T fetch_sub(const GlobRef<Atomic<T>>& ref, const std::type_identity_t<T>& value) {
  return ref.fetch_sub(value);
}
template <class T>
T fetch_multiply(const GlobRef<Atomic<T>>& ref, const std::type_identity_t<T>& value) {
  return ref.fetch_multiply(value);
}

}  // namespace dash::atomic
