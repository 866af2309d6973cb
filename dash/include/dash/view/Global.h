#pragma once

#include <type_traits>
#include <utility>

#include "dash/iterator/IteratorTraits.h"
#include "dash/view/Closure.h"
#include "dash/view/Local.h"
#include "dash/view/ViewMod.h"

namespace dash {

namespace internal {

/// Whether the elements of a range are native memory.
template <class X>
constexpr bool is_local_range() {
  if constexpr (MappedView<X>) {
    return X::source_type::is_local;
  } else {
    return !GlobalContainer<X> && !GlobalBox<X> && !is_iterator_range<X>;
  }
}

struct GlobalOf {
  template <class X>
  constexpr decltype(auto) operator()(X&& x) const {
    using Plain = std::remove_cvref_t<X>;
    if constexpr (ContainerIterator<Plain>) {
      return std::remove_cvref_t<decltype(x.global())>(x.global());
    } else if constexpr (IndexSetLike<Plain>) {
      return x.global();
    } else if constexpr (!is_local_range<Plain>()) {
      return pass(x);
    } else {
      static_assert(
          MappedView<Plain>,
          "dash::global: the local part of a container does not refer to the container; use "
          "local(x) of a view, or the container itself");
      return (*this)(x.domain());
    }
  }
};

}  // namespace internal

/// The global view from which a local view was created: the innermost global operand. A global
/// argument is returned unchanged; for an index set, the global indices of the same elements.
/// \ingroup views
template <class X>
constexpr decltype(auto) global(X&& x) {
  return internal::GlobalOf()(std::forward<X>(x));
}
/// \overload
/// For x | global().
/// \ingroup views
constexpr auto global() {
  return ViewClosure<internal::GlobalOf>();
}

/// Type of dash::global(x) for an x of type X.
/// \ingroup views
template <class X>
using ViewGlobalMod = std::remove_cvref_t<decltype(internal::GlobalOf()(std::declval<X&>()))>;

}  // namespace dash
