#include "locality/Capability.h"

#include <algorithm>
#include <array>
#include <climits>
#include <map>
#include <new>
#include <tuple>
#include <vector>

#include "dash/async/Executor.h"
#include "dash/core/Clock.h"

namespace dash::dart {

namespace {

constexpr std::size_t min_bytes = std::size_t{6} << 20;  // of a unit
constexpr std::size_t max_bytes = std::size_t{96} << 20;
constexpr int passes = 5;
/// Chunks of a pass per thread, so that no thread waits long for the slowest.
constexpr std::size_t chunks_per_thread = 4;

/// Memory to measure with: the units of a host together use four times the size of their largest cache.
std::size_t probe_bytes(const UnitHardware& hardware, int units_of_host) {
  std::size_t cache = 0;
  for (const int nbytes : hardware.hwinfo.cache_sizes)
    cache = std::max(cache, static_cast<std::size_t>(std::max(nbytes, 0)));
  return std::clamp(4 * cache / static_cast<std::size_t>(std::max(units_of_host, 1)), min_bytes,
                    max_bytes);
}

/// The median; of an even number of values, the lower one of the two in the middle.
std::int32_t median(std::vector<std::int32_t>& values) {
  const auto middle = values.begin() + static_cast<std::ptrdiff_t>((values.size() - 1) / 2);
  std::nth_element(values.begin(), middle, values.end());
  return *middle;
}

}  // namespace

MemoryProbe::MemoryProbe(const UnitHardware& hardware, int units_of_host)
    : _nelem(probe_bytes(hardware, units_of_host) / 3 / sizeof(double)) {
  _memory.reset(new (std::nothrow) double[3 * _nelem]);
  if (_memory != nullptr) pass(true);
}

void MemoryProbe::pass(bool first) {
  const auto nchunks =
      chunks_per_thread * static_cast<std::size_t>(std::max(exec::executor_workers(), 1));
  exec::run_chunks(nchunks, [&](std::size_t chunk) {
    const std::size_t begin = _nelem * chunk / nchunks;
    const std::size_t end = _nelem * (chunk + 1) / nchunks;
    double* const a = _memory.get();
    double* const b = a + _nelem;
    double* const c = b + _nelem;
    if (first) {
      std::fill(a + begin, a + end, 0.0);
      std::fill(b + begin, b + end, 1.0);
      std::fill(c + begin, c + end, 2.0);
      return;
    }
    for (std::size_t i = begin; i < end; ++i)
      a[i] = b[i] + 3.0 * c[i];
  });
}

std::int32_t MemoryProbe::measure_mbps() {
  if (_memory == nullptr) return 0;
  std::array<std::uint64_t, passes> times{};
  for (std::uint64_t& time : times) {
    const std::uint64_t begin = core::now_ns();
    pass(false);
    time = core::now_ns() - begin;
  }
  std::sort(times.begin(), times.end());
  const auto ns = static_cast<double>(std::max<std::uint64_t>(times[passes / 2], 1));
  const double mbps = static_cast<double>(3 * _nelem * sizeof(double)) * 1e3 / ns;
  return static_cast<std::int32_t>(std::clamp(mbps, 1.0, static_cast<double>(INT_MAX)));
}

std::int32_t measure_clock_mhz() {
  constexpr std::size_t rounds = 8;
  constexpr std::size_t steps = 25'000;
  // The compiler does not know the summand, and each sum depends on the previous one: one cycle per sum.
  std::uint64_t x = core::now_ns();
  const std::uint64_t y = x | 1;
  std::uint64_t best = UINT64_MAX;
  for (std::size_t round = 0; round < rounds; ++round) {
    const std::uint64_t begin = core::now_ns();
    for (std::size_t step = 0; step < steps; ++step) {
      for (int i = 0; i < 8; ++i) {
        x += y;
        asm volatile("" : "+r"(x));
      }
    }
    best = std::min(best, core::now_ns() - begin);
  }
  const double mhz = 8.0 * steps * 1e3 / static_cast<double>(std::max<std::uint64_t>(best, 1));
  return static_cast<std::int32_t>(std::clamp(mhz, 1.0, static_cast<double>(INT_MAX)));
}

void use_medians(std::span<const UnitHardware> hardware, std::span<const std::int32_t> units,
                 std::span<Capability> measured) {
  struct Values {
    std::vector<std::int32_t> memory;
    std::vector<std::int32_t> clock;
  };
  // A host may have cores of several kinds with different clock rates.
  using Kind = std::tuple<std::int32_t, int, int, int>;
  const auto kind_of = [&](std::size_t i) -> Kind {
    const UnitHardware& unit = hardware[static_cast<std::size_t>(units[i])];
    return {unit.host, unit.hwinfo.num_cores, unit.hwinfo.num_numa, unit.hwinfo.max_cpu_mhz};
  };
  std::map<Kind, Values> kinds;
  for (std::size_t i = 0; i < units.size(); ++i) {
    Values& values = kinds[kind_of(i)];
    if (measured[i].is_specified == 0) values.memory.push_back(measured[i].memory_mbps);
    values.clock.push_back(measured[i].clock_mhz);
  }
  std::map<Kind, Capability> medians;
  for (auto& [kind, values] : kinds) {
    Capability& of_kind = medians[kind];
    if (!values.memory.empty()) of_kind.memory_mbps = median(values.memory);
    of_kind.clock_mhz = median(values.clock);
  }
  for (std::size_t i = 0; i < units.size(); ++i) {
    const Capability& of_kind = medians.at(kind_of(i));
    if (measured[i].is_specified == 0) measured[i].memory_mbps = of_kind.memory_mbps;
    measured[i].clock_mhz = of_kind.clock_mhz;
  }
}

}  // namespace dash::dart
