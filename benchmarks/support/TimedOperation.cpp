#include "support/TimedOperation.h"

#include <algorithm>
#include <chrono>
#include <thread>

namespace dash::bench {

namespace {

constexpr double sample_ns = 150'000;
constexpr long max_calls = 20'000;
constexpr auto pause = std::chrono::milliseconds(4);

/// \returns nanoseconds of one call
double time_calls(const TimedOperation& operation, long calls) {
  if (operation.batch == 0) return measure_ns_per_call(calls, operation.body);
  double total = 0;
  long done = 0;
  while (done < calls) {
    total +=
        measure_ns_per_call(operation.batch, operation.body) * static_cast<double>(operation.batch);
    operation.complete();
    done += operation.batch;
  }
  return total / static_cast<double>(done);
}

}  // namespace

Candidate make_candidate(const TimedOperation& operation) {
  return [&operation] {
    return measure_on_first_unit(operation.peer_wait, [&operation] {
      std::this_thread::sleep_for(pause);
      const long min_calls = std::max(operation.batch, 4L);
      time_calls(operation, min_calls);
      const double each_ns = time_calls(operation, min_calls);
      return time_calls(operation,
                        std::clamp(repetitions_within(sample_ns, each_ns), min_calls, max_calls));
    });
  };
}

const TimedOperation& find_fastest(const std::vector<TimedOperation>& operations) {
  if (operations.size() == 1) return operations.front();
  std::vector<Candidate> candidates;
  for (const TimedOperation& operation : operations)
    candidates.push_back(make_candidate(operation));
  const std::vector<Samples> samples = interleave(9, candidates);
  const auto best =
      std::min_element(samples.begin(), samples.end(),
                       [](const Samples& a, const Samples& b) { return median(a) < median(b); });
  return operations[static_cast<std::size_t>(broadcast_from_first_unit(best - samples.begin()))];
}

}  // namespace dash::bench
