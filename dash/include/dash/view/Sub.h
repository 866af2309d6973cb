#pragma once

#include <cstddef>
#include <utility>

#include "dash/Cartesian.h"
#include "dash/Types.h"
#include "dash/view/Closure.h"
#include "dash/view/ViewMod.h"

namespace dash {

namespace internal {

template <dim_t Dim>
struct SubOf {
  long long first;
  long long last;

  template <class X>
  constexpr auto operator()(X&& x) const {
    require_outlives_view<X>();
    const auto basis = basis_of(x);
    using Map = decltype(basis.map);
    static_assert(Dim >= 0 && Dim < Map::ndim, "dash::sub: there is no such dimension");
    return make_view_mod(x, basis.source,
                         basis.map.sub(static_cast<std::size_t>(Dim), first, last));
  }
};

template <dim_t Dim>
struct StridedOf {
  long long step;

  template <class X>
  constexpr auto operator()(X&& x) const {
    require_outlives_view<X>();
    const auto basis = basis_of(x);
    using Map = decltype(basis.map);
    static_assert(Dim >= 0 && Dim < Map::ndim, "dash::strided: there is no such dimension");
    return make_view_mod(x, basis.source, basis.map.strided(static_cast<std::size_t>(Dim), step));
  }
};

}  // namespace internal

/// The elements of x with the indices first ... last - 1, relative to x, in a dimension.
/// \throws exception::OutOfRange unless 0 <= first <= last <= extent of x
/// \ingroup views
template <dim_t Dim = 0, internal::IntegerLike First, internal::IntegerLike Last,
          internal::Viewable X>
constexpr auto sub(First first, Last last, X&& x) {
  return internal::SubOf<Dim>{static_cast<long long>(first),
                              static_cast<long long>(last)}(std::forward<X>(x));
}

/// \overload
/// For x | sub(first, last).
/// \tparam NumViewDim  unused: the dimensions of x are known when the expression is applied
/// \ingroup views
template <dim_t Dim = 0, dim_t NumViewDim = Dim + 1, internal::IntegerLike First,
          internal::IntegerLike Last>
constexpr auto sub(First first, Last last) {
  return ViewClosure(
      internal::SubOf<Dim>{static_cast<long long>(first), static_cast<long long>(last)});
}

/// Every step-th element of x in a dimension, starting with the first.
/// \throws exception::InvalidArgument unless step > 0
/// \ingroup views
template <dim_t Dim = 0, internal::IntegerLike Step, internal::Viewable X>
constexpr auto strided(Step step, X&& x) {
  return internal::StridedOf<Dim>{static_cast<long long>(step)}(std::forward<X>(x));
}

/// \overload
/// For x | strided(step).
/// \ingroup views
template <dim_t Dim = 0, internal::IntegerLike Step>
constexpr auto strided(Step step) {
  return ViewClosure(internal::StridedOf<Dim>{static_cast<long long>(step)});
}

/// Type of dash::sub<Dim>(first, last, x) for an x of type X.
/// \ingroup views
template <class X, dim_t Dim = 0>
using ViewSubMod = decltype(internal::SubOf<Dim>{}(std::declval<X&>()));
/// Type of dash::strided<Dim>(step, x) for an x of type X.
/// \ingroup views
template <class X, dim_t Dim = 0>
using ViewStridedMod = decltype(internal::StridedOf<Dim>{}(std::declval<X&>()));

}  // namespace dash
