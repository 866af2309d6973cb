// dash-bench: units=2 layouts=nolocal
//
// How long a get takes whose target computes and does not call the library. The twin is MPI_Get
// and flush, measured before the library starts: its progress thread would serve MPI as well.

#include <fmt/core.h>
#include <mpi.h>

#include <chrono>
#include <cstdlib>
#include <random>
#include <stdexcept>
#include <thread>

#include "support/Measure.h"
#include "support/Table.h"
#include "support/World.h"

using namespace dash::bench;

namespace {

constexpr int target = 1;
constexpr double allowed_ns = 1e6;
constexpr std::uint64_t computing_ns = 1'000'000'000;
constexpr std::size_t arrivals = 100;
constexpr int mpi_arrivals = 3;

/// What the target does: a second of computation.
void compute_for_a_second() {
  const std::uint64_t end = dash::core::now_ns() + computing_ns;
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
    if (unit == target) compute_for_a_second();
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

/// Gets at random times in the seconds that the target computes.
Samples our_gets(const World& world, dart_gptr_t word) {
  std::mt19937 random(2);
  Samples samples;
  while (from_first_unit(static_cast<long>(samples.size())) < static_cast<long>(arrivals)) {
    check(dart_barrier(DART_TEAM_ALL));
    if (world.unit() == target) compute_for_a_second();
    if (!world.leads()) continue;
    const std::uint64_t last = dash::core::now_ns() + computing_ns * 9 / 10;
    while (dash::core::now_ns() < last && samples.size() < arrivals) {
      sleep_between(random, 5'000, 15'000);
      samples.push_back(time_each(1, [&](long) {
        long value;
        dart_get_blocking(&value, word, 1, DART_TYPE_LONG, DART_TYPE_LONG);
        keep(value);
      }));
    }
  }
  return samples;
}

void measure(const World& world, const Samples& raw) {
  if (world.units() < 2) throw std::runtime_error("needs two units");
  const GlobalMemory memory(sizeof(long));
  const Samples ours = our_gets(world, memory.at(target));
  if (!world.leads()) return;
  const std::string twin = duration(median(raw));
  const auto row = [&](const char* what, double ns) {
    return Row{what, "8 B", duration(ns), "MPI_Get and flush", twin, ""};
  };
  Table table;
  Row middle = row("get from a computing unit, median", median(ours));
  middle.bar = fmt::format("<= {}", duration(allowed_ns));
  middle.met = median(ours) <= allowed_ns;
  table.add(middle);
  table.add(row("  95th percentile", quantile(ours, 0.95)));
  table.add(row("  longest", quantile(ours, 1)));
  table.note(fmt::format("{} gets at random times; MPI: {}, until the target calls MPI", arrivals,
                         mpi_arrivals));
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
