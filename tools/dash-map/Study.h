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

/// What is asked for.
struct Question {
  std::string topology;  ///< a file
  core::mapping::MachineFormat format = core::mapping::MachineFormat::automatic;
  std::string nodes;           ///< a list of hosts, or "@" and a file of lists; empty: all
  std::size_t sparse = 0;      ///< so many of the nodes, at random; 0: all
  std::uint32_t per_node = 0;  ///< units; 0: as many as cores
  std::string grid;            ///< "24x24x16"
  std::string periodic;        ///< "all", or dimensions as "1,3"
  std::string weights;         ///< "1,1,4"
  double nbytes = 1e6;         ///< that a weight of 1 stands for
  std::uint64_t seed = 1;
};

/// An order of the units on the grid, and what it costs.
struct Order {
  std::string name;
  core::mapping::GridMapping mapping;
  core::mapping::Evaluation evaluation;
};

struct Study {
  enum { by_units, mapped, at_random };

  core::mapping::Machine machine;
  std::vector<std::uint32_t> nodes;
  std::vector<core::mapping::UnitPlace> places;
  core::mapping::Grid grid;
  std::array<Order, 3> orders;  ///< by_units, mapped, at_random
  double seconds = 0;           ///< that the mapping took
};

/// \throws exception::InvalidArgument for what is not understood or does not fit
Study study(const Question& question);

/// Extents as "24 x 24 x 16".
std::string times(const std::vector<std::uint32_t>& extents);

}  // namespace dash::map
