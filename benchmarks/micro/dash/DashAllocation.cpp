// dash-bench: units=2 layouts=node
//
// The cost of many small arrays: the time to allocate and free them, compared with MPI_Win_allocate, and
// the memory in addition to their elements.

#include <fmt/core.h>

#include <algorithm>
#include <cstdint>
#include <fstream>
#include <string>
#include <vector>

#include "dash/Array.h"
#include "dash/Init.h"
#include "support/Comparison.h"
#include "support/Table.h"
#include "support/World.h"

using namespace dash::bench;

namespace {

constexpr std::size_t count = 1000;
constexpr std::size_t nbytes_each = 1024;
/// The number of MPI windows at a time: each takes one of about 2,000 communicators that MPI provides.
constexpr std::size_t num_windows = 100;
constexpr std::size_t page = 4096;
constexpr std::size_t allowed_overhead = 128;

using Arrays = std::vector<dash::Array<char>>;

Arrays allocate() {
  Arrays arrays;
  arrays.reserve(count);
  for (std::size_t i = 0; i < count; ++i)
    arrays.emplace_back(nbytes_each);
  return arrays;
}

/// \returns the resident memory of this process in KiB. The kernel counts these page by page, whereas the
///          sums in /proc/self/status deviate by some pages for each thread or processor.
long resident_kib() {
  std::ifstream rollup("/proc/self/smaps_rollup");
  for (std::string word; rollup >> word;) {
    long kib = 0;
    if (word == "Rss:" && rollup >> kib) return kib;
  }
  return 0;
}

/// MPI windows with the same number of bytes over all units, in memory that MPI allocates.
class Windows {
 public:
  explicit Windows(int units) : _windows(num_windows, MPI_WIN_NULL) {
    for (MPI_Win& window : _windows) {
      void* memory = nullptr;
      MPI_Win_allocate(nbytes_each / units, 1, MPI_INFO_NULL, MPI_COMM_WORLD, &memory, &window);
    }
  }
  void clear() {
    for (MPI_Win& window : _windows)
      MPI_Win_free(&window);
  }

 private:
  std::vector<MPI_Win> _windows;
};

/// Nanoseconds per object, for allocating n objects and then freeing them.
struct Times {
  Samples allocations;
  Samples frees;

  template <class Allocate>
  void sample(std::size_t n, const Allocate& allocate) {
    dash::barrier();
    const std::uint64_t begin = dash::core::now_ns();
    auto objects = allocate();
    const std::uint64_t middle = dash::core::now_ns();
    objects.clear();
    const std::uint64_t end = dash::core::now_ns();
    allocations.push_back(static_cast<double>(middle - begin) / static_cast<double>(n));
    frees.push_back(static_cast<double>(end - middle) / static_cast<double>(n));
  }
};

void measure_time(const World& world, Table& table) {
  Times ours;
  Times baseline;
  Times baseline_repeated;
  const auto make_windows = [&] { return Windows(world.units()); };
  for (int i = 0; i < 21; ++i) {
    ours.sample(count, allocate);
    baseline.sample(num_windows, make_windows);
    baseline_repeated.sample(num_windows, make_windows);
  }
  table.add(make_row(
      "allocation, each of 1,000 arrays", format_size(nbytes_each), "MPI_Win_allocate",
      compare_samples(ours.allocations, baseline.allocations, baseline_repeated.allocations),
      time_at_most_us(30)));
  table.add(make_row("  deallocation", format_size(nbytes_each), "MPI_Win_free",
                     compare_samples(ours.frees, baseline.frees, baseline_repeated.frees)));
}

void measure_memory(const World& world, Table& table) {
  const std::size_t elements = nbytes_each / static_cast<std::size_t>(world.units());
  const long before = resident_kib();
  Arrays arrays = allocate();
  for (auto& array : arrays)
    std::fill(array.lbegin(), array.lend(), 'x');
  long bytes = (resident_kib() - before) * 1024 / static_cast<long>(count);
  check(dart_allreduce(&bytes, &bytes, 1, DART_TYPE_LONG, DART_OP_MAX, DART_TEAM_ALL));
  const auto allowed = static_cast<long>(elements + page + allowed_overhead);
  table.add(with_figures(
      {"memory of an array, maximum over units", format_size(nbytes_each),
       fmt::format("{} B", bytes), "elements, a page, 128 B", fmt::format("{} B", allowed),
       fmt::format("{:.3g}", static_cast<double>(bytes) / static_cast<double>(allowed)),
       fmt::format("<= {} B", allowed), bytes <= allowed},
      {{static_cast<double>(bytes)}, {static_cast<double>(allowed)}, {}, "B"}));
}

void measure(const World& world) {
  Table table;
  measure_memory(world, table);
  measure_time(world, table);
  if (world.is_first_unit()) table.print();
}

}  // namespace

int main(int argc, char** argv) {
  return run_program(argc, argv, measure);
}
