// dash-bench: units=2 layouts=node quick=node
//
// What an access to an element costs: to the unit's own memory (the update of the GUPS benchmark of
// the DASH paper), through global iterators, and to elements of another unit of the node.

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <memory>
#include <stdexcept>
#include <string>
#include <vector>

#include "dash/Array.h"
#include "dash/Matrix.h"
#include "support/Contest.h"
#include "support/Measure.h"
#include "support/Table.h"
#include "support/World.h"

using namespace dash::bench;

namespace {

using Value = std::int64_t;
constexpr double sample_ns = 200'000;
constexpr std::size_t page = 4096;

/// Nanoseconds for an element, of so many passes over all as take a sample's time. Unit 0 alone.
template <class Pass>
Contestant passes(std::size_t elements, const Pass& pass) {
  return [=] {
    return alone(Peers::asleep, [&] {
      const double once = time_each(1, [&](long) { pass(); });
      return time_each(repetitions_within(sample_ns, once), [&](long) { pass(); }) /
             static_cast<double>(elements);
    });
  };
}

void compare(const std::string& what, std::size_t nbytes, const Contestant& ours,
             const std::string& twin_name, const Contestant& twin, const Bar& bar, Table& table) {
  table.add(row_of(what, size_of(nbytes), twin_name, contest(ours, twin), bar));
}

/// Adds one to each element, so many times over, by subscript of whatever has one. The compiler may
/// keep what it knows of the elements' place from one time to the next.
template <class Elements>
void update_subscript(Elements& elements, std::size_t count, std::size_t rounds) {
  for (std::size_t round = 0; round < rounds; ++round) {
    for (std::size_t i = 0; i < count; ++i)
      elements[i] += 1;
    keep(round);
  }
  keep_memory(&elements[0]);
}
template <class Iterator>
void update_range(Iterator begin, Iterator end, std::size_t rounds) {
  for (std::size_t round = 0; round < rounds; ++round) {
    for (Iterator it = begin; it != end; ++it)
      *it += 1;
    keep(round);
  }
  keep_memory(&*begin);
}

void measure_local_update(std::size_t nbytes, const World& world, Table& table) {
  const std::size_t count = nbytes / sizeof(Value);
  dash::Array<Value> array(count * static_cast<std::size_t>(world.units()));
  // Aligned as the library's: what differs is the access.
  const std::unique_ptr<Value, decltype(&std::free)> memory(
      static_cast<Value*>(std::aligned_alloc(page, nbytes)), &std::free);
  Value* const raw = memory.get();
  std::fill(raw, raw + count, 0);
  std::vector<Value> vector(count);
  array.barrier();
  const auto bar = speed_at_least(0.98);
  const std::size_t rounds = std::max<std::size_t>((std::size_t{1} << 16) / nbytes, 1);
  const auto timed = [&](const auto& update) { return passes(count * rounds, update); };
  const Contestant by_subscript =
      timed([&, count] { update_subscript(array.local, count, rounds); });
  const Contestant raw_by_subscript = timed([raw, count, rounds] {
    Value* elements = raw;
    update_subscript(elements, count, rounds);
  });
  const Contestant raw_by_pointer =
      timed([raw, count, rounds] { update_range(raw, raw + count, rounds); });
  compare("local[i] += 1", nbytes, by_subscript, "raw array", raw_by_subscript, bar, table);
  compare("the same by iterators", nbytes,
          timed([&] { update_range(array.local.begin(), array.local.end(), rounds); }), "raw array",
          raw_by_pointer, bar, table);
  compare("the same by lbegin() and lend()", nbytes,
          timed([&] { update_range(array.lbegin(), array.lend(), rounds); }), "raw array",
          raw_by_pointer, bar, table);
  compare("local[i] += 1", nbytes, by_subscript, "std::vector",
          timed([&] { update_subscript(vector, count, rounds); }), speed_at_least(1), table);
}

/// The sum of a range, and a value for all of it, as a plain loop has them.
template <class Iterator>
void sum_of(Iterator begin, Iterator end) {
  Value sum = 0;
  for (Iterator it = begin; it != end; ++it)
    sum += *it;
  keep(sum);
}
template <class Iterator>
void set_all(Iterator begin, Iterator end) {
  Value value = 0;
  for (Iterator it = begin; it != end; ++it)
    *it = ++value;
}

Value* mapped_begin(dart_gptr_t gptr) {
  return static_cast<Value*>(dash::dart::on_node_address(gptr, sizeof(Value)));
}

/// \param first  an iterator to `count` elements of one unit's
template <class Iterator>
void measure_loop(const std::string& of, const Iterator& first, std::size_t count, Table& table) {
  Value* const raw = mapped_begin(first.dart_gptr());
  const Iterator last = first + static_cast<std::ptrdiff_t>(count);
  const auto nbytes = count * sizeof(Value);
  compare("reading loop over " + of, nbytes, passes(count, [=] { sum_of(first, last); }),
          "raw loop", passes(count, [=] { sum_of(raw, raw + count); }), ns_more_at_most(2), table);
  compare("writing loop over " + of, nbytes, passes(count, [=] { set_all(first, last); }),
          "raw loop", passes(count, [=] { set_all(raw, raw + count); }), ns_more_at_most(2), table);
}

/// a[i] in an order that no prefetcher or vector unit can take advantage of.
template <class Elements>
void read_each(Elements& elements, Value first, std::size_t count) {
  Value sum = 0;
  for (std::size_t i = 0; i < count; ++i)
    sum += elements[first + static_cast<Value>((i * 797) & (count - 1))];
  keep(sum);
}
template <class Elements>
void write_each(Elements& elements, Value first, std::size_t count) {
  for (std::size_t i = 0; i < count; ++i) {
    elements[first + static_cast<Value>((i * 797) & (count - 1))] = static_cast<Value>(i);
  }
  keep_memory(&elements);
}

void measure_subscript(const std::string& what, dash::Array<Value>& array, Table& table) {
  const auto count = array.size() / array.team().size();
  const auto first = static_cast<Value>(count);
  volatile Value* raw = mapped_begin((array.begin() + first).dart_gptr());
  const auto nbytes = count * sizeof(Value);
  compare("read a[i] of another unit" + what, nbytes,
          passes(count, [&] { read_each(array, first, count); }), "bare load",
          passes(count, [&] { read_each(raw, 0, count); }), ns_more_at_most(3), table);
  compare("write a[i] of another unit" + what, nbytes,
          passes(count, [&] { write_each(array, first, count); }), "bare store",
          passes(count, [&] { write_each(raw, 0, count); }), ns_more_at_most(3), table);
}

void measure(const World& world) {
  if (world.units() < 2) throw std::runtime_error("needs two units");
  if (!world.on_one_node()) throw std::runtime_error("needs one node");
  Table table;
  {
    constexpr std::size_t count = 4096;
    dash::Array<Value> array(count * static_cast<std::size_t>(world.units()));
    measure_subscript("", array, table);
    measure_loop("the unit's own part of an Array", array.begin(), count, table);
    measure_loop("another unit's part of an Array",
                 array.begin() + static_cast<std::ptrdiff_t>(count), count, table);
    measure_loop("a GlobPtr's range", dash::GlobPtr<Value>(array.begin().dart_gptr()), count,
                 table);
    dash::NArray<Value, 2> matrix(64 * static_cast<std::size_t>(world.units()), 64);
    measure_loop("the unit's own rows of an NArray", matrix.begin(), count, table);
    measure_loop("a row of an NArray", matrix.row(3).begin(), 64, table);
  }
  for (const std::size_t nbytes : {std::size_t{1} << 10, std::size_t{1} << 14, std::size_t{1} << 18,
                                   std::size_t{1} << 22, std::size_t{1} << 26}) {
    measure_local_update(nbytes, world, table);
  }
  if (world.leads()) table.print();
}

}  // namespace

int main(int argc, char** argv) {
  return run_program(argc, argv, measure);
}
