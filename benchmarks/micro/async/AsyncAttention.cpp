// dash-bench: units=2 layouts=nolocal,tcp quick=nolocal
//
// How long an operation of 8 bytes takes whose target computes and does not call the library: on
// memory that was used before, and on pages that nobody has touched. The twin is MPI_Get and flush,
// measured before the library starts: its progress thread would serve MPI as well.

#include <fmt/core.h>
#include <mpi.h>

#include <chrono>
#include <cstdlib>
#include <random>
#include <stdexcept>
#include <thread>

#include "support/Effort.h"
#include "support/Measure.h"
#include "support/Table.h"
#include "support/World.h"

using namespace dash::bench;

namespace {

constexpr int target = 1;
constexpr double allowed_median_ns = 0.5e6;
constexpr double allowed_95th_ns = 5e6;
constexpr std::uint64_t second_ns = 1'000'000'000;
constexpr double computing_s = 10;
/// While the target computes.
constexpr double arrivals_per_s = 50;
constexpr std::size_t page = 4096;
constexpr int mpi_arrivals = 3;

double computing_ns() {
  return 1e9 * seconds_at_effort(computing_s);
}
int arrivals() {
  return static_cast<int>(arrivals_per_s * seconds_at_effort(computing_s));
}

/// What the target does.
void compute_for(std::uint64_t ns) {
  const std::uint64_t end = dash::core::now_ns() + ns;
  while (dash::core::now_ns() < end)
    compute(10'000);
}

void sleep_between(std::mt19937& random, int shortest_us, int longest_us) {
  const int us = std::uniform_int_distribution(shortest_us, longest_us)(random);
  std::this_thread::sleep_for(std::chrono::microseconds(us));
}

/// One get in each second that the target computes.
Samples raw_gets() {
  int unit = 0;
  MPI_Comm_rank(MPI_COMM_WORLD, &unit);
  const MpiWindow window(sizeof(long));
  std::mt19937 random(1);
  Samples samples;
  for (int i = 0; i < mpi_arrivals; ++i) {
    MPI_Barrier(MPI_COMM_WORLD);
    if (unit == target) compute_for(second_ns);
    if (unit == 0) {
      sleep_between(random, 100'000, 500'000);
      samples.push_back(time_each(1, [&](long) {
        long value;
        MPI_Get(&value, 1, MPI_LONG, target, 0, 1, MPI_LONG, window.get());
        MPI_Win_flush(target, window.get());
        keep(value);
      }));
    }
    MPI_Barrier(MPI_COMM_WORLD);
  }
  return samples;
}

/// Operations at random times while the target computes, each in a page of its own.
template <class Operation>
Samples while_target_computes(const World& world, const GlobalMemory& memory, Operation operation) {
  check(dart_barrier(DART_TEAM_ALL));
  Samples samples;
  if (world.unit() == target) compute_for(static_cast<std::uint64_t>(computing_ns()));
  if (world.leads()) {
    std::mt19937 random(2);
    for (int i = 0; i < arrivals(); ++i) {
      sleep_between(random, 1'000, 36'000);
      dart_gptr_t word = memory.at(target);
      check(dart_gptr_incaddr(&word, static_cast<std::int64_t>(page) * i));
      samples.push_back(time_each(1, [&](long) { operation(word); }));
    }
  }
  check(dart_barrier(DART_TEAM_ALL));
  return samples;
}

template <class Operation>
void measure_one(const World& world, const char* name, const Samples& raw, Table& table,
                 Operation operation) {
  const GlobalMemory memory(page * static_cast<std::size_t>(arrivals()));
  for (const char* const kind : {"fresh", "used"}) {
    const Samples ours = while_target_computes(world, memory, operation);
    if (!world.leads()) continue;
    const auto row = [&](const std::string& what, double ns, double allowed) {
      return with_figures({what, "8 B", duration(ns), "MPI_Get and flush", duration(median(raw)),
                           "", fmt::format("<= {}", duration(allowed)), ns <= allowed},
                          {ours, raw});
    };
    table.add(
        row(fmt::format("{}, {} memory, median", name, kind), median(ours), allowed_median_ns));
    table.add(row("  95th percentile", quantile(ours, 0.95), allowed_95th_ns));
  }
}

void measure(const World& world, const Samples& raw) {
  if (world.units() < 2) throw std::runtime_error("needs two units");
  Table table;
  measure_one(world, "get", raw, table, [](const dart_gptr_t& word) {
    long value = 0;
    check(dart_get_blocking(&value, word, 1, DART_TYPE_LONG, DART_TYPE_LONG));
    keep(value);
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
    keep(value);
  });
  if (!world.leads()) return;
  table.note(
      fmt::format("{} operations each at random times while the target computes for {}; MPI: "
                  "{}, until the target calls MPI",
                  arrivals(), duration(computing_ns()), mpi_arrivals));
  table.print();
}

}  // namespace

int main(int argc, char** argv) {
  // As the library does when it initialises MPI.
  ::setenv("MPIR_CVAR_REQUEST_POLL_FREQ", "1", 0);
  int level = MPI_THREAD_SINGLE;
  MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &level);
  const Samples raw = raw_gets();
  const int code = run_program(argc, argv, [&](const World& world) { measure(world, raw); });
  MPI_Finalize();
  return code;
}
