// dash-bench: units=2 layouts=node quick=node
//
// One element of a unit of the same node: through a GlobRef against the bare access through the
// mapped memory, and by the C interface against MPI. A signal of such a unit, against a flag in shared
// memory by hand that a waiter may sleep on: raised alone, behind data, and to and fro between two
// units.
//
// An argument limits it to rows whose names contain it.

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

#include "support/Contest.h"
#include "support/Table.h"
#include "support/Way.h"
#include "support/World.h"

using namespace dash::bench;

namespace {

constexpr int target = 1;
/// The accesses walk this many words, 32 KiB, again and again.
constexpr long words = 4096;

dart_gptr_t word_at(dart_gptr_t begin, long i) {
  begin.addr_or_offs.offset = static_cast<std::uint64_t>(i % words) * sizeof(long);
  return begin;
}

std::string wanted;

bool is_wanted(const std::string& what) {
  return what.find(wanted) != std::string::npos;
}

void compare(const char* what, const Way& ours, const Way& twin, const Bar& bar, Table& table) {
  if (!is_wanted(what)) return;
  table.add(row_of(what, "8 B", twin.name, contest(contestant(ours), contestant(twin)), bar));
}

void measure_references(dart_gptr_t begin, char* mapped, Table& table) {
  // `volatile` keeps each of the bare accesses, and in order.
  auto* const memory = reinterpret_cast<volatile long*>(mapped);
  compare("put by GlobRef",
          {"", Peers::asleep, [=](long i) { dash::GlobRef<long>(word_at(begin, i)) = i; }},
          {"bare store", Peers::asleep, [=](long i) { memory[i % words] = i; }}, ns_more_at_most(5),
          table);
  compare("get by GlobRef",
          {"", Peers::asleep,
           [=](long i) {
             const long value = dash::GlobRef<long>(word_at(begin, i));
             keep(value);
           }},
          {"bare load", Peers::asleep, [=](long i) { keep(memory[i % words]); }},
          ns_more_at_most(5), table);
}

void measure_against_mpi(dart_gptr_t begin, MPI_Win window, Table& table) {
  const auto offset = [](long i) { return static_cast<MPI_Aint>(i % words * 8); };
  compare("blocking put",
          {"", Peers::asleep,
           [=](long i) {
             dart_put_blocking(word_at(begin, i), &i, 1, DART_TYPE_LONG, DART_TYPE_LONG);
           }},
          {"MPI_Put, flush", Peers::in_mpi,
           [=](long i) {
             MPI_Put(&i, 1, MPI_LONG, target, offset(i), 1, MPI_LONG, window);
             MPI_Win_flush(target, window);
           }},
          {}, table);
  compare("blocking get",
          {"", Peers::asleep,
           [=](long i) {
             long value;
             dart_get_blocking(&value, word_at(begin, i), 1, DART_TYPE_LONG, DART_TYPE_LONG);
             keep(value);
           }},
          {"MPI_Get, flush", Peers::in_mpi,
           [=](long i) {
             long value;
             MPI_Get(&value, 1, MPI_LONG, target, offset(i), 1, MPI_LONG, window);
             MPI_Win_flush(target, window);
             keep(value);
           }},
          {}, table);
}

/// What programs have in shared memory that do it by hand.
struct alignas(64) Flag {
  std::atomic<std::uint32_t> value;
  std::atomic<std::uint32_t> sleepers;

  void raise(std::uint32_t new_value) {
    value.store(new_value, std::memory_order_seq_cst);
    if (sleepers.load(std::memory_order_seq_cst) != 0) throw std::runtime_error("nobody sleeps");
  }
  void await(std::uint32_t wanted_value) const {
    while (value.load(std::memory_order_acquire) != wanted_value)
      dash::core::cpu_relax();
  }
};

Flag* flag_of(const GlobalMemory& flags, int unit) {
  return reinterpret_cast<Flag*>(flags.address(unit));
}

/// Raises signals of unit 1, which waits for other things meanwhile.
void measure_raising(const GlobalMemory& flags, const dash::SignalArray& signals, Table& table) {
  const dash::GlobSignal signal = signals(dash::team_unit_t(target));
  Flag* const flag = flag_of(flags, target);
  const Flag* const own_flag = flag_of(flags, 0);
  compare("set a signal",
          {"", Peers::asleep, [=](long i) { signal.set(static_cast<dash::signal_t>(i)); }},
          {"flag by hand", Peers::asleep, [=](long i) { flag->raise(static_cast<unsigned>(i)); }},
          ns_more_at_most(5), table);
  compare("set a signal, named each time",
          {"", Peers::asleep,
           [=, &signals](long i) {
             signals(dash::team_unit_t(target)).set(static_cast<dash::signal_t>(i));
           }},
          {"flag by hand", Peers::asleep, [=](long i) { flag->raise(static_cast<unsigned>(i)); }},
          ns_more_at_most(5), table);
  const dash::Signal own = signals[0];
  compare("test a signal that has come", {"", Peers::asleep, [=](long) { keep(own.test(0)); }},
          {"load", Peers::asleep,
           [=](long) { keep(own_flag->value.load(std::memory_order_acquire) == 0); }},
          ns_more_at_most(5), table);
}

void measure_signalled_put(std::size_t nbytes, Flag* flag, char* mapped,
                           const dash::SignalArray& signals, dash::Array<char>& array,
                           Table& table) {
  const std::string what = "put_signal_async, wait";
  if (!is_wanted(what)) return;
  static std::array<char, words * sizeof(long)> data{};
  const auto out = array.begin() + static_cast<std::ptrdiff_t>(array.size() / 2);
  const dash::GlobSignal signal = signals(dash::team_unit_t(target));
  const Way ours{"", Peers::asleep, [=](long i) {
                   dash::put_signal_async(data.data(), data.data() + nbytes, out, signal,
                                          static_cast<dash::signal_t>(i))
                       .wait();
                 }};
  const Way twin{"memcpy, flag by hand", Peers::asleep, [=](long i) {
                   std::memcpy(mapped, data.data(), nbytes);
                   flag->raise(static_cast<unsigned>(i));
                 }};
  table.add(row_of(what, size_of(nbytes), twin.name, contest(contestant(ours), contestant(twin)),
                   ns_more_at_most(15)));
}

/// There and back again, while both units look on.
void measure_to_and_fro(const GlobalMemory& flags, const dash::SignalArray& signals,
                        const World& world, Table& table) {
  const std::string what = "signal to and fro";
  if (world.units() != 2 || world.is_crowded() || !is_wanted(what)) return;
  constexpr long turns = 2000;
  const bool leads = world.leads();
  const dash::GlobSignal other = signals(dash::team_unit_t(1 - world.unit()));
  const dash::Signal own = signals[0];
  const auto timed = [](const auto& turn) {
    return [=] {
      check(dart_barrier(DART_TEAM_ALL));
      const double ns = time_each(turns, turn);
      check(dart_barrier(DART_TEAM_ALL));
      return ns;
    };
  };
  own.reset();
  dash::signal_t count = 0;
  const auto ours = timed([=, &count](long) {
    ++count;
    if (leads) other.set(count);
    own.wait_until(count);
    if (!leads) other.set(count);
  });
  Flag* const mine = flag_of(flags, world.unit());
  Flag* const others = flag_of(flags, 1 - world.unit());
  mine->value = 0;
  unsigned raised = 0;
  const auto twin = timed([=, &raised](long) {
    ++raised;
    if (leads) others->raise(raised);
    mine->await(raised);
    if (!leads) others->raise(raised);
  });
  table.add(
      row_of(what, "2 units", "flags by hand, spinning", contest(ours, twin), ratio_at_most(1.25)));
}

void measure_signals(char* mapped, const World& world, Table& table) {
  dash::Array<char> array(static_cast<std::size_t>(world.units()) * words * sizeof(long));
  const GlobalMemory flags(sizeof(Flag));
  const dash::SignalArray signals;
  measure_raising(flags, signals, table);
  for (const std::size_t nbytes : {8UL, 512UL, 4096UL})
    measure_signalled_put(nbytes, flag_of(flags, target), mapped, signals, array, table);
  measure_to_and_fro(flags, signals, world, table);
  check(dart_barrier(DART_TEAM_ALL));
}

void measure(const World& world) {
  if (world.units() < 2 || !world.on_one_node()) {
    throw std::runtime_error("needs two units on one node");
  }
  constexpr std::size_t nbytes = words * sizeof(long);
  const GlobalMemory memory(nbytes);
  const MpiWindow window(nbytes);
  Table table;
  measure_references(memory.at(target), memory.address(target), table);
  measure_signals(memory.address(target), world, table);
  measure_against_mpi(memory.at(target), window.get(), table);
  if (world.leads()) table.print();
}

}  // namespace

int main(int argc, char** argv) {
  if (argc > 1) wanted = argv[1];
  return run_program(argc, argv, measure);
}
