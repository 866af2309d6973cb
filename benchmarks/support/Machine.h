#pragma once

#include <string>

#include "dash/core/CpuSet.h"

namespace dash::bench {

class World;

/// "AMD EPYC 7B13", as /proc/cpuinfo names it.
std::string processor_name();

/// The load average of the last minute; 0 if the system does not provide it.
double load_average();

/// Where the units run.
struct Placement {
  int nodes = 0;
  core::CpuSet processors;  // the union of all units' affinity masks
};

/// \collective over all units
Placement find_placement();

/// \returns nanoseconds of a round trip of one cache line between two processors: the median of several
///          measurements. It changes when a hypervisor moves the virtual processors.
double measure_round_trip(int one, int other);

/// Prints the conditions that the results depend on: units, nodes, processors, round trip between the first
/// two processors, load.
/// \collective over all units
void print_machine(const World& world);

}  // namespace dash::bench
