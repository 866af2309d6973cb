#pragma once

#include <cstddef>
#include <ranges>
#include <utility>

#include "dash/Team.h"
#include "dash/internal/Unit.h"
#include "dash/view/OwnersView.h"

namespace dash {

/// The elements of a one-dimensional container whose owners are in one team of a hierarchy, in
/// global order. Level 0 is the container's team, level 1 the caller's sub-team of a split, and so
/// on.
/// \tparam Level  -1 for the caller's elements as native memory
/// \see OwnersView
/// \ingroup views
template <class ContainerType, int Level = 0>
class HView : public internal::OwnersViewBase<HView<ContainerType, Level>, ContainerType> {
  using Base = internal::OwnersViewBase<HView<ContainerType, Level>, ContainerType>;
  static_assert(Level >= 0, "dash::HView: the level has to be -1, 0, or more");

 public:
  /// The elements that units of the team at the level own.
  explicit HView(ContainerType& container)
      : HView(container, container.team().sub(static_cast<std::size_t>(Level))) {}

  /// The team of the owners of the elements.
  Team& team() const { return *_team; }
  /// Barrier of the team. \collective over team()
  void barrier() const { _team->barrier(); }

 private:
  HView(ContainerType& container, Team& team)
      : Base(container,
             [&](team_unit_t unit) { return team.is_member(container.team().global_id(unit)); }),
        _team(&team) {}

  Team* _team;
};

/// The caller's elements of a container, as native memory.
/// \ingroup views
template <class ContainerType>
class HView<ContainerType, -1> {
 public:
  using value_type = typename ContainerType::value_type;
  using iterator = decltype(std::declval<ContainerType&>().lbegin());
  using size_type = typename ContainerType::size_type;

  /// Refers to the container.
  explicit HView(ContainerType& container) : _container(&container) {}

  /// Address of the caller's first element.
  iterator begin() const { return _container->lbegin(); }
  /// The end of the caller's elements.
  iterator end() const { return _container->lend(); }
  /// Number of elements of the caller.
  size_type size() const { return static_cast<size_type>(end() - begin()); }
  /// The element at an index in the caller's memory; no range check.
  auto& operator[](size_type n) const { return begin()[n]; }

 private:
  ContainerType* _container;
};

}  // namespace dash

/// \cond internal
template <class Container, int Level>
inline constexpr bool std::ranges::enable_view<dash::HView<Container, Level>> = true;
/// \endcond
