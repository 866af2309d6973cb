// dash-bench: units=2 layouts=node quick=node
//
// The cost of an access to an element: in local memory (the update of the GUPS benchmark of the DASH
// paper), through global iterators, and to elements of another unit on the same node.

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <cstdlib>
#include <memory>
#include <stdexcept>
#include <string>
#include <vector>

#include "dash/Array.h"
#include "dash/Atomic.h"
#include "dash/Matrix.h"
#include "support/Comparison.h"
#include "support/Measure.h"
#include "support/Table.h"
#include "support/World.h"

using namespace dash::bench;

namespace {

using Value = std::int64_t;
constexpr double sample_ns = 200'000;
constexpr std::size_t page = 4096;

/// Makes a candidate of a pass over all elements on unit 0. Repeats the pass so that a sample takes
/// `sample_ns`, and divides the time by the number of elements.
template <class Pass>
Candidate passes(std::size_t elements, const Pass& pass) {
  return [=] {
    return measure_on_first_unit(PeerWait::dart_barrier, [&] {
      const double each_ns = measure_ns_per_call(1, [&](long) { pass(); });
      return measure_ns_per_call(repetitions_within(sample_ns, each_ns), [&](long) { pass(); }) /
             static_cast<double>(elements);
    });
  };
}

void add_comparison(const std::string& name, std::size_t nbytes, const Candidate& ours,
                    const std::string& baseline_name, const Candidate& baseline, const Goal& goal,
                    Table& table) {
  table.add(make_row(name, format_size(nbytes), baseline_name, compare(ours, baseline), goal));
}

/// Increments each element `rounds` times by subscript. The compiler may keep the address of the elements
/// from one round to the next.
template <class Elements>
void update_subscript(Elements& elements, std::size_t count, std::size_t rounds) {
  for (std::size_t round = 0; round < rounds; ++round) {
    for (std::size_t i = 0; i < count; ++i)
      elements[i] += 1;
    do_not_optimize(round);
  }
  clobber_memory(&elements[0]);
}
template <class Iterator>
void update_range(Iterator begin, Iterator end, std::size_t rounds) {
  for (std::size_t round = 0; round < rounds; ++round) {
    for (Iterator it = begin; it != end; ++it)
      *it += 1;
    do_not_optimize(round);
  }
  clobber_memory(&*begin);
}

void measure_local_update(std::size_t nbytes, const World& world, Table& table) {
  const std::size_t count = nbytes / sizeof(Value);
  dash::Array<Value> array(count * static_cast<std::size_t>(world.units()));
  // Aligned as the library's memory, so that only the access differs.
  const std::unique_ptr<Value, decltype(&std::free)> memory(
      static_cast<Value*>(std::aligned_alloc(page, nbytes)), &std::free);
  Value* const raw = memory.get();
  std::fill(raw, raw + count, 0);
  std::vector<Value> vector(count);
  array.barrier();
  const auto goal = speed_at_least(0.98);
  const std::size_t rounds = std::max<std::size_t>((std::size_t{1} << 16) / nbytes, 1);
  const auto timed = [&](const auto& update) { return passes(count * rounds, update); };
  const Candidate subscript = timed([&, count] { update_subscript(array.local, count, rounds); });
  const Candidate raw_subscript = timed([raw, count, rounds] {
    Value* elements = raw;
    update_subscript(elements, count, rounds);
  });
  const Candidate raw_pointer =
      timed([raw, count, rounds] { update_range(raw, raw + count, rounds); });
  add_comparison("local[i] += 1", nbytes, subscript, "raw array", raw_subscript, goal, table);
  add_comparison("local[i] += 1 by iterators", nbytes,
                 timed([&] { update_range(array.local.begin(), array.local.end(), rounds); }),
                 "raw array", raw_pointer, goal, table);
  add_comparison("local[i] += 1 by lbegin() and lend()", nbytes,
                 timed([&] { update_range(array.lbegin(), array.lend(), rounds); }), "raw array",
                 raw_pointer, goal, table);
  add_comparison("local[i] += 1", nbytes, subscript, "std::vector",
                 timed([&] { update_subscript(vector, count, rounds); }), speed_at_least(1), table);
}

/// A plain loop that reads the elements of a range, and one that writes them.
template <class Iterator>
void sum_of(Iterator begin, Iterator end) {
  Value sum = 0;
  for (Iterator it = begin; it != end; ++it)
    sum += *it;
  do_not_optimize(sum);
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

/// \param first  an iterator to the first of `count` elements, all of one unit
template <class Iterator>
void measure_loop(const std::string& range_name, const Iterator& first, std::size_t count,
                  Table& table) {
  Value* const raw = mapped_begin(first.dart_gptr());
  const Iterator last = first + static_cast<std::ptrdiff_t>(count);
  const auto nbytes = count * sizeof(Value);
  add_comparison("reading loop over " + range_name, nbytes,
                 passes(count, [=] { sum_of(first, last); }), "raw loop",
                 passes(count, [=] { sum_of(raw, raw + count); }), overhead_at_most_ns(2), table);
  add_comparison("writing loop over " + range_name, nbytes,
                 passes(count, [=] { set_all(first, last); }), "raw loop",
                 passes(count, [=] { set_all(raw, raw + count); }), overhead_at_most_ns(2), table);
}

/// Reads a[i] in an order that prevents prefetching and vectorization.
template <class Elements>
void read_each(Elements& elements, Value first, std::size_t count) {
  Value sum = 0;
  for (std::size_t i = 0; i < count; ++i)
    sum += elements[first + static_cast<Value>((i * 797) & (count - 1))];
  do_not_optimize(sum);
}
template <class Elements>
void write_each(Elements& elements, Value first, std::size_t count) {
  for (std::size_t i = 0; i < count; ++i) {
    elements[first + static_cast<Value>((i * 797) & (count - 1))] = static_cast<Value>(i);
  }
  clobber_memory(&elements);
}

void measure_subscript(dash::Array<Value>& array, Table& table) {
  const auto count = array.size() / array.team().size();
  const auto first = static_cast<Value>(count);
  volatile Value* raw = mapped_begin((array.begin() + first).dart_gptr());
  const auto nbytes = count * sizeof(Value);
  add_comparison("read a[i] of another unit", nbytes,
                 passes(count, [&] { read_each(array, first, count); }), "plain load",
                 passes(count, [&] { read_each(raw, 0, count); }), overhead_at_most_ns(3), table);
  add_comparison("write a[i] of another unit", nbytes,
                 passes(count, [&] { write_each(array, first, count); }), "plain store",
                 passes(count, [&] { write_each(raw, 0, count); }), overhead_at_most_ns(3), table);
}

/// An atomic operation on each element in an order that prevents prefetching.
void measure_atomic(const World& world, Table& table) {
  constexpr std::size_t count = 4096;
  dash::Array<dash::Atomic<Value>> array(count * static_cast<std::size_t>(world.units()));
  const auto first = static_cast<Value>(count);
  Value* const raw = mapped_begin((array.begin() + first).dart_gptr());
  const auto add = [&] {
    for (std::size_t i = 0; i < count; ++i)
      do_not_optimize(array[first + static_cast<Value>((i * 797) & (count - 1))].fetch_add(1));
  };
  const auto raw_add = [=] {
    for (std::size_t i = 0; i < count; ++i)
      do_not_optimize(std::atomic_ref<Value>(raw[(i * 797) & (count - 1)]).fetch_add(1));
  };
  add_comparison("fetch_add of a dash::Atomic of another unit", count * sizeof(Value),
                 passes(count, add), "processor atomic", passes(count, raw_add),
                 time_at_most_us(0.010), table);
}

void measure(const World& world) {
  if (world.units() < 2) throw std::runtime_error("this benchmark needs two units");
  if (!world.on_one_node()) throw std::runtime_error("this benchmark needs all units on one node");
  Table table;
  {
    constexpr std::size_t count = 4096;
    dash::Array<Value> array(count * static_cast<std::size_t>(world.units()));
    measure_subscript(array, table);
    measure_atomic(world, table);
    measure_loop("the local part of an Array", array.begin(), count, table);
    measure_loop("another unit's part of an Array",
                 array.begin() + static_cast<std::ptrdiff_t>(count), count, table);
    measure_loop("a range of GlobPtr", dash::GlobPtr<Value>(array.begin().dart_gptr()), count,
                 table);
    dash::NArray<Value, 2> matrix(64 * static_cast<std::size_t>(world.units()), 64);
    measure_loop("the local rows of an NArray", matrix.begin(), count, table);
    measure_loop("a row of an NArray", matrix.row(3).begin(), 64, table);
  }
  for (const std::size_t nbytes : {std::size_t{1} << 10, std::size_t{1} << 14, std::size_t{1} << 18,
                                   std::size_t{1} << 22, std::size_t{1} << 26}) {
    measure_local_update(nbytes, world, table);
  }
  if (world.is_first_unit()) table.print();
}

}  // namespace

int main(int argc, char** argv) {
  return run_program(argc, argv, measure);
}
