#pragma once

#include <string_view>
#include <vector>

#include "Chart.h"
#include "Results.h"

namespace dash::report {

/// "64 KiB" as a number of bytes; 0 if it is something else.
double bytes_in(std::string_view size);

/// The bound on the ratio of ours to the twin that a bar sets: "<= 1.05", "speed >= 0.9". 0 if it
/// bounds something else.
double ratio_in_bar(std::string_view bar);

/// The time over the size in bytes, of all that was measured with three sizes or more.
std::vector<Chart> latency_plots(const Results& results);
/// The same as bytes in a time.
std::vector<Chart> bandwidth_plots(const Results& results);
/// Communication and computation together, as the multiple of the computation alone.
std::vector<Chart> overlap_plots(const Results& results);
/// The time over the number of units, of all that was measured with two numbers or more, beside each
/// twin that was, too.
std::vector<Chart> scaling_plots(const Results& results);

}  // namespace dash::report
