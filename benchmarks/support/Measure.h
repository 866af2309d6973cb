#pragma once

/// \file
/// Samples of times, and contests between ways to do one thing.

#include <cstdint>
#include <functional>
#include <vector>

#include "dash/core/Clock.h"

namespace dash::bench {

/// Times in nanoseconds, or ratios of them.
using Samples = std::vector<double>;

/// Of samples: the tenth, fiftieth and ninetieth percentile.
struct Spread {
  double low = 0;
  double median = 0;
  double high = 0;
};

/// \param q between 0 and 1
double quantile(Samples samples, double q);
double median(Samples samples);
Spread spread(const Samples& samples);

/// Sample by sample, so that what disturbed a whole round cancels out: machines are shared.
/// A twin that takes no time is faster than all that takes some, whatever that is: the ratio is infinite.
Samples ratios(const Samples& ours, const Samples& twin);
Samples differences(const Samples& ours, const Samples& twin);

/// Keeps the compiler from dropping the computation of a value that is not used.
template <class T>
inline void keep(const T& value) {
  asm volatile("" : : "r"(value));
}
/// The same for memory: what was written to it counts as read, and the reverse.
inline void keep_memory(const void* memory) {
  asm volatile("" : : "r"(memory) : "memory");
}

/// Nanoseconds that one of `repetitions` calls of f(i) takes.
template <class F>
double time_each(long repetitions, F&& f) {
  const std::uint64_t begin = core::now_ns();
  for (long i = 0; i < repetitions; ++i)
    f(i);
  return static_cast<double>(core::now_ns() - begin) / static_cast<double>(repetitions);
}

/// So many repetitions, at least one, take about `goal_ns`.
long repetitions_within(double goal_ns, double each_ns);

/// Takes one sample: nanoseconds of one repetition. All units call it, unit 0's result counts.
using Contestant = std::function<double()>;

/// Takes `rounds` samples of each contestant, in turns; every second round in reverse order, and
/// one more before them for warmth. With quick effort fewer (Effort.h).
/// \returns samples by contestant
std::vector<Samples> interleave(int rounds, const std::vector<Contestant>& contestants);

/// Computes in registers, without memory and calls, for a number of iterations.
std::uint64_t compute(std::uint64_t iterations);

/// What an iteration of compute() takes, the calling thread being alone on its processor.
double measure_ns_per_iteration();

}  // namespace dash::bench
