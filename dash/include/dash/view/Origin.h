#pragma once

#include <type_traits>
#include <utility>

#include "dash/view/Closure.h"
#include "dash/view/Global.h"
#include "dash/view/IndexSet.h"
#include "dash/view/ViewMod.h"

namespace dash {

namespace internal {

struct DomainFn {
  template <class X>
  constexpr decltype(auto) operator()(X&& x) const {
    if constexpr (requires { x.domain(); }) {
      return x.domain();
    } else {
      return pass(x);
    }
  }
};

struct OriginOf {
  template <class X>
  constexpr decltype(auto) operator()(X&& x) const {
    using Plain = std::remove_cvref_t<X>;
    if constexpr (MappedView<Plain> && !is_index_set<Plain> && requires { x.domain(); }) {
      return (*this)(x.domain());
    } else {
      return pass(x);
    }
  }
};

struct ResolvedOf {
  template <class View>
  constexpr auto operator()(const View& view) const {
    auto&& origin = OriginOf()(view);
    return make_view_mod(origin, view.source(), view.map());
  }
};

}  // namespace internal

/// The operand of a view expression; a container is returned unchanged.
/// \ingroup views
template <class X>
constexpr decltype(auto) domain(X&& x) {
  return internal::DomainFn()(std::forward<X>(x));
}
/// \overload
/// For x | domain().
/// \ingroup views
constexpr auto domain() {
  return ViewClosure<internal::DomainFn>();
}

/// The innermost operand of a view expression, such as a container.
/// \ingroup views
template <class X>
constexpr decltype(auto) origin(X&& x) {
  return internal::OriginOf()(std::forward<X>(x));
}
/// \overload
/// For x | origin().
/// \ingroup views
constexpr auto origin() {
  return ViewClosure<internal::OriginOf>();
}

/// Like origin(), but requires that the origin has elements of all units.
/// \ingroup views
template <class X>
constexpr decltype(auto) global_origin(X&& x) {
  using Origin = std::remove_cvref_t<decltype(internal::OriginOf()(x))>;
  static_assert(!internal::is_local_range<Origin>(),
                "dash::global_origin: the origin is the local part of a container, which "
                "does not refer to the container");
  return internal::OriginOf()(std::forward<X>(x));
}

}  // namespace dash
