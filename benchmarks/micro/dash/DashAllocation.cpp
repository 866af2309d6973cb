// dash-bench: units=2 layouts=node
//
// What many small arrays cost: time to allocate and free them, against windows that MPI allocates, and
// memory beyond their elements.

#include <fmt/core.h>

#include <algorithm>
#include <cstdint>
#include <fstream>
#include <string>
#include <vector>

#include "dash/Array.h"
#include "dash/Init.h"
#include "support/Contest.h"
#include "support/Table.h"
#include "support/World.h"

using namespace dash::bench;

namespace {

constexpr std::size_t count = 1000;
constexpr std::size_t nbytes_each = 1024;
/// Of MPI at a time: each takes one of its some 2,000 communicators.
constexpr std::size_t num_windows = 100;
constexpr std::size_t page = 4096;
constexpr std::size_t allowed_beyond = 128;

using Arrays = std::vector<dash::Array<char>>;

Arrays allocate() {
  Arrays arrays;
  arrays.reserve(count);
  for (std::size_t i = 0; i < count; ++i)
    arrays.emplace_back(nbytes_each);
  return arrays;
}

/// Of this process, in KiB. Counted page by page: the sums in the status of a process are off by some
/// pages for each thread or processor.
long resident_kib() {
  std::ifstream rollup("/proc/self/smaps_rollup");
  for (std::string word; rollup >> word;) {
    long kib = 0;
    if (word == "Rss:" && rollup >> kib) return kib;
  }
  return 0;
}

/// Windows of as many bytes over all units, of memory that MPI allocates.
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

/// Nanoseconds for each of so many, which are allocated, then freed.
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
  Times twin;
  Times twin_again;
  const auto make_windows = [&] { return Windows(world.units()); };
  for (int i = 0; i < 21; ++i) {
    ours.sample(count, allocate);
    twin.sample(num_windows, make_windows);
    twin_again.sample(num_windows, make_windows);
  }
  table.add(row_of(
      "allocation, one of 1,000 arrays of 1 KiB", size_of(nbytes_each), "MPI_Win_allocate",
      outcome_of(ours.allocations, twin.allocations, twin_again.allocations), us_at_most(30)));
  table.add(row_of("  its free", size_of(nbytes_each), "MPI_Win_free",
                   outcome_of(ours.frees, twin.frees, twin_again.frees)));
}

void measure_memory(const World& world, Table& table) {
  const std::size_t elements = nbytes_each / static_cast<std::size_t>(world.units());
  const long before = resident_kib();
  Arrays arrays = allocate();
  for (auto& array : arrays)
    std::fill(array.lbegin(), array.lend(), 'x');
  long bytes = (resident_kib() - before) * 1024 / static_cast<long>(count);
  check(dart_allreduce(&bytes, &bytes, 1, DART_TYPE_LONG, DART_OP_MAX, DART_TEAM_ALL));
  const auto allowed = static_cast<long>(elements + page + allowed_beyond);
  table.add(with_figures(
      {"memory of one of them, largest of all units", size_of(nbytes_each),
       fmt::format("{} B", bytes), "elements, a page, 128 B", fmt::format("{} B", allowed),
       fmt::format("{:.3g}", static_cast<double>(bytes) / static_cast<double>(allowed)),
       fmt::format("<= {} B", allowed), bytes <= allowed},
      {{static_cast<double>(bytes)}, {static_cast<double>(allowed)}, {}, "B"}));
}

void measure(const World& world) {
  Table table;
  measure_memory(world, table);
  measure_time(world, table);
  if (world.leads()) table.print();
}

}  // namespace

int main(int argc, char** argv) {
  return run_program(argc, argv, measure);
}
