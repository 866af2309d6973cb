#pragma once

#include <concepts>
#include <cstddef>
#include <type_traits>
#include <utility>

#include "dash/Types.h"
#include "dash/internal/Unit.h"
#include "dash/iterator/IteratorTraits.h"
#include "dash/view/Closure.h"
#include "dash/view/ViewMod.h"
#include "dash/view/internal/LocalPart.h"

namespace dash {

namespace internal {

template <class X>
concept IndexSetLike = requires(const X& x) {
  x.index_set_base();
};

struct BlocksOf;

/// Whether x consists of all blocks of its operand, as created by dash::blocks.
template <class X>
concept AllBlocks = X::source_type::template are_blocks_of<typename X::domain_type>;

struct LocalOf {
  // BlocksOf is a template parameter because it is defined later; see dash::blocks.
  template <class X, class Blocks = BlocksOf>
  decltype(auto) operator()(X&& x) const {
    using Plain = std::remove_cvref_t<X>;
    if constexpr (std::is_pointer_v<Plain>) {
      return Plain(x);
    } else if constexpr (ContainerIterator<Plain>) {
      return x.local();
    } else if constexpr (IndexSetLike<Plain>) {
      return x.local();
    } else if constexpr (GlobalContainer<Plain>) {
      require_outlives_view<X>();
      return (x.local);
    } else {
      const auto basis = basis_of(x);
      using Source = decltype(basis.source);
      if constexpr (Source::is_local) {
        return pass(x);
      } else if constexpr (AllBlocks<Plain>) {
        return Blocks()((*this)(x.domain()));
      } else {
        return local_view(x, basis.source, basis.map);
      }
    }
  }

 private:
  template <class X, class Source, class Map>
  static auto local_view(X& x, const Source& source, const Map& map) {
    static_assert(
        requires { globmem_of(source); },
        "dash::local: a selection of blocks and the elements of a unit have no local part; take "
        "the "
        "local "
        "part first, as in sub(0, 2, blocks(local(x)))");
    using It = decltype(glob_iter_of(source));
    using T = std::remove_pointer_t<typename It::local_type>;
    using Local = LocalSource<T, typename It::pattern_type, local_source_ndim<Source>>;
    const auto& pattern = source.pattern();
    auto* globmem = globmem_of(source);
    T* const base = globmem == nullptr ? nullptr : static_cast<T*>(globmem->local_begin());
    return make_view_mod(x, Local(base, &pattern), local_map(source, pattern.team().myid(), map));
  }
};

struct RemoteOf {
  team_unit_t unit;

  template <class X>
  auto operator()(X&& x) const {
    require_outlives_view<X>();
    const auto basis = basis_of(x);
    using Source = decltype(basis.source);
    static_assert(
        requires { globmem_of(basis.source); },
        "dash::remote: expected a global view; a local view has no elements of other units");
    using It = decltype(glob_iter_of(basis.source));
    using Remote = RemoteSource<It, local_source_ndim<Source>>;
    const auto& pattern = basis.source.pattern();
    return make_view_mod(x, Remote(globmem_of(basis.source), pattern, unit),
                         local_map(basis.source, unit, basis.map));
  }
};

}  // namespace internal

/// The caller's elements of x, as native memory: the local part of a container, a view of the local
/// part of a global view, a native pointer for an iterator (null if the element is not local to the
/// caller), the blocks of local(x) for blocks(x). A local argument is returned unchanged.
///
/// The local part of a box is a box of local coordinates in row-major order; in one dimension it is
/// a contiguous range whose iterators are pointers. There are two exceptions, which are
/// one-dimensional lists of elements in memory order: boxes of patterns that distribute blocks
/// along diagonals, and ranges of iterators in more than one dimension.
/// \threads thread-safe  \cost no communication; logarithmic; for a strided view, linear in its
///         local part
/// \ingroup views
template <class X>
decltype(auto) local(X&& x) {
  return internal::LocalOf()(std::forward<X>(x));
}
/// \overload
/// For x | local().
/// \ingroup views
inline auto local() {
  return ViewClosure<internal::LocalOf>();
}

/// The elements of x at a unit, as global memory: those of local(x) at that unit.
/// \threads thread-safe  \cost no communication
/// \ingroup views
template <internal::Viewable X>
auto remote(team_unit_t unit, X&& x) {
  return internal::RemoteOf{unit}(std::forward<X>(x));
}
/// \overload
/// For x | remote(unit).
/// \ingroup views
inline auto remote(team_unit_t unit) {
  return ViewClosure(internal::RemoteOf{unit});
}

/// Type of dash::local(x) for an x of type X.
/// \ingroup views
template <class X>
using ViewLocalMod = std::remove_cvref_t<decltype(internal::LocalOf()(std::declval<X&>()))>;

}  // namespace dash
