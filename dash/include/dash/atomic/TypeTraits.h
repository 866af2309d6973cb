#pragma once

#include <type_traits>

namespace dash {

template <class T>
class Atomic;

/// Whether T is an Atomic, const or not.
/// \ingroup atomics
template <class T>
struct is_atomic : std::false_type {};
template <class T>
struct is_atomic<Atomic<T>> : std::true_type {};
template <class T>
struct is_atomic<const Atomic<T>> : std::true_type {};

/// The type T of an `Atomic<T>`, with the same constness; other types are not changed.
/// \ingroup atomics
template <class T>
struct remove_atomic {
  /// The type itself.
  using type = T;
};
/// The specialization for Atomic.
/// \ingroup atomics
template <class T>
struct remove_atomic<Atomic<T>> {
  /// The type of the value.
  using type = T;
};
/// The specialization for a const Atomic.
/// \ingroup atomics
template <class T>
struct remove_atomic<const Atomic<T>> {
  /// The const type of the value.
  using type = const T;
};

/// The result of remove_atomic.
/// \ingroup atomics
template <class T>
using remove_atomic_t = typename remove_atomic<T>::type;

}  // namespace dash
