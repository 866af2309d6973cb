#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "dash/core/Export.h"
#include "dash/core/mapping/Machine.h"

namespace dash::core::mapping {

/// The Cartesian grid of the units of an application that communicate with their nearest neighbours.
struct Grid {
  static constexpr std::size_t max_dimensions = 8;

  /// Units in each dimension. Positions are row-major: the last dimension varies fastest.
  std::vector<std::uint32_t> extents;
  /// For each dimension, whether the last and the first position are neighbours; empty: false for all.
  std::vector<bool> periodic;
  /// For each dimension, the amount of data that a unit sends to a neighbour (in bytes or any other unit of
  /// measure); empty: 1 for all.
  std::vector<double> weights;

  DASH_API std::size_t size() const noexcept;
  bool is_periodic(std::size_t dimension) const { return !periodic.empty() && periodic[dimension]; }
  double weight(std::size_t dimension) const { return weights.empty() ? 1 : weights[dimension]; }

  /// \throws exception::InvalidArgument, naming the value, if there are no or too many dimensions, an
  ///         extent is 0, lists have another length, a weight is negative or not finite, or the size is not
  ///         `units`
  DASH_API void check(std::size_t units) const;
};

/// Placement of a unit on the machine.
struct UnitLocation {
  std::uint32_t node = 0;  ///< index in Machine::nodes
  std::uint32_t numa = 0;  ///< NUMA domain in the node, in the node's order
  std::uint32_t core = 0;  ///< core in the node, in the node's order; several units may share one

  friend bool operator==(const UnitLocation&, const UnitLocation&) = default;
};
using UnitPlace [[deprecated("use UnitLocation")]] = UnitLocation;

/// A bijection between units and grid positions.
struct GridMapping {
  std::vector<std::uint32_t> unit_at;      ///< unit at each position
  std::vector<std::uint32_t> position_of;  ///< position of each unit
  std::vector<std::uint32_t>
      node_block;  ///< extents of the block of cells of a node, if the mapping uses blocks
  std::vector<std::uint32_t> numa_block;  ///< extents of the block of a NUMA domain
  std::string method;                     ///< name of the method, for reports
};

/// Maps units to a grid so that neighbours are close at every level of the machine: NUMA domain, node,
/// network. Its total_cost() (Evaluation.h) is never higher than that of the order of the units.
/// \param locations  placement of each unit; nodes may be unused, have different numbers of units, and be in
///                any order
/// \returns the same mapping for the same arguments, on every machine
/// \threads thread-safe
/// \throws  exception::InvalidArgument if the grid does not have as many positions as there are
///          locations, or a placement does not exist on the machine
/// \cost    units times dimensions times a logarithm
/// \see     docs/how-to/place-units.md, with measured times
DASH_API GridMapping map_grid(const Machine& machine, std::span<const UnitLocation> locations,
                              const Grid& grid);

/// The identity mapping: unit u is at position u.
DASH_API GridMapping unit_order(std::size_t units);

/// A random mapping; the same for the same seed, on every machine.
DASH_API GridMapping random_order(std::size_t units, std::uint64_t seed);

/// Creates a mapping from the unit at each position.
/// \throws exception::InvalidArgument if a unit occurs twice or is not below the number of units
DASH_API GridMapping mapping_of(std::vector<std::uint32_t> unit_at);

/// Places units on nodes one after another, and on each node core by core.
/// \param nodes           indices of the nodes to fill, in this order
/// \param units_per_node  0: the number of cores of the node
/// \param units           number of units; 0: as many as fit
/// \throws exception::InvalidArgument if the units do not fit, or the number of cores of a node is unknown
DASH_API std::vector<UnitLocation> fill_nodes(const Machine& machine,
                                              std::span<const std::uint32_t> nodes,
                                              std::uint32_t units_per_node = 0,
                                              std::size_t units = 0);

}  // namespace dash::core::mapping
