#pragma once

#include <type_traits>

namespace dash {

template <class T>
class Atomic;

/// Whether T is an Atomic, const or not.
template <class T>
struct is_atomic : std::false_type {};
template <class T>
struct is_atomic<Atomic<T>> : std::true_type {};
template <class T>
struct is_atomic<const Atomic<T>> : std::true_type {};

/// The type T of an Atomic<T>, with the same constness; other types are not changed.
template <class T>
struct remove_atomic {
  using type = T;
};
template <class T>
struct remove_atomic<Atomic<T>> {
  using type = T;
};
template <class T>
struct remove_atomic<const Atomic<T>> {
  using type = const T;
};

template <class T>
using remove_atomic_t = typename remove_atomic<T>::type;

}  // namespace dash
