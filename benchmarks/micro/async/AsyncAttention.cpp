// dash-bench: units=2 layouts=nolocal,tcp quick=nolocal study=auto,thread,poll,ranks,mpich-thread
//
// The latency of operations of 8 bytes whose target computes and does not call the library: on memory that
// was used before, and on pages that no unit has touched; at random times, and one after the other. Then the
// same while the target polls for 5 ms and computes for 10 ms alternately: its progress thread has to
// notice that callers do not poll any more. And while the target waits in an MPI call of the application. The baseline is MPI_Get and a flush, measured
// before the library starts, since the library's progress thread would make progress for MPI as well.

#include <fmt/core.h>
#include <mpi.h>

#include <chrono>
#include <cstdlib>
#include <random>
#include <stdexcept>
#include <thread>

#include "support/Measure.h"
#include "support/Sampling.h"
#include "support/Table.h"
#include "support/World.h"

using namespace dash::bench;

namespace {

constexpr int target = 1;
constexpr double allowed_median_ns = 0.5e6;
constexpr double allowed_95th_ns = 5e6;
constexpr double allowed_repeated_ns = 0.2e6;
constexpr double allowed_longest_ns = 3e6;
constexpr double allowed_in_mpi_ns = 5e3;
constexpr std::uint64_t second_ns = 1'000'000'000;
constexpr double computing_s = 10;
/// The rate of the operations while the target computes.
constexpr double operations_per_s = 50;
constexpr std::size_t page = 4096;
constexpr int num_mpi_operations = 3;

double computing_ns() {
  return 1e9 * scaled_seconds(computing_s);
}
int num_operations() {
  return static_cast<int>(operations_per_s * scaled_seconds(computing_s));
}

void compute_for(std::uint64_t ns) {
  const std::uint64_t end = dash::core::now_ns() + ns;
  while (dash::core::now_ns() < end)
    compute(10'000);
}

/// Calls the library all the time.
void poll_for(std::uint64_t ns) {
  const std::uint64_t end = dash::core::now_ns() + ns;
  while (dash::core::now_ns() < end)
    check(dart_progress());
}

/// The work of the target.
enum class Work { computes, polls_and_computes, waits_in_mpi };

void work(Work work) {
  if (work == Work::waits_in_mpi) {
    MPI_Recv(nullptr, 0, MPI_BYTE, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    return;
  }
  const auto total = static_cast<std::uint64_t>(computing_ns());
  if (work == Work::computes) return compute_for(total);
  const std::uint64_t end = dash::core::now_ns() + total;
  while (dash::core::now_ns() < end) {
    poll_for(5'000'000);
    compute_for(10'000'000);
  }
}

void sleep_randomly(std::mt19937& random, int shortest_us, int longest_us) {
  const int us = std::uniform_int_distribution(shortest_us, longest_us)(random);
  std::this_thread::sleep_for(std::chrono::microseconds(us));
}

/// Performs one get in each second during which the target computes.
Samples raw_gets() {
  int unit = 0;
  MPI_Comm_rank(MPI_COMM_WORLD, &unit);
  const MpiWindow window(sizeof(long));
  std::mt19937 random(1);
  Samples samples;
  for (int i = 0; i < num_mpi_operations; ++i) {
    MPI_Barrier(MPI_COMM_WORLD);
    if (unit == target) compute_for(second_ns);
    if (unit == 0) {
      sleep_randomly(random, 100'000, 500'000);
      samples.push_back(measure_ns_per_call(1, [&](long) {
        long value;
        MPI_Get(&value, 1, MPI_LONG, target, 0, 1, MPI_LONG, window.get());
        MPI_Win_flush(target, window.get());
        do_not_optimize(value);
      }));
    }
    MPI_Barrier(MPI_COMM_WORLD);
  }
  return samples;
}

/// Performs operations while the target works, each in a separate page: at random times, or one after the other.
template <class Operation>
Samples while_target_works(const World& world, const GlobalMemory& memory, Work target_work,
                           bool at_random_times, Operation operation) {
  check(dart_barrier(DART_TEAM_ALL));
  Samples samples;
  if (world.unit() == target) work(target_work);
  if (world.is_first_unit()) {
    std::mt19937 random(2);
    for (int i = 0; i < num_operations(); ++i) {
      if (at_random_times) sleep_randomly(random, 1'000, 36'000);
      dart_gptr_t word = memory.at(target);
      check(dart_gptr_incaddr(&word, static_cast<std::int64_t>(page) * i));
      samples.push_back(measure_ns_per_call(1, [&](long) { operation(word); }));
    }
    if (target_work == Work::waits_in_mpi)
      MPI_Send(nullptr, 0, MPI_BYTE, target, 0, MPI_COMM_WORLD);
  }
  check(dart_barrier(DART_TEAM_ALL));
  return samples;
}

void add_row(Table& table, const std::string& name, double ns, double allowed, const Samples& ours,
             const Samples& raw) {
  table.add(with_figures(
      {name, "8 B", format_duration(ns), "MPI_Get and flush", format_duration(median(raw)), "",
       fmt::format("<= {}", format_duration(allowed)), ns <= allowed},
      {ours, raw}));
}

template <class Operation>
void measure_one(const World& world, const char* name, const Samples& raw, Table& table,
                 Operation operation) {
  const GlobalMemory memory(page * static_cast<std::size_t>(num_operations()));
  const auto samples = [&](Work target_work, bool at_random_times) {
    return while_target_works(world, memory, target_work, at_random_times, operation);
  };
  for (const char* const kind : {"untouched", "used"}) {
    const Samples ours = samples(Work::computes, true);
    if (!world.is_first_unit()) continue;
    add_row(table, fmt::format("{}, {} memory, median", name, kind), median(ours),
            allowed_median_ns, ours, raw);
    add_row(table, "  95th percentile", quantile(ours, 0.95), allowed_95th_ns, ours, raw);
  }
  const Samples repeated = samples(Work::computes, false);
  const Samples alternating = samples(Work::polls_and_computes, true);
  const Samples in_mpi = samples(Work::waits_in_mpi, false);
  if (!world.is_first_unit()) return;
  add_row(table, "  one after the other, median", median(repeated), allowed_repeated_ns, repeated,
          raw);
  add_row(table, "  the target polls and computes alternately, median", median(alternating),
          allowed_median_ns, alternating, raw);
  add_row(table, "  longest", quantile(alternating, 1), allowed_longest_ns, alternating, raw);
  add_row(table, "  the target waits in MPI_Recv, median", median(in_mpi), allowed_in_mpi_ns,
          in_mpi, raw);
}

void measure(const World& world, const Samples& raw) {
  if (world.units() < 2) throw std::runtime_error("this benchmark needs two units");
  Table table;
  measure_one(world, "get", raw, table, [](const dart_gptr_t& word) {
    long value = 0;
    check(dart_get_blocking(&value, word, 1, DART_TYPE_LONG, DART_TYPE_LONG));
    do_not_optimize(value);
  });
  measure_one(world, "put", raw, table, [](const dart_gptr_t& word) {
    const long value = 1;
    check(dart_put_blocking(word, &value, 1, DART_TYPE_LONG, DART_TYPE_LONG));
  });
  measure_one(world, "fetch_and_op", raw, table, [](const dart_gptr_t& word) {
    const long one = 1;
    long value = 0;
    check(dart_fetch_and_op(word, &one, &value, DART_TYPE_LONG, DART_OP_SUM));
    check(dart_flush(word));
    do_not_optimize(value);
  });
  if (!world.is_first_unit()) return;
  table.add_note(
      fmt::format("Each row: {} operations while the target works for {}. MPI: "
                  "{} operations, which "
                  "complete when the target calls MPI.",
                  num_operations(), format_duration(computing_ns()), num_mpi_operations));
  table.print();
}

}  // namespace

int main(int argc, char** argv) {
  // As in a program in which the library initializes MPI: units wake each other's idle threads.
  // With `yes`, the threads poll as they do between hosts.
  ::setenv("DART_APPLICATION_MPI", "no", 0);
  // The library sets this, too, when it initializes MPI.
  ::setenv("MPIR_CVAR_REQUEST_POLL_FREQ", "1", 0);
  int level = MPI_THREAD_SINGLE;
  MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &level);
  const Samples raw = raw_gets();
  const int code = run_program(argc, argv, [&](const World& world) { measure(world, raw); });
  MPI_Finalize();
  return code;
}
