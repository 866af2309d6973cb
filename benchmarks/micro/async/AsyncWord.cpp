// dash-bench: units=2 layouts=node quick=node
//
// copy_async of one word of another unit on the same node, including its future, compared with the plain
// access.

#include <algorithm>
#include <stdexcept>

#include "async/future/CountAllocations.h"
#include "dash/Array.h"
#include "dash/GlobPtr.h"
#include "dash/algorithm/Copy.h"
#include "support/Comparison.h"
#include "support/Measure.h"
#include "support/Table.h"
#include "support/TimedOperation.h"
#include "support/World.h"

using namespace dash::bench;

namespace {

constexpr int target = 1;
constexpr long words = 4096;  // 32 KiB

void add_comparison(const std::string& name, const TimedOperation& ours,
                    const TimedOperation& baseline, Table& table) {
  table.add(make_row(name, "8 B", baseline.name,
                     compare(make_candidate(ours), make_candidate(baseline)),
                     overhead_at_most_ns(15)));
}

/// \param through  names the type of `begin`: a global pointer or an iterator of an array
template <class Begin>
void measure_words(const std::string& through, const Begin& begin, volatile long* memory,
                   const World& world, Table& table) {
  const auto get = [=](long i) {
    long value;
    const auto from = begin + i % words;
    dash::copy_async(from, from + 1, &value).wait();
    do_not_optimize(value);
  };
  const auto put = [=](long i) { dash::copy_async(&i, &i + 1, begin + i % words).wait(); };
  add_comparison(
      "copy_async from " + through + ", wait", {"", PeerWait::dart_barrier, get},
      {"plain load", PeerWait::dart_barrier, [=](long i) { do_not_optimize(memory[i % words]); }},
      table);
  add_comparison("copy_async to " + through + ", wait", {"", PeerWait::dart_barrier, put},
                 {"plain store", PeerWait::dart_barrier, [=](long i) { memory[i % words] = i; }},
                 table);
  if (!world.is_first_unit()) return;
  const std::size_t before = allocations;
  for (long i = 0; i < words; ++i) {
    get(i);
    put(i);
  }
  const std::size_t counted = allocations - before;
  Row row{"  allocations", "", std::to_string(counted), "", "", ""};
  row.goal = "none";
  row.met = counted == 0;
  row.figures = {{static_cast<double>(counted)}, {}, {}, "allocations"};
  table.add(row);
}

void measure(const World& world) {
  if (world.units() < 2) throw std::runtime_error("this benchmark needs two units");
  if (!world.on_one_node()) throw std::runtime_error("this benchmark needs all units on one node");
  const GlobalMemory memory(words * sizeof(long));
  auto* const mapped = reinterpret_cast<volatile long*>(memory.address(target));
  Table table;
  measure_words("a GlobPtr", dash::GlobPtr<long>(memory.at(target)), mapped, world, table);
  {
    dash::Array<long> array(static_cast<std::size_t>(words * world.units()));
    measure_words("an Array", array.begin() + target * words, mapped, world, table);
  }
  if (world.is_first_unit()) table.print();
}

}  // namespace

int main(int argc, char** argv) {
  return run_program(argc, argv, measure);
}
