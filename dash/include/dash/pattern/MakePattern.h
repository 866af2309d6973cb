#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <span>
#include <type_traits>

#include "dash/Cartesian.h"
#include "dash/Dimensional.h"
#include "dash/Distribution.h"
#include "dash/Team.h"
#include "dash/TeamSpec.h"
#include "dash/Types.h"
#include "dash/core/Export.h"
#include "dash/pattern/BlockPattern.h"
#include "dash/pattern/PatternProperties.h"
#include "dash/pattern/SeqTilePattern.h"
#include "dash/pattern/ShiftTilePattern.h"
#include "dash/pattern/TilePattern.h"

namespace dash {

namespace internal {

[[noreturn]] DASH_API void throw_unbalanced_tiles(dim_t dimension, unsigned long long extent,
                                                  unsigned long long tile);

/// Groups of units close to each other: consecutive ids in groups of these sizes.
struct UnitGroups {
  std::size_t per_node = 0;  ///< 0: all units
  std::size_t per_numa = 0;
};

/// Computes the groups from the numbers of nodes, NUMA domains per node, and cores per node; 0 if
/// unknown.
DASH_API UnitGroups unit_groups(std::size_t nunits, int n_nodes, int n_numa_dom, int n_cores);
/// \overload that queries the hardware of the team
DASH_API UnitGroups unit_groups(const Team& team, int n_nodes, int n_numa_dom, int n_cores);

/// Determines the number of units in each dimension, `nunits` in total, so that the largest block
/// and the data exchanged between neighbours are small. Exchange between nodes costs more than
/// exchange between NUMA domains, which costs more than other exchange.
/// \param grid  receives the numbers
/// \cost number of factorizations of nunits, times nunits
DASH_API void choose_grid(std::span<const std::size_t> extents, std::size_t nunits,
                          const UnitGroups& groups, std::span<std::size_t> grid);

template <dim_t N, class S>
TeamSpec<N, std::make_signed_t<S>> chosen_team_spec(const SizeSpec<N, S>& sizespec,
                                                    std::size_t nunits, const UnitGroups& groups,
                                                    Team& team) {
  std::array<std::size_t, N> extents{};
  std::array<std::size_t, N> grid{};
  std::copy(sizespec.extents().begin(), sizespec.extents().end(), extents.begin());
  choose_grid(extents, nunits, groups, grid);
  std::array<S, N> result{};
  for (std::size_t d = 0; d < static_cast<std::size_t>(N); ++d)
    result[d] = static_cast<S>(grid[d]);
  return TeamSpec<N, std::make_signed_t<S>>(result, team);
}

template <class Partitioning, class Mapping, class Layout, dim_t N, class Index>
consteval auto pattern_type_for() {
  constexpr auto order = Layout::row_major ? ROW_MAJOR : COL_MAJOR;
  static_assert(
      !Mapping::diagonal || Layout::blocked ||
          (N == 1 && (Mapping::balanced || Partitioning::balanced)),
      "dash::make_pattern: patterns with diagonal mapping have the layout `blocked`; request "
      "that layout");
  if constexpr (Mapping::diagonal) {
    return std::type_identity<ShiftTilePattern<N, order, Index>>();
  } else if constexpr (Layout::blocked && Partitioning::minimal) {
    return std::type_identity<SeqTilePattern<N, order, Index>>();
  } else if constexpr (Layout::blocked) {
    return std::type_identity<TilePattern<N, order, Index>>();
  } else {
    return std::type_identity<BlockPattern<N, order, Index>>();
  }
}

}  // namespace internal

/// Arranges units in a grid that suits the extents: blocks with similar extents in all dimensions,
/// as far as the number of units allows, and neighbours on the same node.
/// \param n_units  number of units to arrange; the product of the result
/// \param n_nodes, n_numa_dom, n_cores  nodes, NUMA domains of a node, cores of a node; 0 if
///         unknown
/// \throws exception::InvalidArgument if n_units is negative
/// \ingroup patterns
template <class PartitioningTags = pattern_partitioning_default_properties,
          class MappingTags = pattern_mapping_default_properties,
          class LayoutTags = pattern_layout_default_properties, dim_t N, class S>
TeamSpec<N, std::make_signed_t<S>> make_team_spec(const SizeSpec<N, S>& sizespec, int n_units,
                                                  int n_nodes = 0, int n_numa_dom = 0,
                                                  int n_cores = 0) {
  const auto nunits = internal::checked_extent<std::size_t>(n_units, 0);
  return internal::chosen_team_spec(
      sizespec, nunits, internal::unit_groups(nunits, n_nodes, n_numa_dom, n_cores), Team::All());
}

/// \overload
/// For all units of a team, with its actual hardware; keeps the grid of a mapped team.
/// \ingroup patterns
template <class PartitioningTags = pattern_partitioning_default_properties,
          class MappingTags = pattern_mapping_default_properties,
          class LayoutTags = pattern_layout_default_properties, dim_t N, class S>
TeamSpec<N, std::make_signed_t<S>> make_team_spec(const SizeSpec<N, S>& sizespec,
                                                  Team& team = Team::All(), int n_nodes = 0,
                                                  int n_numa_dom = 0, int n_cores = 0) {
  using Spec = TeamSpec<N, std::make_signed_t<S>>;
  if (const Spec mapped(team); mapped.is_mapped()) return mapped;
  return internal::chosen_team_spec(
      sizespec, team.size(), internal::unit_groups(team, n_nodes, n_numa_dom, n_cores), team);
}

/// Block extents for a grid of units: one block per unit in each dimension; with the mapping
/// `diagonal` or `neighbor` as many blocks as units, with `multiple` two per unit; with the
/// partitioning `minimal` blocks with equal extents in all dimensions, unless the mapping is
/// `balanced`.
/// \throws exception::InvalidArgument if the partitioning is `balanced` but blocks would differ in
///         size
/// \ingroup patterns
template <class PartitioningTags = pattern_partitioning_default_properties,
          class MappingTags = pattern_mapping_default_properties,
          class LayoutTags = pattern_layout_default_properties, dim_t N, class S, class Index>
DistributionSpec<N> make_distribution_spec(const SizeSpec<N, S>& sizespec,
                                           const TeamSpec<N, Index>& teamspec) {
  constexpr bool tiled = LayoutTags::blocked && LayoutTags::linear;
  std::array<S, N> nblocks{};
  S smallest = 0;
  for (std::size_t d = 0; d < static_cast<std::size_t>(N); ++d) {
    const S extent = sizespec.extents()[d];
    nblocks[d] = static_cast<S>(teamspec.extents()[d]);
    if (MappingTags::diagonal || MappingTags::neighbor)
      nblocks[d] = static_cast<S>(teamspec.size());
    if (MappingTags::multiple) nblocks[d] *= 2;
    nblocks[d] = std::max<S>(std::min(nblocks[d], extent), 1);
    if (d == 0 || extent / nblocks[d] < smallest) smallest = extent / nblocks[d];
  }
  std::array<Distribution, N> distributions{};
  for (std::size_t d = 0; d < static_cast<std::size_t>(N); ++d) {
    const S extent = sizespec.extents()[d];
    S tile =
        PartitioningTags::balanced ? extent / nblocks[d] : internal::ceil_div(extent, nblocks[d]);
    if (PartitioningTags::minimal && !MappingTags::balanced) tile = smallest;
    tile = std::max<S>(tile, 1);
    if (PartitioningTags::balanced && extent % tile != 0) {
      internal::throw_unbalanced_tiles(static_cast<dim_t>(d), extent, tile);
    }
    distributions[d] = tiled ? TILE(1) : BLOCKCYCLIC(1);
    distributions[d].blocksz = tile;
  }
  return DistributionSpec<N>(distributions);
}

/// The pattern with the requested properties, for extents and a grid of units:
///
///  | requested property                | pattern          |
///  | --------------------------------- | ---------------- |
///  | mapping `diagonal`                | ShiftTilePattern |
///  | layout `blocked`, partitioning `minimal` | SeqTilePattern |
///  | layout `blocked`                  | TilePattern      |
///  | layout `canonical` (the default)  | BlockPattern     |
///
/// \param team  has at least as many units as the grid
/// \throws exception::InvalidArgument as make_distribution_spec()
/// \see T. Fuchs, K. Fuerlinger, A multi-dimensional distributed array abstraction for PGAS, 2016
/// \ingroup patterns
template <class PartitioningTags = pattern_partitioning_default_properties,
          class MappingTags = pattern_mapping_default_properties,
          class LayoutTags = pattern_layout_default_properties, dim_t N, class S, class Index>
auto make_pattern(const SizeSpec<N, S>& sizespec, const TeamSpec<N, Index>& teamspec,
                  Team& team = Team::All()) {
  using Type =
      typename decltype(internal::pattern_type_for<PartitioningTags, MappingTags, LayoutTags, N,
                                                   std::make_signed_t<S>>())::type;
  const TeamSpec<N, std::make_signed_t<S>> units(teamspec);
  return Type(sizespec,
              make_distribution_spec<PartitioningTags, MappingTags, LayoutTags>(sizespec, units),
              units, team);
}

/// \overload
/// With the grid of make_team_spec().
/// \ingroup patterns
template <class PartitioningTags = pattern_partitioning_default_properties,
          class MappingTags = pattern_mapping_default_properties,
          class LayoutTags = pattern_layout_default_properties, dim_t N, class S>
auto make_pattern(const SizeSpec<N, S>& sizespec, Team& team = Team::All()) {
  return make_pattern<PartitioningTags, MappingTags, LayoutTags>(
      sizespec, make_team_spec<PartitioningTags, MappingTags, LayoutTags>(sizespec, team), team);
}

}  // namespace dash
