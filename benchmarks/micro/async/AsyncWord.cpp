// dash-bench: units=2 layouts=node quick=node
//
// copy_async of one word of another unit on the node, with its future, against the bare access.

#include <algorithm>
#include <stdexcept>

#include "async/future/CountAllocations.h"
#include "dash/Array.h"
#include "dash/GlobPtr.h"
#include "dash/algorithm/Copy.h"
#include "support/Contest.h"
#include "support/Measure.h"
#include "support/Table.h"
#include "support/Way.h"
#include "support/World.h"

using namespace dash::bench;

namespace {

constexpr int target = 1;
/// 32 KiB.
constexpr long words = 4096;

void compare(const std::string& what, const Way& ours, const Way& twin, Table& table) {
  table.add(row_of(what, "8 B", twin.name, contest(contestant(ours), contestant(twin)),
                   ns_more_at_most(15)));
}

/// Through what a word is reached: a pointer, or the iterator of an array.
template <class Begin>
void measure_words(const std::string& through, const Begin& begin, volatile long* memory,
                   const World& world, Table& table) {
  const auto get = [=](long i) {
    long value;
    const auto from = begin + i % words;
    dash::copy_async(from, from + 1, &value).wait();
    keep(value);
  };
  const auto put = [=](long i) { dash::copy_async(&i, &i + 1, begin + i % words).wait(); };
  compare("copy_async from " + through + ", wait", {"", Peers::asleep, get},
          {"bare load", Peers::asleep, [=](long i) { keep(memory[i % words]); }}, table);
  compare("copy_async to " + through + ", wait", {"", Peers::asleep, put},
          {"bare store", Peers::asleep, [=](long i) { memory[i % words] = i; }}, table);
  if (!world.leads()) return;
  const std::size_t before = allocations;
  for (long i = 0; i < words; ++i) {
    get(i);
    put(i);
  }
  const std::size_t counted = allocations - before;
  Row row{"  allocations of them", "", std::to_string(counted), "", "", ""};
  row.bar = "none";
  row.met = counted == 0;
  row.figures = {{static_cast<double>(counted)}, {}, {}, "allocations"};
  table.add(row);
}

void measure(const World& world) {
  if (world.units() < 2) throw std::runtime_error("needs two units");
  if (!world.on_one_node()) throw std::runtime_error("needs one node");
  const GlobalMemory memory(words * sizeof(long));
  auto* const mapped = reinterpret_cast<volatile long*>(memory.address(target));
  Table table;
  measure_words("a GlobPtr", dash::GlobPtr<long>(memory.at(target)), mapped, world, table);
  {
    dash::Array<long> array(static_cast<std::size_t>(words * world.units()));
    measure_words("an Array", array.begin() + target * words, mapped, world, table);
  }
  if (world.leads()) table.print();
}

}  // namespace

int main(int argc, char** argv) {
  return run_program(argc, argv, measure);
}
