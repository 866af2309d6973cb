#pragma once

#include <type_traits>
#include <utility>

#include "dash/view/internal/Origins.h"

namespace dash {

/// A view expression without its operand: sub(2, 8), local(), index(). `|`, a call or dash::apply
/// apply it to an operand. `|` also composes several of them.
/// \tparam Fn  function object that creates the view
/// \ingroup views
template <class Fn>
class ViewClosure {
 public:
  /// Used by the library: default-constructs the function object.
  constexpr ViewClosure() = default;
  /// Used by the library: wraps a function object that creates the view.
  constexpr explicit ViewClosure(const Fn& fn) : _fn(fn) {}

  /// Applies the expression to x.
  template <class X>
  constexpr decltype(auto) operator()(X&& x) const {
    return _fn(std::forward<X>(x));
  }
  /// As operator(); see dash::apply.
  template <class X>
  constexpr decltype(auto) apply(X&& x) const {
    return _fn(std::forward<X>(x));
  }

 private:
  [[no_unique_address]] Fn _fn;
};

namespace internal {

template <class First, class Second>
struct Composed {
  First first;
  Second second;

  template <class X>
  constexpr decltype(auto) operator()(X&& x) const {
    return second(first(std::forward<X>(x)));
  }
};

template <class X>
inline constexpr bool is_view_closure = false;
template <class Fn>
inline constexpr bool is_view_closure<ViewClosure<Fn>> = true;

}  // namespace internal

/// Applies a view expression to x, for example x | sub(2, 8).
/// \ingroup views
template <class X, class Fn>
requires(!internal::is_view_closure<std::remove_cvref_t<X>>) constexpr decltype(auto) operator|(
    X&& x, const ViewClosure<Fn>& closure) {
  return closure(std::forward<X>(x));
}

/// Composes two view expressions: the result applies `first`, then `second`.
/// \ingroup views
template <class First, class Second>
constexpr auto operator|(const ViewClosure<First>& first, const ViewClosure<Second>& second) {
  using Both = internal::Composed<ViewClosure<First>, ViewClosure<Second>>;
  return ViewClosure<Both>(Both{first, second});
}

}  // namespace dash
