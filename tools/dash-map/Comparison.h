#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "dash/core/mapping/Evaluation.h"
#include "dash/core/mapping/GridMapping.h"
#include "dash/core/mapping/Machine.h"
#include "dash/core/mapping/MachineFile.h"

namespace dash::map {

/// The machine and the application.
struct Problem {
  std::string topology;  ///< a file
  core::mapping::MachineFormat format = core::mapping::MachineFormat::automatic;
  std::string nodes;       ///< a host list, or "@" and a file of host lists; empty: all nodes
  std::size_t sparse = 0;  ///< use this number of nodes, chosen at random; 0: all
  std::uint32_t units_per_node = 0;   ///< 0: as many as the node has cores
  std::vector<std::uint32_t> grid;    ///< units in each dimension
  std::vector<std::string> periodic;  ///< "all", or dimensions from 1
  std::vector<double> weights;        ///< by dimension; empty: 1
  double nbytes = 1e6;                ///< sent to a neighbour if the weight is 1
  std::uint64_t seed = 1;
};

/// An order of the units on the grid, with the load that it causes.
struct Order {
  std::string name;
  core::mapping::GridMapping mapping;
  core::mapping::Evaluation evaluation;
};

/// Three orders of the units on the grid: by unit, mapped to the machine, and random.
struct Comparison {
  enum { by_unit, mapped, random };

  core::mapping::Machine machine;
  std::vector<std::uint32_t> nodes;                    ///< nodes that have units
  std::vector<core::mapping::UnitLocation> locations;  ///< by unit
  core::mapping::Grid grid;
  std::array<Order, 3> orders;
  double seconds = 0;  ///< time that the mapping took
};

/// \throws exception::InvalidArgument if the problem is malformed or the units do not fit on the nodes
Comparison compare(const Problem& problem);

/// Extents as "24 x 24 x 16".
std::string format_extents(const std::vector<std::uint32_t>& extents);

}  // namespace dash::map
