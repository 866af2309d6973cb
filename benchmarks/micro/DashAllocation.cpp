// dash-bench: units=2 layouts=node
//
// What many small arrays cost: time to allocate and free them, and memory beyond their elements.

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

/// Of this process, in KiB: its own, of files, shared.
long resident_kib() {
  long total = 0;
  std::ifstream status("/proc/self/status");
  for (std::string word; status >> word;) {
    long kib = 0;
    if ((word == "RssAnon:" || word == "RssFile:" || word == "RssShmem:") && status >> kib) {
      total += kib;
    }
  }
  return total;
}

void measure_time(Table& table) {
  Samples allocations;
  Samples frees;
  for (int i = 0; i < 21; ++i) {
    dash::barrier();
    const std::uint64_t begin = dash::core::now_ns();
    Arrays arrays = allocate();
    const std::uint64_t middle = dash::core::now_ns();
    arrays.clear();
    const std::uint64_t end = dash::core::now_ns();
    allocations.push_back(static_cast<double>(middle - begin) / count);
    frees.push_back(static_cast<double>(end - middle) / count);
  }
  const Outcome outcome = outcome_of(allocations, frees, frees);
  table.add(row_of("allocation, one of 1,000 arrays of 1 KiB", size_of(nbytes_each), "its free",
                   outcome, us_at_most(30)));
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
  table.add({"memory of one of them, largest of all units", size_of(nbytes_each),
             fmt::format("{} B", bytes), "elements, a page, 128 B", fmt::format("{} B", allowed),
             fmt::format("{:.3g}", static_cast<double>(bytes) / static_cast<double>(allowed)),
             fmt::format("<= {} B", allowed), bytes <= allowed});
}

void measure(const World& world) {
  Table table;
  measure_memory(world, table);
  measure_time(table);
  if (world.leads()) table.print();
}

}  // namespace

int main(int argc, char** argv) {
  return run_program(argc, argv, measure);
}
