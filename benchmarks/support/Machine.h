#pragma once

#include <string>

#include "dash/core/CpuSet.h"

namespace dash::bench {

class World;

/// "AMD EPYC 7B13", as the system says.
std::string processor_name();

/// Of the last minute: how many processes wanted to run. 0 if the system does not say.
double load_average();

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
