#include "support/Way.h"

#include <algorithm>
#include <chrono>
#include <thread>

namespace dash::bench {

namespace {

constexpr double sample_ns = 150'000;
constexpr long most_calls = 20'000;
constexpr auto rest = std::chrono::milliseconds(4);

/// Nanoseconds of one call.
double time_calls(const Way& way, long calls) {
  if (way.batch == 0) return time_each(calls, way.body);
  double total = 0;
  long done = 0;
  while (done < calls) {
    total += time_each(way.batch, way.body) * static_cast<double>(way.batch);
    way.complete();
    done += way.batch;
  }
  return total / static_cast<double>(done);
}

}  // namespace

Contestant contestant(const Way& way) {
  return [&way] {
    return alone(way.peers, [&way] {
      std::this_thread::sleep_for(rest);
      const long warmth = std::max(way.batch, 4L);
      time_calls(way, warmth);
      const double once = time_calls(way, warmth);
      return time_calls(way, std::clamp(repetitions_within(sample_ns, once), warmth, most_calls));
    });
  };
}

const Way& fastest(const std::vector<Way>& ways) {
  if (ways.size() == 1) return ways.front();
  std::vector<Contestant> contestants;
  for (const Way& way : ways)
    contestants.push_back(contestant(way));
  const std::vector<Samples> samples = interleave(9, contestants);
  const auto best =
      std::min_element(samples.begin(), samples.end(),
                       [](const Samples& a, const Samples& b) { return median(a) < median(b); });
  return ways[static_cast<std::size_t>(from_first_unit(best - samples.begin()))];
}

}  // namespace dash::bench
