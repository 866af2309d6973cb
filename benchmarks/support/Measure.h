#pragma once

/// \file
/// Taking samples of times, and statistics over them.

#include <cstdint>
#include <functional>
#include <vector>

#include "dash/core/Clock.h"

namespace dash::bench {

/// Times in nanoseconds, or ratios of times.
using Samples = std::vector<double>;

/// The 10th, 50th and 90th percentile of samples.
struct Spread {
  double low = 0;
  double median = 0;
  double high = 0;
};

/// \param q between 0 and 1
double quantile(Samples samples, double q);
double median(Samples samples);
Spread spread(const Samples& samples);

/// Divides sample by sample, so that a disturbance of a whole round of a shared machine cancels out.
/// If a sample of the baseline is 0, the ratio is infinite, or 1 if ours is 0, too.
Samples ratios(const Samples& ours, const Samples& baseline);
Samples differences(const Samples& ours, const Samples& baseline);

/// Prevents the compiler from removing the computation of an unused value.
template <class T>
inline void do_not_optimize(const T& value) {
  asm volatile("" : : "r"(value));
}
/// Makes the compiler assume that all memory is read and written here, so that stores to `memory` are not
/// removed and loads from it not reused.
inline void clobber_memory(const void* memory) {
  asm volatile("" : : "r"(memory) : "memory");
}

/// \returns nanoseconds of a call of f(i), averaged over `repetitions` calls
template <class F>
double measure_ns_per_call(long repetitions, F&& f) {
  const std::uint64_t begin = core::now_ns();
  for (long i = 0; i < repetitions; ++i)
    f(i);
  return static_cast<double>(core::now_ns() - begin) / static_cast<double>(repetitions);
}

/// \returns the number of repetitions that take about `budget_ns`; at least one
long repetitions_within(double budget_ns, double each_ns);

/// Takes one sample of an operation: nanoseconds of one repetition. All units call it; the result is valid
/// at unit 0.
using Candidate = std::function<double()>;

/// Takes `rounds` samples of each candidate, interleaved: a round takes one of each, every second round in
/// reverse order. A warm-up round comes first. Quick sampling takes fewer rounds (Sampling.h).
/// \returns the samples of each candidate
std::vector<Samples> interleave(int rounds, const std::vector<Candidate>& candidates);

/// Computes in registers, without memory accesses or calls, for a number of iterations.
std::uint64_t compute(std::uint64_t iterations);

/// \returns nanoseconds of an iteration of compute() without other load on the processor of the calling
///          thread
double measure_ns_per_iteration();

}  // namespace dash::bench
