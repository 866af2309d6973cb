// dash-bench: units=1,2 layouts=node
//
// Scans of 2^26 elements, compared with the time of two passes over memory at the bandwidth of memcpy: one
// pass reads the elements, the other reads and writes them. A memcpy by all workers of all units reads and
// writes each element once, so the baseline is 1.5 times its time.

#include <fmt/core.h>

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <functional>
#include <string>

#include "dash/Array.h"
#include "dash/Init.h"
#include "dash/algorithm/Iota.h"
#include "dash/algorithm/Scan.h"
#include "dash/async/Executor.h"
#include "support/Comparison.h"
#include "support/Table.h"
#include "support/World.h"

using namespace dash::bench;

namespace {

constexpr std::size_t count = std::size_t{1} << 26;
constexpr int rounds = 21;

/// Times the call between two barriers.
Candidate between_barriers(std::function<void()> run) {
  return [run = std::move(run)] {
    dash::barrier();
    return measure_ns_per_call(1, [&](long) {
      run();
      dash::barrier();
    });
  };
}

/// 1.5 times the time of a copy of the local elements of all units.
template <class T>
Candidate two_memory_passes(dash::Array<T>& in, dash::Array<T>& out) {
  const Candidate copy = between_barriers([&] {
    const auto workers = static_cast<std::size_t>(dash::exec::executor_workers());
    const std::size_t each = (in.lsize() + workers - 1) / workers;
    dash::exec::run_chunks(workers, [&](std::size_t worker) {
      const std::size_t begin = std::min(worker * each, in.lsize());
      const std::size_t end = std::min(begin + each, in.lsize());
      std::memcpy(out.lbegin() + begin, in.lbegin() + begin, (end - begin) * sizeof(T));
    });
  });
  return [copy] { return 1.5 * copy(); };
}

template <class T>
void measure_type(const std::string& type, const World& world, Table& table) {
  dash::Array<T> in(count);
  dash::Array<T> out(count);
  dash::iota(in, T{1});
  dash::iota(out, T{1});
  const std::string size =
      fmt::format("2^26 {}, {} x {}", type, world.units(), dash::exec::executor_workers());
  const Candidate limit = two_memory_passes(in, out);
  const auto add_comparison = [&](const std::string& name, const std::function<void()>& scan) {
    const auto samples = interleave(rounds, {between_barriers(scan), limit, limit});
    table.add(make_row(name, size, "two passes of memcpy",
                       compare_samples(samples[0], samples[1], samples[2]), speed_at_least(0.9)));
  };
  add_comparison("inclusive_scan in place", [&] { dash::inclusive_scan(out, out); });
  add_comparison("inclusive_scan", [&] { dash::inclusive_scan(in, out); });
  add_comparison("exclusive_scan", [&] { dash::exclusive_scan(in, out, T{0}); });
}

void measure(const World& world) {
  Table table;
  measure_type<double>("doubles", world, table);
  measure_type<std::int64_t>("int64", world, table);
  if (world.is_first_unit()) table.print();
}

}  // namespace

int main(int argc, char** argv) {
  return run_program(argc, argv, measure);
}
