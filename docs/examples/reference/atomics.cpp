// Atomic operations: elements, asynchronous operations, plain elements, native memory, and the C interface.
// dash-example: units=1,3,4 layouts=node,nolocal
#include <dash/atomic/Futures.h>
#include <libdash.h>

#include <algorithm>
#include <atomic>
#include <vector>

namespace {

int operations() {
  const int units = static_cast<int>(dash::size());
  const int me = dash::myid().id;
  // --8<-- [start:elements]
  dash::Array<dash::Atomic<int>> counters(4);  // 0, distributed like any other array
  counters[0].add(1);
  const int ticket = counters[1].fetch_add(1);  // the old value: each unit gets another one
  counters[2].op(dash::max<int>(), me);
  counters.barrier();
  const int total = counters[0].load();    // number of units
  const int highest = counters[2].load();  // the largest id
  // --8<-- [end:elements]
  int wrong = total == units && highest == units - 1 && ticket >= 0 && ticket < units ? 0 : 1;
  counters.barrier();

  // --8<-- [start:compare-exchange]
  // Adds 5, but not beyond 100.
  const auto element = counters[3];
  for (int seen = element.load(); seen < 100; seen = element.load())
    if (element.compare_exchange(seen, std::min(seen + 5, 100))) break;
  // --8<-- [end:compare-exchange]

  // --8<-- [start:function]
  // The same with a function: the library repeats it until no other unit intervenes.
  counters[3].op([](int value, int step) { return std::min(value + step, 100); }, 5);
  // --8<-- [end:function]
  counters.barrier();
  return wrong + (counters[3].load() == std::min(10 * units, 100) ? 0 : 1);
}

int asynchronous() {
  const auto units = static_cast<long>(dash::size());
  // --8<-- [start:async]
  dash::Array<dash::Atomic<long>> sums(100);
  std::vector<long> old(100, -1);
  for (long i = 0; i < 100; ++i)
    sums.async[i].fetch_add(i, &old[static_cast<std::size_t>(i)]);
  sums.flush();  // all additions are complete, and the old values are valid
  // --8<-- [end:async]
  int wrong = 0;
  for (long i = 1; i < 100; ++i) {
    const long before = old[static_cast<std::size_t>(i)];
    wrong += before >= 0 && before % i == 0 && before < units * i ? 0 : 1;
  }
  sums.barrier();
  return wrong + (sums[99].load() == 99 * units ? 0 : 1);
}

int futures() {
  const int units = static_cast<int>(dash::size());
  // --8<-- [start:futures]
  dash::Array<dash::Atomic<int>> free_slots(dash::size());
  const int own = dash::myid();
  const int next = (own + 1) % units;
  free_slots[own].store(units);
  free_slots.barrier();

  dash::Future<int> slots = dash::atomic::fetch_sub_async(free_slots[next], 1);
  // Other work may follow here.
  dash::Future<bool> got_one = slots.then([](int before) { return before > 0; });
  // --8<-- [end:futures]
  const int wrong = got_one.get() ? 0 : 1;
  free_slots.barrier();
  return wrong + (free_slots[own].load() == units - 1 ? 0 : 1);
}

int plain_elements() {
  const int units = static_cast<int>(dash::size());
  // --8<-- [start:plain]
  dash::Array<int> numbers(dash::size());
  dash::GlobRef<dash::Atomic<int>>(numbers[0]).add(1);  // a reference to the same element
  numbers.barrier();
  const int sum = numbers[0];  // a plain access, ordered by the barrier
  // --8<-- [end:plain]
  int wrong = sum == units ? 0 : 1;
  numbers.barrier();

  // --8<-- [start:native]
  // The owner may use std::atomic_ref on its memory while other units use atomic references.
  const int right = (dash::myid().id + 1) % units;
  dash::GlobRef<dash::Atomic<int>>(numbers[right]).add(10);
  std::atomic_ref<int>(numbers.local[0]).fetch_add(100);
  // --8<-- [end:native]
  numbers.barrier();
  return wrong + (numbers.local[0] == 110 + (dash::myid().id == 0 ? units : 0) ? 0 : 1);
}

int c_interface() {
  const long units = static_cast<long>(dash::size());
  dash::Array<long> numbers(2);
  // --8<-- [start:c]
  const dart_gptr_t first = numbers.gptr_at(0);
  const dart_gptr_t second = numbers.gptr_at(1);
  const long one = 1;
  const long empty = 0;
  const long mine = 1 + dash::myid().id;
  long old_number = 0;
  long old_owner = 0;
  dart_fetch_and_op(first, &one, &old_number, DART_TYPE_LONG, DART_OP_SUM);
  dart_compare_and_swap(second, &mine, &empty, &old_owner, DART_TYPE_LONG);
  dart_flush_all(first);                     // the results are valid, and the effects are visible
  const bool is_owner = old_owner == empty;  // exactly one unit has replaced the 0
  // --8<-- [end:c]
  numbers.barrier();
  const long owners = dash::allreduce_async(long{is_owner ? 1 : 0}, dash::plus<long>()).get();
  const bool right = numbers[0] == units && owners == 1 && (!is_owner || numbers[1] == mine) &&
                     old_number >= 0 && old_number < units;
  numbers.barrier();
  return right ? 0 : 1;
}

}  // namespace

int main(int argc, char** argv) {
  dash::init(&argc, &argv);
  int wrong = operations();
  wrong += asynchronous();
  wrong += futures();
  wrong += plain_elements();
  wrong += c_interface();
  dash::finalize();
  return wrong == 0 ? 0 : 1;
}
