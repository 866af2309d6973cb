#pragma once

/// \file
/// Type traits.

#include <cstddef>
#include <tuple>
#include <type_traits>
#include <utility>

#include "dash/meta/TypeInfo.h"

/// Defines `has_type_<name><T>`: whether T has a nested type of that name. The library defines
/// it for iterator, const_iterator, reference, const_reference and value_type.
/// \ingroup utilities
#define DASH__META__DEFINE_TRAIT__HAS_TYPE(DepType)               \
  template <class T>                                              \
      struct has_type_##DepType : std::bool_constant < requires { \
    typename std::remove_cvref_t<T>::DepType;                     \
  } > {                                                           \
  }

namespace dash {

/// Whether all traits are true, see std::conjunction.
/// \ingroup utilities
template <class... Traits>
struct conjunction : std::conjunction<Traits...> {};

/// \cond internal
// clang-format off
DASH__META__DEFINE_TRAIT__HAS_TYPE(iterator);
DASH__META__DEFINE_TRAIT__HAS_TYPE(const_iterator);
DASH__META__DEFINE_TRAIT__HAS_TYPE(reference);
DASH__META__DEFINE_TRAIT__HAS_TYPE(const_reference);
DASH__META__DEFINE_TRAIT__HAS_TYPE(value_type);
// clang-format on
/// \endcond

/// An lvalue reference to T.
/// \ingroup utilities
template <class T>
using reference_t = std::add_lvalue_reference_t<T>;
/// An rvalue reference to T.
/// \ingroup utilities
template <class T>
using rvalue_reference_t = std::add_rvalue_reference_t<T>;

/// Holds a reference to an object constructed from an lvalue, or the object itself if constructed
/// from a temporary.
/// \ingroup utilities
template <class T>
class adv {
 public:
  using value_type = std::remove_reference_t<T>;

  /// Refers to an lvalue, or moves a temporary into the object.
  template <class U>
  requires(!std::is_same_v<std::remove_cvref_t<U>, adv>)  //
      explicit constexpr adv(U&& value)
      : _value(std::forward<U>(value)) {}

  /// The object.
  constexpr value_type& get() noexcept { return _value; }
  /// \overload
  constexpr const value_type& get() const noexcept { return _value; }
  /// The object.
  constexpr operator const value_type&() const noexcept {
    return _value;
  }  // NOLINT: acts as the value

 private:
  T _value;
};

/// Refers to an lvalue, or stores a temporary.
/// \ingroup utilities
template <class T>
constexpr adv<T> make_adv(T&& value) {
  return adv<T>(std::forward<T>(value));
}

namespace functional {

/// \cond internal
// A function object that has a single call operator.
template <class F>
struct closure_traits : closure_traits<decltype(&std::remove_cvref_t<F>::operator())> {};
/// \endcond

namespace internal {
template <class Result, bool IsConst, bool IsVariadic, class... Args>
struct CallTraits {
  using result_type = Result;
  static constexpr std::size_t arity = sizeof...(Args);
  using is_variadic = std::bool_constant<IsVariadic>;
  using is_const = std::bool_constant<IsConst>;
  template <std::size_t I>
  using arg = std::tuple_element_t<I, std::tuple<Args...>>;
};
}  // namespace internal

/// Result and parameter types of a function object that has a single call operator, or of a pointer
/// to a function: result_type, `arg<I>`, and their number, arity.
/// \ingroup utilities
template <class R, class... A>
struct closure_traits<R (*)(A...)> : internal::CallTraits<R, true, false, A...> {};
template <class R, class... A>
struct closure_traits<R (*)(A..., ...)> : internal::CallTraits<R, true, true, A...> {};
template <class C, class R, class... A>
struct closure_traits<R (C::*)(A...)> : internal::CallTraits<R, false, false, A...> {};
template <class C, class R, class... A>
struct closure_traits<R (C::*)(A...) const> : internal::CallTraits<R, true, false, A...> {};
template <class C, class R, class... A>
struct closure_traits<R (C::*)(A..., ...)> : internal::CallTraits<R, false, true, A...> {};
template <class C, class R, class... A>
struct closure_traits<R (C::*)(A..., ...) const> : internal::CallTraits<R, true, true, A...> {};

}  // namespace functional

}  // namespace dash
