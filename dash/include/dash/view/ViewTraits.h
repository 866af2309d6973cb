#pragma once

#include <type_traits>
#include <utility>

#include "dash/Types.h"
#include "dash/view/Global.h"
#include "dash/view/IndexSet.h"
#include "dash/view/Local.h"
#include "dash/view/Origin.h"
#include "dash/view/internal/Origins.h"

namespace dash {

namespace detail {

/// Whether a type defines domain_type, as views do.
template <class X>
    struct has_type_domain_type : std::bool_constant < requires {
  typename X::domain_type;
} > {};

}  // namespace detail

/// Whether a type is a view: has its own index set.
/// \ingroup views
template <class X>
    struct is_view : std::bool_constant < requires {
  typename std::remove_cvref_t<X>::index_set_type;
} > {};

namespace internal {

template <class X>
constexpr decltype(auto) global_or_self(X& x) {
  if constexpr (MappedView<X> || !is_local_range<X>()) {
    return GlobalOf()(x);
  } else {
    return pass(x);
  }
}

}  // namespace internal

/// Compile-time properties of a view or a container, given by its type or a reference to it.
/// \tparam X  a container, its local part, a view
/// \ingroup views
template <class X>
struct view_traits {
 private:
  using Plain = std::remove_cvref_t<X>;
  using Basis = internal::BasisOf<Plain>;
  using Source = std::remove_const_t<decltype(Basis::source)>;
  using Map = std::remove_const_t<decltype(Basis::map)>;
  using Domain = std::remove_cvref_t<decltype(internal::DomainFn()(std::declval<Plain&>()))>;

  template <class Y>
  struct PatternOf {
    using type = void;
  };
  template <internal::HasPattern Y>
  struct PatternOf<Y> {
    using type = typename Y::pattern_type;
  };
  template <class Y>
  requires(!internal::HasPattern<Y> &&
           requires { typename Y::source_type::pattern_type; }) struct PatternOf<Y> {
    using type = typename Y::source_type::pattern_type;
  };

  template <class S>
  static constexpr dim_t rank_of() {
    if constexpr (requires { S::block_rank; }) {
      return S::block_rank;
    } else {
      return Map::ndim;
    }
  }

 public:
  /// The operand.
  using domain_type = Domain;
  /// The innermost operand, see dash::origin.
  using origin_type = std::remove_cvref_t<decltype(internal::OriginOf()(std::declval<Plain&>()))>;
  /// The type itself.
  using image_type = Plain;
  /// The result of dash::local.
  using local_type = std::remove_cvref_t<decltype(internal::LocalOf()(std::declval<Plain&>()))>;
  /// The result of dash::global.
  using global_type =
      std::remove_cvref_t<decltype(internal::global_or_self(std::declval<Plain&>()))>;

  using index_type = typename Map::index_type;
  using size_type = std::make_unsigned_t<index_type>;
  /// The result of dash::index.
  using index_set_type = IndexSet<internal::DomainOf<Plain&>>;
  /// The pattern that distributes the elements; void if there is none.
  using pattern_type = typename PatternOf<Plain>::type;

  /// Number of dimensions; for a range of blocks, that of the blocks.
  using rank = std::integral_constant<dim_t, rank_of<Source>()>;
  /// Whether the type is a view.
  using is_view = dash::is_view<Plain>;
  /// Whether the type is an origin of view expressions, not a view.
  using is_origin =
      std::bool_constant<!internal::MappedView<Plain> || internal::is_index_set<Plain>>;
  /// Whether the elements are native memory of the caller.
  using is_local = std::bool_constant<Source::is_local>;
  /// Whether it has fewer dimensions than its operand.
  using is_projection =
      std::bool_constant<(Map::ndim < decltype(internal::BasisOf<Domain>::map)::ndim)>;
};

/// Number of dimensions of a view or a container.
/// \ingroup views
template <class X>
requires requires {
  std::remove_cvref_t<X>::rank::value;
}
constexpr dim_t rank(const X&) {
  return X::rank::value;
}

}  // namespace dash
