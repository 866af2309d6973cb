#pragma once

#include <algorithm>
#include <cstddef>
#include <ranges>
#include <type_traits>
#include <utility>

#include "dash/Team.h"
#include "dash/Types.h"
#include "dash/internal/Unit.h"
#include "dash/view/IndexSet.h"
#include "dash/view/Local.h"
#include "dash/view/ViewMod.h"

namespace dash {

/// The elements of a one-dimensional container whose owners are in one team of a hierarchy: level 0
/// is the container's team, level 1 the caller's part of a split of it, and so on. In global order.
///
/// A view like others: dash::local, dash::sub, dash::index are taken of it.
/// \tparam Level  -1 for the caller's own elements, as native memory
/// \threads any  \cost construction: linear in the number of blocks; an element: logarithmic in the
///       number of runs of blocks
template <class ContainerType, int Level = 0>
class HView
    : public internal::ViewInterface<
          HView<ContainerType, Level>,
          internal::GlobalSource<
              internal::GlobIterOf<decltype(std::declval<ContainerType&>().begin())>>,
          internal::IndexMap<1, 1, typename ContainerType::index_type, internal::Spacing::listed>> {
  static_assert(ContainerType::ndim() == 1, "dash::HView: the container has to be one-dimensional");
  static_assert(Level >= 0, "dash::HView: the level has to be -1, 0, or more");

 public:
  using domain_type = ContainerType;
  using source_type = internal::GlobalSource<
      internal::GlobIterOf<decltype(std::declval<ContainerType&>().begin())>>;
  using index_type = typename ContainerType::index_type;
  using map_type = internal::IndexMap<1, 1, index_type, internal::Spacing::listed>;
  using index_set_type = IndexSet<HView>;
  using pattern_type = typename ContainerType::pattern_type;

  explicit HView(ContainerType& container)
      : _container(&container),
        _team(&container.team().sub(static_cast<std::size_t>(Level))),
        _source(internal::global_source(container)),
        _map(internal::listed_map(indices(container.pattern(), *_team))) {}

  ContainerType& domain() const { return *_container; }
  const pattern_type& pattern() const { return _container->pattern(); }
  /// The owners of the elements.
  Team& team() const { return *_team; }
  index_set_type index_set() const { return index_set_type(internal::Holder<HView>(*this)); }
  auto local() const { return internal::LocalOf()(*this); }
  static constexpr bool is_local() { return false; }
  /// Waits for the units of the team. \collective over team()
  void barrier() const { _team->barrier(); }

  /// \name What this is, for the functions that make views
  /// @{
  const source_type& source() const { return _source; }
  const map_type& map() const { return _map; }
  /// @}

 private:
  static internal::IndexList<index_type> indices(const pattern_type& pattern, const Team& team) {
    internal::IndexList<index_type> list;
    const auto nblocks = static_cast<index_type>(pattern.blockspec().size());
    for (index_type block = 0; block < nblocks; ++block) {
      const auto range = pattern.block(block).range(0);
      if (range.begin >= range.end) continue;
      const auto owner = pattern.unit_at(range.begin);
      if (!team.is_member(pattern.team().global_id(owner))) continue;
      list.append(range.begin, range.end - range.begin);
    }
    return list;
  }

  ContainerType* _container;
  Team* _team;
  source_type _source;
  map_type _map;
};

/// \overload The caller's own elements.
template <class ContainerType>
class HView<ContainerType, -1> {
 public:
  using value_type = typename ContainerType::value_type;
  using iterator = decltype(std::declval<ContainerType&>().lbegin());
  using size_type = typename ContainerType::size_type;

  explicit HView(ContainerType& container) : _container(&container) {}

  iterator begin() const { return _container->lbegin(); }
  iterator end() const { return _container->lend(); }
  size_type size() const { return static_cast<size_type>(end() - begin()); }
  auto& operator[](size_type n) const { return begin()[n]; }

 private:
  ContainerType* _container;
};

}  // namespace dash

template <class Container, int Level>
inline constexpr bool std::ranges::enable_view<dash::HView<Container, Level>> = true;
