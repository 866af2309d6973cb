#include "support/Measure.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "support/Effort.h"

namespace dash::bench {

double quantile(Samples samples, double q) {
  if (samples.empty()) return 0;
  const double last = static_cast<double>(samples.size() - 1);
  const auto place = samples.begin() + static_cast<std::ptrdiff_t>(std::lround(q * last));
  std::nth_element(samples.begin(), place, samples.end());
  return *place;
}

double median(Samples samples) {
  return quantile(std::move(samples), 0.5);
}

Spread spread(const Samples& samples) {
  return {quantile(samples, 0.1), median(samples), quantile(samples, 0.9)};
}

namespace {

double ratio_of(double ours, double twin) {
  if (twin > 0) return ours / twin;
  return ours > 0 ? std::numeric_limits<double>::infinity() : 1;
}

}  // namespace

Samples ratios(const Samples& ours, const Samples& twin) {
  Samples result;
  for (std::size_t i = 0; i < std::min(ours.size(), twin.size()); ++i) {
    result.push_back(ratio_of(ours[i], twin[i]));
  }
  return result;
}

Samples differences(const Samples& ours, const Samples& twin) {
  Samples result;
  for (std::size_t i = 0; i < std::min(ours.size(), twin.size()); ++i) {
    result.push_back(ours[i] - twin[i]);
  }
  return result;
}

long repetitions_within(double goal_ns, double each_ns) {
  return each_ns > 0 ? std::max(1L, std::lround(goal_ns / each_ns)) : 1L;
}

std::vector<Samples> interleave(int rounds, const std::vector<Contestant>& contestants) {
  for (const Contestant& contestant : contestants)
    contestant();
  std::vector<Samples> samples(contestants.size());
  const int wanted = rounds_at_effort(rounds);
  for (int round = 0; round < wanted; ++round) {
    for (std::size_t i = 0; i < contestants.size(); ++i) {
      const std::size_t next = round % 2 == 0 ? i : contestants.size() - 1 - i;
      samples[next].push_back(contestants[next]());
    }
  }
  return samples;
}

std::uint64_t compute(std::uint64_t iterations) {
  std::uint64_t x = iterations;
  for (std::uint64_t i = 0; i < iterations; ++i) {
    x = x * 6364136223846793005U + 1442695040888963407U;
    asm volatile("" : "+r"(x));  // no closed form, no unrolling into something else
  }
  keep(x);
  return x;
}

double measure_ns_per_iteration() {
  constexpr std::uint64_t iterations = 200'000;
  Samples samples;
  for (int i = 0; i < 31; ++i) {
    samples.push_back(time_each(1, [](long) { compute(iterations); }) / iterations);
  }
  // Whoever else runs on the processor can only make it longer.
  return quantile(samples, 0.1);
}

}  // namespace dash::bench
