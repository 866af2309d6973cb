#include "support/Measure.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "support/Sampling.h"

namespace dash::bench {

double quantile(Samples samples, double q) {
  if (samples.empty()) return 0;
  const double last = static_cast<double>(samples.size() - 1);
  const auto position = samples.begin() + static_cast<std::ptrdiff_t>(std::lround(q * last));
  std::nth_element(samples.begin(), position, samples.end());
  return *position;
}

double median(Samples samples) {
  return quantile(std::move(samples), 0.5);
}

Spread spread(const Samples& samples) {
  return {quantile(samples, 0.1), median(samples), quantile(samples, 0.9)};
}

namespace {

double ratio_of(double ours, double baseline) {
  if (baseline > 0) return ours / baseline;
  return ours > 0 ? std::numeric_limits<double>::infinity() : 1;
}

}  // namespace

Samples ratios(const Samples& ours, const Samples& baseline) {
  Samples result;
  for (std::size_t i = 0; i < std::min(ours.size(), baseline.size()); ++i) {
    result.push_back(ratio_of(ours[i], baseline[i]));
  }
  return result;
}

Samples differences(const Samples& ours, const Samples& baseline) {
  Samples result;
  for (std::size_t i = 0; i < std::min(ours.size(), baseline.size()); ++i) {
    result.push_back(ours[i] - baseline[i]);
  }
  return result;
}

long repetitions_within(double budget_ns, double each_ns) {
  return each_ns > 0 ? std::max(1L, std::lround(budget_ns / each_ns)) : 1L;
}

std::vector<Samples> interleave(int rounds, const std::vector<Candidate>& candidates) {
  for (const Candidate& candidate : candidates)
    candidate();
  std::vector<Samples> samples(candidates.size());
  const int num_rounds = scaled_rounds(rounds);
  for (int round = 0; round < num_rounds; ++round) {
    for (std::size_t i = 0; i < candidates.size(); ++i) {
      const std::size_t next = round % 2 == 0 ? i : candidates.size() - 1 - i;
      samples[next].push_back(candidates[next]());
    }
  }
  return samples;
}

std::uint64_t compute(std::uint64_t iterations) {
  std::uint64_t x = iterations;
  for (std::uint64_t i = 0; i < iterations; ++i) {
    x = x * 6364136223846793005U + 1442695040888963407U;
    asm volatile("" : "+r"(x));  // the compiler must neither vectorize nor replace the loop
  }
  do_not_optimize(x);
  return x;
}

double measure_ns_per_iteration() {
  constexpr std::uint64_t iterations = 200'000;
  Samples samples;
  for (int i = 0; i < 31; ++i) {
    samples.push_back(measure_ns_per_call(1, [](long) { compute(iterations); }) / iterations);
  }
  // Other processes on the processor can only increase the time.
  return quantile(samples, 0.1);
}

}  // namespace dash::bench
