#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <numeric>
#include <type_traits>
#include <utility>

#include "dash/core/Export.h"
#include "dash/view/Closure.h"
#include "dash/view/Origin.h"
#include "dash/view/ViewMod.h"

namespace dash {

namespace internal {

[[noreturn]] DASH_API void throw_different_origins();

/// An arithmetic progression of `extent` indices: base, base + stride, and so on.
template <class Index>
struct Progression {
  Index base;
  Index extent;
  Index stride;
};

/// The common indices of two progressions, which form a progression, too.
template <class Index>
constexpr Progression<Index> common(const Progression<Index>& a, const Progression<Index>& b) {
  const Index end =
      std::min(a.base + (a.extent - 1) * a.stride, b.base + (b.extent - 1) * b.stride);
  Index first = a.base;
  if (first < b.base) first += (b.base - first + a.stride - 1) / a.stride * a.stride;
  // Number of steps of a between common indices. The first common index, if any, is within one
  // period.
  const Index period = b.stride / std::gcd(a.stride, b.stride);
  for (Index tried = 0; tried < period && first <= end; ++tried, first += a.stride) {
    if ((first - b.base) % b.stride != 0) continue;
    // With a single common index, the common stride might not be representable.
    if (period > (end - first) / a.stride) return {first, 1, 1};
    const Index stride = period * a.stride;
    return {first, (end - first) / stride + 1, stride};
  }
  return {a.base, 0, 1};
}

template <class A, class B>
constexpr auto common_map(const A& a, const B& b) {
  using Index = typename A::index_type;
  constexpr bool listed = A::spacing == Spacing::listed || B::spacing == Spacing::listed;
  if constexpr (listed) {
    using Listed = IndexMap<A::ndim, A::origin_ndim, Index, Spacing::listed>;
    typename Listed::lists_type lists;
    for (std::size_t k = 0; k < lists.size(); ++k) {
      for (Index i = 0; a.size() > 0 && b.size() > 0 && i < a.progression(k).first; ++i) {
        const Index coordinate = a.coordinate_in(k, i);
        if (b.find(k, coordinate) >= 0) lists[k].append(coordinate, 1);
      }
    }
    return Listed(a, std::move(lists));
  } else {
    constexpr auto S = A::spacing == Spacing::unit ? B::spacing : A::spacing;
    using Map = IndexMap<A::ndim, A::origin_ndim, Index, S>;
    auto base = a.base();
    typename Map::view_coords_type extents{};
    typename Map::view_coords_type strides{};
    bool empty = a.size() == 0 || b.size() == 0;
    for (std::size_t k = 0; k < base.size() && !empty; ++k) {
      const auto [a_extent, a_stride] = a.progression(k);
      const auto [b_extent, b_stride] = b.progression(k);
      const auto both =
          common<Index>({a.base()[k], a_extent, a_stride}, {b.base()[k], b_extent, b_stride});
      base[k] = both.base;
      empty = both.extent == 0;
      for (std::size_t m = 0; m < extents.size(); ++m) {
        if (a.dim(m) != k) continue;
        extents[m] = both.extent;
        strides[m] = both.stride;
      }
    }
    if (empty) extents[0] = 0;
    return Map(a, base, extents, strides);
  }
}

/// The elements of a that are also in b. One of them is converted to the kind of the other view:
/// elements in native memory or global elements.
struct IntersectFn {
  template <class A, class B>
  constexpr auto operator()(A&& a, B&& b) const {
    require_outlives_view<A>();
    const auto of_a = basis_of(a);
    const auto of_b = basis_of(b);
    using SourceA = std::remove_const_t<decltype(of_a.source)>;
    using SourceB = std::remove_const_t<decltype(of_b.source)>;
    if constexpr (SourceA::is_local && !SourceB::is_local) {
      return (*this)(a, LocalOf()(b));
    } else if constexpr (!SourceA::is_local && SourceB::is_local) {
      return (*this)(LocalOf()(a), b);
    } else {
      static_assert(std::is_same_v<SourceA, SourceB>,
                    "dash::intersect: both views must have elements of the same container");
      static_assert(decltype(of_a.map)::ndim == decltype(of_b.map)::ndim,
                    "dash::intersect: both views must have the same number of dimensions");
      if (!(of_a.source == of_b.source)) throw_different_origins();
      auto&& origin = OriginOf()(a);
      return make_view_mod(origin, of_a.source, common_map(of_a.map, of_b.map));
    }
  }
};

template <class B>
struct IntersectOf {
  Holder<B> b;

  template <class A>
  constexpr auto operator()(A&& a) const {
    auto&& with = b.get();
    return IntersectFn()(std::forward<A>(a), with);
  }
};

}  // namespace internal

/// The common elements of two views of one container, as a view of the container; in more than one
/// dimension, the intersection of their boxes. If one of the views is local, so is the result.
/// \throws exception::InvalidArgument if the views are of different containers
/// \ingroup views
template <internal::Viewable A, internal::Viewable B>
constexpr auto intersect(A&& a, B&& b) {
  return internal::IntersectFn()(std::forward<A>(a), std::forward<B>(b));
}
/// \overload
/// For a | intersect(b).
/// \ingroup views
template <internal::Viewable B>
constexpr auto intersect(B&& b) {
  internal::require_outlives_view<B>();
  using Other = internal::DomainOf<B>;
  return ViewClosure(internal::IntersectOf<Other>{internal::Holder<Other>(b)});
}

}  // namespace dash
