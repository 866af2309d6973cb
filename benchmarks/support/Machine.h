#pragma once

#include "dash/core/CpuSet.h"

namespace dash::bench {

class World;

/// How the units lie.
struct Placement {
  int nodes = 0;
  core::CpuSet processors;  // that the units, together, may use
};

/// \collective over all units
Placement find_placement();

/// Nanoseconds from one processor to another and back, through one cache line: the median of
/// several. It changes when the processors of a virtual machine move.
double measure_round_trip(int one, int other);

/// Prints what figures depend on: units, nodes, processors, round trip between the first two, load.
/// \collective over all units
void print_machine(const World& world);

}  // namespace dash::bench
