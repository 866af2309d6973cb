#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "dash/core/Export.h"
#include "dash/core/mapping/Machine.h"

namespace dash::core::mapping {

/// The grid on which the units of an application talk to their nearest neighbours.
struct Grid {
  static constexpr std::size_t max_dimensions = 8;

  /// Units in each dimension. Positions are row-major: the last dimension varies fastest.
  std::vector<std::uint32_t> extents;
  /// By dimension, whether the last and the first are neighbours; empty: nowhere.
  std::vector<bool> periodic;
  /// By dimension, what one unit sends to one neighbour (bytes, or any unit); empty: 1 everywhere.
  std::vector<double> weights;

  DASH_API std::size_t size() const noexcept;
  bool is_periodic(std::size_t dimension) const { return !periodic.empty() && periodic[dimension]; }
  double weight(std::size_t dimension) const { return weights.empty() ? 1 : weights[dimension]; }

  /// \throws exception::InvalidArgument, naming the value, for no or too many dimensions, an extent
  ///         of 0, lists of other lengths, weights that are negative or not finite, or a size that is
  ///         not `units`
  DASH_API void check(std::size_t units) const;
};

/// Where one unit runs.
struct UnitPlace {
  std::uint32_t node = 0;  ///< Machine::find or an index of Machine::nodes
  std::uint32_t numa = 0;  ///< NUMA domain in the node, in the node's order
  std::uint32_t core = 0;  ///< core in the node, in the node's order; several units may share one

  friend bool operator==(const UnitPlace&, const UnitPlace&) = default;
};

/// Which unit stands where on the grid: a bijection.
struct GridMapping {
  std::vector<std::uint32_t> unit_at;      ///< by position, the unit
  std::vector<std::uint32_t> position_of;  ///< by unit, the position
  std::vector<std::uint32_t>
      node_block;  ///< the extents of the cells of one node, where they are one
  std::vector<std::uint32_t> numa_block;  ///< and those of one NUMA domain
  std::string method;                     ///< for people
};

/// Puts units on a grid so that neighbours are close at every level of the machine: a NUMA domain, a
/// node, the network. Never worse than the order of the units by total_cost() (Evaluation.h).
/// \param places  by unit; nodes may be missing, hold different numbers of units, come in any order
/// \returns the same for the same arguments, on every machine
/// \threads any
/// \throws  exception::InvalidArgument if the grid does not have as many positions as there are
///          places, or a place is not of the machine
/// \cost    units times dimensions times a logarithm; one or two seconds for a million
/// \see     docs/mapping.md
DASH_API GridMapping map_grid(const Machine& machine, std::span<const UnitPlace> places,
                              const Grid& grid);

/// The order of the units: unit u stands at position u.
DASH_API GridMapping unit_order(std::size_t units);

/// An order at random; the same for the same seed, on every machine.
DASH_API GridMapping random_order(std::size_t units, std::uint64_t seed);

/// A mapping from what stands where.
/// \throws exception::InvalidArgument if a unit occurs twice or is not below the number of units
DASH_API GridMapping mapping_of(std::vector<std::uint32_t> unit_at);

/// The places of units that fill nodes one after another, each core by core.
/// \param nodes  indices of the machine, in the order in which they are filled
/// \param units_per_node  0: as many as the node has cores
/// \param units  how many there are; 0: as many as fit
/// \throws exception::InvalidArgument if they do not fit, or a node's cores are not known
DASH_API std::vector<UnitPlace> fill_nodes(const Machine& machine,
                                           std::span<const std::uint32_t> nodes,
                                           std::uint32_t units_per_node = 0, std::size_t units = 0);

}  // namespace dash::core::mapping
