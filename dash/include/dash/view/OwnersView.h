#pragma once

#include <ranges>
#include <type_traits>
#include <utility>
#include <vector>

#include "dash/Types.h"
#include "dash/internal/Unit.h"
#include "dash/view/IndexSet.h"
#include "dash/view/Local.h"
#include "dash/view/ViewMod.h"

namespace dash {
namespace internal {

/// Base class of views of the elements of some units.
template <class Derived, class ContainerType>
class OwnersViewBase
    : public ViewInterface<
          Derived, GlobalSource<GlobIterOf<decltype(std::declval<ContainerType&>().begin())>>,
          IndexMap<1, 1, typename ContainerType::index_type, Spacing::listed>> {
  static_assert(ContainerType::ndim() == 1,
                "dash: views by owner require a one-dimensional container");

 public:
  using domain_type = ContainerType;
  using source_type = GlobalSource<GlobIterOf<decltype(std::declval<ContainerType&>().begin())>>;
  using index_type = typename ContainerType::index_type;
  using map_type = IndexMap<1, 1, index_type, Spacing::listed>;
  using index_set_type = IndexSet<Derived>;
  using pattern_type = typename ContainerType::pattern_type;

  ContainerType& domain() const { return *_container; }
  const pattern_type& pattern() const { return _container->pattern(); }
  index_set_type index_set() const {
    return index_set_type(Holder<Derived>(static_cast<const Derived&>(*this)));
  }
  auto local() const { return LocalOf()(static_cast<const Derived&>(*this)); }
  static constexpr bool is_local() { return false; }

  /// \name Interface for the functions that create views
  /// @{
  const source_type& source() const { return _source; }
  const map_type& map() const { return _map; }
  /// @}

 protected:
  /// \param owns  whether the elements of a unit are in the view
  template <class Owns>
  OwnersViewBase(ContainerType& container, const Owns& owns)
      : _container(&container),
        _source(global_source(container)),
        _map(listed_map(indices(container.pattern(), owns))) {}

 private:
  template <class Owns>
  static IndexList<index_type> indices(const pattern_type& pattern, const Owns& owns) {
    IndexList<index_type> list;
    const auto nblocks = static_cast<index_type>(pattern.blockspec().size());
    for (index_type block = 0; block < nblocks; ++block) {
      const auto range = pattern.block(block).range(0);
      if (range.begin >= range.end || !owns(pattern.unit_at(range.begin))) continue;
      list.append(range.begin, range.end - range.begin);
    }
    return list;
  }

  ContainerType* _container;
  source_type _source;
  map_type _map;
};

}  // namespace internal

/// The elements of a one-dimensional container that some of its units own, in global order.
///
/// Supports dash::local, dash::sub, dash::index and others, like all views.
/// \threads thread-safe
/// \cost construction: linear in the number of blocks; an element: logarithmic in the number of
///         contiguous ranges of blocks
/// \tparam ContainerType  a one-dimensional container, such as Array
/// \ingroup views
template <class ContainerType>
class OwnersView : public internal::OwnersViewBase<OwnersView<ContainerType>, ContainerType> {
 public:
  /// \param owners  for each unit of the container's team, whether its elements are in the view
  OwnersView(ContainerType& container, const std::vector<bool>& owners)
      : internal::OwnersViewBase<OwnersView, ContainerType>(container, [&](team_unit_t unit) {
          return owners[static_cast<std::size_t>(unit.id)];
        }) {}
};

}  // namespace dash

/// \cond internal
template <class Container>
inline constexpr bool std::ranges::enable_view<dash::OwnersView<Container>> = true;
/// \endcond
