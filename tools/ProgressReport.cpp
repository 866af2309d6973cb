#include "ProgressReport.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <random>
#include <string>
#include <string_view>
#include <thread>
#include <vector>

#include "Measurement.h"
#include "dash/core/Clock.h"
#include "dash/core/Statistics.h"
#include "dash/dart/Placement.h"
#include "dash/dart/if/dart.h"

namespace dash::tools {

namespace {

constexpr std::uint64_t ms = 1'000'000;
/// Time until the thread has seen that nothing is in flight.
constexpr std::uint64_t settling_ns = 50 * ms;
/// Lengths of the measurements of the idle thread and of the latency.
constexpr std::uint64_t idle_ns = 500 * ms;
constexpr std::uint64_t busy_target_ns = 500 * ms;
constexpr std::size_t transfer_bytes = std::size_t{1} << 20;
constexpr int rounds = 25;
/// Duration of the computation next to a transfer, in durations of the transfer.
constexpr double computation_per_transfer = 4;

/// A computation without memory accesses and without calls of the library.
void compute(std::uint64_t steps) {
  static volatile double result = 1;
  double value = result;
  for (std::uint64_t i = 0; i < steps; ++i)
    value = value * 0.999999 + 1e-6;
  result = value;
}

void compute_for(std::uint64_t ns) {
  const std::uint64_t end = core::now_ns() + ns;
  while (core::now_ns() < end)
    compute(10'000);
}

template <class F>
double time_ns(const F& f) {
  const std::uint64_t begin = core::now_ns();
  f();
  return static_cast<double>(core::now_ns() - begin);
}

template <class F>
double median_time_ns(const F& f) {
  std::vector<double> times;
  for (int i = 0; i < rounds; ++i)
    times.push_back(time_ns(f));
  return median(times);
}

double reduce(double value, dart_operation_t operation) {
  double result = 0;
  check(dart_allreduce(&value, &result, 1, DART_TYPE_DOUBLE, operation, DART_TEAM_ALL));
  return result;
}

/// Memory of all units.
class GlobalMemory {
 public:
  explicit GlobalMemory(std::size_t nbytes) {
    check(dart_team_memalloc_aligned(DART_TEAM_ALL, nbytes, DART_TYPE_BYTE, &_begin));
  }
  ~GlobalMemory() { dart_team_memfree(_begin); }
  GlobalMemory(const GlobalMemory&) = delete;
  GlobalMemory& operator=(const GlobalMemory&) = delete;
  dart_gptr_t at(int unit) const {
    dart_gptr_t result = _begin;
    result.unitid = unit;
    return result;
  }

 private:
  dart_gptr_t _begin = DART_GPTR_NULL;
};

std::string measure_idle_thread() {
  using core::Counter;
  core::start_statistics();
  check(dart_barrier(DART_TEAM_ALL));
  compute_for(settling_ns);
  const core::Statistics before = core::statistics();
  const double seconds = time_ns([] { compute_for(idle_ns); }) * 1e-9;
  const core::Statistics after = core::statistics();
  const auto max_per_second = [&](Counter counter) {
    return reduce(static_cast<double>(after.of(counter) - before.of(counter)) / seconds,
                  DART_OP_MAX);
  };
  const double wake_ups =
      max_per_second(Counter::thread_sleeps) + max_per_second(Counter::thread_parks);
  const double processor_ns = max_per_second(Counter::thread_ns);
  core::stop_statistics();
  if (std::string_view(dart::placement().progress) == "poll")
    return "none: only calls of the library make progress";
  const bool has_processes = std::string_view(dart::placement().progress) == "progress processes";
  return fmt::format(
      "{:.0f} wake-ups per second, {:.1f} % of a processor, while all units compute{}", wake_ups,
      100e-9 * processor_ns, has_processes ? "; progress processes serve other nodes" : "");
}

/// A unit on another node than unit 0, or else the last unit.
int far_unit() {
  const auto units = dart::unit_placements();
  for (std::size_t unit = 1; unit < units.size(); ++unit) {
    if (units[unit].node != units[0].node) return static_cast<int>(unit);
  }
  return static_cast<int>(units.size()) - 1;
}

/// Unit 0 gets a word from a unit that computes, at random times.
std::string measure_busy_target(int me) {
  const GlobalMemory memory(sizeof(long));
  const int target = far_unit();
  check(dart_barrier(DART_TEAM_ALL));
  std::vector<double> times;
  if (me != 0) {
    compute_for(busy_target_ns);
  } else {
    std::mt19937 random(1);
    std::uniform_int_distribution<int> pause_us(1'000, 10'000);
    const std::uint64_t end = core::now_ns() + busy_target_ns * 9 / 10;
    do {
      std::this_thread::sleep_for(std::chrono::microseconds(pause_us(random)));
      times.push_back(time_ns([&] {
        long value = 0;
        check(dart_get_blocking(&value, memory.at(target), 1, DART_TYPE_LONG, DART_TYPE_LONG));
      }));
    } while (core::now_ns() < end);
  }
  check(dart_barrier(DART_TEAM_ALL));
  if (me != 0) return {};
  return fmt::format("median {:.2f} us, longest {:.2f} us, from unit {}, which computes",
                     median(times) * 1e-3, *std::max_element(times.begin(), times.end()) * 1e-3,
                     target);
}

/// Each unit gets a block from the next one during a computation.
std::string measure_overlap(int me, int units) {
  // Into global memory, so that a progress process can perform the transfer.
  const GlobalMemory memory(2 * transfer_bytes);
  const dart_gptr_t from = memory.at((me + 1) % units);
  void* own = nullptr;
  check(dart_gptr_getaddr(memory.at(me), &own));
  char* const block = static_cast<char*>(own) + transfer_bytes;
  const auto transfer = [&] {
    check(dart_get_blocking(block, from, transfer_bytes, DART_TYPE_BYTE, DART_TYPE_BYTE));
  };
  transfer();
  const double transfer_ns = reduce(median_time_ns(transfer), DART_OP_MAX);
  constexpr std::uint64_t trial_steps = 100'000;
  const double step_ns = median_time_ns([] { compute(trial_steps); }) / trial_steps;
  const auto steps =
      static_cast<std::uint64_t>(computation_per_transfer * transfer_ns / step_ns) + 1;
  check(dart_barrier(DART_TEAM_ALL));
  const double computation_ns = median_time_ns([&] { compute(steps); });
  check(dart_barrier(DART_TEAM_ALL));
  const double both_ns = median_time_ns([&] {
    dart_handle_t handle = DART_HANDLE_NULL;
    check(dart_get_handle(block, from, transfer_bytes, DART_TYPE_BYTE, DART_TYPE_BYTE, &handle));
    compute(steps);
    check(dart_wait(&handle));
  });
  const double exposed = std::clamp((both_ns - computation_ns) / transfer_ns, 0.0, 1.0);
  const double max_exposed = reduce(exposed, DART_OP_MAX);
  check(dart_barrier(DART_TEAM_ALL));
  return fmt::format("{:.0f} % hidden by a computation of {:.0f} times its duration of {:.0f} us",
                     100 * (1 - max_exposed), computation_per_transfer, transfer_ns * 1e-3);
}

}  // namespace

std::string measure_progress() {
  dart_global_unit_t me;
  std::size_t units = 0;
  check(dart_myid(&me));
  check(dart_size(&units));
  std::string text = fmt::format("progress thread  {}\n", measure_idle_thread());
  if (units > 1) {
    text += fmt::format("get of 8 B       {}\n", measure_busy_target(me.id));
    text += fmt::format("get of 1 MiB     {}\n", measure_overlap(me.id, static_cast<int>(units)));
  }
  return me.id == 0 ? text : std::string();
}

}  // namespace dash::tools
