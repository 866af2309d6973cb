// dash-bench: units=2 layouts=node quick=node
//
// The latency of one element of another unit on the same node: through a GlobRef compared with plain
// accesses through the mapped memory, and through the C interface compared with MPI. The latency of
// signals, compared with a flag in shared memory whose waiters may sleep: set alone, set after data, and as
// a ping-pong between two units.
//
// An argument selects the rows whose names contain it.

#include <dash/Array.h>
#include <dash/GlobRef.h>
#include <dash/Signal.h>
#include <dash/core/Spin.h>

#include <array>
#include <atomic>
#include <cstdint>
#include <cstring>
#include <stdexcept>
#include <string>

#include "support/Comparison.h"
#include "support/Table.h"
#include "support/TimedOperation.h"
#include "support/World.h"

using namespace dash::bench;

namespace {

constexpr int target = 1;
/// The words that the accesses iterate over cyclically: 32 KiB.
constexpr long words = 4096;

dart_gptr_t word_at(dart_gptr_t begin, long i) {
  begin.addr_or_offs.offset = static_cast<std::uint64_t>(i % words) * sizeof(long);
  return begin;
}

std::string filter;  // the argument of the program

bool is_selected(const std::string& name) {
  return name.find(filter) != std::string::npos;
}

void add_comparison(const char* name, const TimedOperation& ours, const TimedOperation& baseline,
                    const Goal& goal, Table& table) {
  if (!is_selected(name)) return;
  table.add(make_row(name, "8 B", baseline.name,
                     compare(make_candidate(ours), make_candidate(baseline)), goal));
}

void measure_references(dart_gptr_t begin, char* mapped, Table& table) {
  // `volatile` prevents the compiler from removing or reordering the plain accesses.
  auto* const memory = reinterpret_cast<volatile long*>(mapped);
  add_comparison(
      "put through GlobRef",
      {"", PeerWait::dart_barrier, [=](long i) { dash::GlobRef<long>(word_at(begin, i)) = i; }},
      {"plain store", PeerWait::dart_barrier, [=](long i) { memory[i % words] = i; }},
      overhead_at_most_ns(5), table);
  add_comparison(
      "get through GlobRef",
      {"", PeerWait::dart_barrier,
       [=](long i) {
         const long value = dash::GlobRef<long>(word_at(begin, i));
         do_not_optimize(value);
       }},
      {"plain load", PeerWait::dart_barrier, [=](long i) { do_not_optimize(memory[i % words]); }},
      overhead_at_most_ns(5), table);
}

void measure_mpi_comparison(dart_gptr_t begin, MPI_Win window, Table& table) {
  const auto offset = [](long i) { return static_cast<MPI_Aint>(i % words * 8); };
  add_comparison("blocking put",
                 {"", PeerWait::dart_barrier,
                  [=](long i) {
                    dart_put_blocking(word_at(begin, i), &i, 1, DART_TYPE_LONG, DART_TYPE_LONG);
                  }},
                 {"MPI_Put, flush", PeerWait::mpi_barrier,
                  [=](long i) {
                    MPI_Put(&i, 1, MPI_LONG, target, offset(i), 1, MPI_LONG, window);
                    MPI_Win_flush(target, window);
                  }},
                 {}, table);
  add_comparison("blocking get",
                 {"", PeerWait::dart_barrier,
                  [=](long i) {
                    long value;
                    dart_get_blocking(&value, word_at(begin, i), 1, DART_TYPE_LONG, DART_TYPE_LONG);
                    do_not_optimize(value);
                  }},
                 {"MPI_Get, flush", PeerWait::mpi_barrier,
                  [=](long i) {
                    long value;
                    MPI_Get(&value, 1, MPI_LONG, target, offset(i), 1, MPI_LONG, window);
                    MPI_Win_flush(target, window);
                    do_not_optimize(value);
                  }},
                 {}, table);
}

/// A flag in shared memory, as programs without signals use it.
struct alignas(64) Flag {
  std::atomic<std::uint32_t> value;
  std::atomic<std::uint32_t> num_sleeping;

  void set(std::uint32_t new_value) {
    value.store(new_value, std::memory_order_seq_cst);
    if (num_sleeping.load(std::memory_order_seq_cst) != 0)
      throw std::runtime_error("no unit sleeps on this flag");
  }
  void await(std::uint32_t expected) const {
    while (value.load(std::memory_order_acquire) != expected)
      dash::core::cpu_relax();
  }
};

Flag* flag_of(const GlobalMemory& flags, int unit) {
  return reinterpret_cast<Flag*>(flags.address(unit));
}

/// Sets signals of unit 1, which waits in a barrier at the same time.
void measure_set(const GlobalMemory& flags, const dash::SignalArray& signals, Table& table) {
  const dash::GlobSignal signal = signals(dash::team_unit_t(target));
  Flag* const flag = flag_of(flags, target);
  const Flag* const own_flag = flag_of(flags, 0);
  add_comparison(
      "set a signal",
      {"", PeerWait::dart_barrier, [=](long i) { signal.set(static_cast<dash::signal_t>(i)); }},
      {"flag in shared memory", PeerWait::dart_barrier,
       [=](long i) { flag->set(static_cast<unsigned>(i)); }},
      overhead_at_most_ns(5), table);
  add_comparison("set a signal, GlobSignal made each time",
                 {"", PeerWait::dart_barrier,
                  [=, &signals](long i) {
                    signals(dash::team_unit_t(target)).set(static_cast<dash::signal_t>(i));
                  }},
                 {"flag in shared memory", PeerWait::dart_barrier,
                  [=](long i) { flag->set(static_cast<unsigned>(i)); }},
                 overhead_at_most_ns(5), table);
  const dash::Signal own = signals[0];
  add_comparison(
      "test a set signal",
      {"", PeerWait::dart_barrier, [=](long) { do_not_optimize(own.test(0)); }},
      {"load", PeerWait::dart_barrier,
       [=](long) { do_not_optimize(own_flag->value.load(std::memory_order_acquire) == 0); }},
      overhead_at_most_ns(5), table);
}

void measure_signalled_put(std::size_t nbytes, Flag* flag, char* mapped,
                           const dash::SignalArray& signals, dash::Array<char>& array,
                           Table& table) {
  const std::string name = "put_signal_async, wait";
  if (!is_selected(name)) return;
  static std::array<char, words * sizeof(long)> data{};
  const auto out = array.begin() + static_cast<std::ptrdiff_t>(array.size() / 2);
  const dash::GlobSignal signal = signals(dash::team_unit_t(target));
  const TimedOperation ours{"", PeerWait::dart_barrier, [=](long i) {
                              dash::put_signal_async(data.data(), data.data() + nbytes, out, signal,
                                                     static_cast<dash::signal_t>(i))
                                  .wait();
                            }};
  const TimedOperation baseline{"memcpy, flag in shared memory", PeerWait::dart_barrier,
                                [=](long i) {
                                  std::memcpy(mapped, data.data(), nbytes);
                                  flag->set(static_cast<unsigned>(i));
                                }};
  table.add(make_row(name, format_size(nbytes), baseline.name,
                     compare(make_candidate(ours), make_candidate(baseline)),
                     overhead_at_most_ns(15)));
}

/// Ping-pong of signals between two units, both of which spin.
void measure_ping_pong(const GlobalMemory& flags, const dash::SignalArray& signals,
                       const World& world, Table& table) {
  const std::string name = "signal ping-pong";
  if (world.units() != 2 || world.is_oversubscribed() || !is_selected(name)) return;
  constexpr long round_trips = 2000;
  const bool is_first_unit = world.is_first_unit();
  const dash::GlobSignal other = signals(dash::team_unit_t(1 - world.unit()));
  const dash::Signal own = signals[0];
  const auto timed = [](const auto& round_trip) {
    return [=] {
      check(dart_barrier(DART_TEAM_ALL));
      const double ns = measure_ns_per_call(round_trips, round_trip);
      check(dart_barrier(DART_TEAM_ALL));
      return ns;
    };
  };
  own.reset();
  dash::signal_t count = 0;
  const auto ours = timed([=, &count](long) {
    ++count;
    if (is_first_unit) other.set(count);
    own.wait_until(count);
    if (!is_first_unit) other.set(count);
  });
  Flag* const own_flag = flag_of(flags, world.unit());
  Flag* const other_flag = flag_of(flags, 1 - world.unit());
  own_flag->value = 0;
  unsigned num_set = 0;
  const auto baseline = timed([=, &num_set](long) {
    ++num_set;
    if (is_first_unit) other_flag->set(num_set);
    own_flag->await(num_set);
    if (!is_first_unit) other_flag->set(num_set);
  });
  table.add(make_row(name, "2 units", "flags in shared memory, spinning", compare(ours, baseline),
                     ratio_at_most(1.25)));
}

void measure_signals(char* mapped, const World& world, Table& table) {
  dash::Array<char> array(static_cast<std::size_t>(world.units()) * words * sizeof(long));
  const GlobalMemory flags(sizeof(Flag));
  const dash::SignalArray signals;
  measure_set(flags, signals, table);
  for (const std::size_t nbytes : {8UL, 512UL, 4096UL})
    measure_signalled_put(nbytes, flag_of(flags, target), mapped, signals, array, table);
  measure_ping_pong(flags, signals, world, table);
  check(dart_barrier(DART_TEAM_ALL));
}

void measure(const World& world) {
  if (world.units() < 2 || !world.on_one_node()) {
    throw std::runtime_error("this benchmark needs two units on one node");
  }
  constexpr std::size_t nbytes = words * sizeof(long);
  const GlobalMemory memory(nbytes);
  const MpiWindow window(nbytes);
  Table table;
  measure_references(memory.at(target), memory.address(target), table);
  measure_signals(memory.address(target), world, table);
  measure_mpi_comparison(memory.at(target), window.get(), table);
  if (world.is_first_unit()) table.print();
}

}  // namespace

int main(int argc, char** argv) {
  if (argc > 1) filter = argv[1];
  return run_program(argc, argv, measure);
}
