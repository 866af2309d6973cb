// dash-bench: units=2 layouts=node
//
// Blocking put and get to a unit of the same node: 8 bytes against the bare access through the
// mapped memory and against MPI, large ones against memcpy between the same buffers.

#include <dash/GlobRef.h>
#include <fmt/core.h>

#include <cstring>
#include <stdexcept>
#include <vector>

#include "support/Measure.h"
#include "support/Table.h"
#include "support/World.h"

using namespace dash::bench;

namespace {

constexpr int target = 1;
constexpr std::size_t largest = std::size_t{16} << 20;
/// The accesses of 8 bytes walk this many words, 32 KiB, again and again.
constexpr long words = 4096;
constexpr long accesses = 20'000;
constexpr long mpi_accesses = 500;
constexpr double allowed_ns = 6;
constexpr double allowed_ratio = 0.95;

dart_gptr_t word_at(dart_gptr_t begin, long i) {
  begin.addr_or_offs.offset = static_cast<std::uint64_t>(i % words) * sizeof(long);
  return begin;
}

// The bare accesses: one load, one store. `volatile` keeps each of them, and in order.
double bare_gets(const volatile long* memory) {
  return time_each(accesses, [=](long i) { keep(memory[i % words]); });
}
double bare_puts(volatile long* memory) {
  return time_each(accesses, [=](long i) { memory[i % words] = i; });
}

double dart_gets(dart_gptr_t begin) {
  return time_each(accesses, [=](long i) {
    long value;
    dart_get_blocking(&value, word_at(begin, i), 1, DART_TYPE_LONG, DART_TYPE_LONG);
    keep(value);
  });
}
double dart_puts(dart_gptr_t begin) {
  return time_each(accesses, [=](long i) {
    dart_put_blocking(word_at(begin, i), &i, 1, DART_TYPE_LONG, DART_TYPE_LONG);
  });
}

double ref_gets(dart_gptr_t begin) {
  return time_each(accesses, [=](long i) {
    const long value = dash::GlobRef<long>(word_at(begin, i));
    keep(value);
  });
}
double ref_puts(dart_gptr_t begin) {
  return time_each(accesses, [=](long i) { dash::GlobRef<long>(word_at(begin, i)) = i; });
}

double mpi_gets(MPI_Win window) {
  return time_each(mpi_accesses, [=](long i) {
    long value;
    MPI_Get(&value, 1, MPI_LONG, target, (i % words) * 8, 1, MPI_LONG, window);
    MPI_Win_flush(target, window);
    keep(value);
  });
}
double mpi_puts(MPI_Win window) {
  return time_each(mpi_accesses, [=](long i) {
    MPI_Put(&i, 1, MPI_LONG, target, (i % words) * 8, 1, MPI_LONG, window);
    MPI_Win_flush(target, window);
  });
}

/// The contestants in the order of their samples.
enum Way { bare, by_dart, by_ref, by_mpi };

void measure_words(const char* what, const std::vector<Contestant>& ways, Table& table) {
  const std::vector<Samples> samples = interleave(101, ways);
  const std::string bare_time = duration(median(samples[bare]));
  const auto add = [&](const char* name, Way way) {
    const double over = median(differences(samples[way], samples[bare]));
    table.add({fmt::format("{} {}", what, name), "8 B", duration(median(samples[way])),
               "bare access", bare_time, fmt::format("+{}", duration(over)),
               fmt::format("<= +{}", duration(allowed_ns)), over <= allowed_ns});
  };
  add("by the C function", by_dart);
  add("by GlobRef", by_ref);
  table.add({fmt::format("{} by the C function", what), "8 B", duration(median(samples[by_dart])),
             "MPI and flush", duration(median(samples[by_mpi])),
             ratio(spread(ratios(samples[by_dart], samples[by_mpi])))});
}

void measure_latency(const GlobalMemory& memory, MPI_Win window, Table& table) {
  const dart_gptr_t begin = memory.at(target);
  auto* const mapped = reinterpret_cast<long*>(memory.address(target));
  const auto by = [](Peers peers, auto function, auto argument) -> Contestant {
    return [=] { return alone(peers, [=] { return function(argument); }); };
  };
  measure_words("get",
                {by(Peers::asleep, bare_gets, mapped), by(Peers::asleep, dart_gets, begin),
                 by(Peers::asleep, ref_gets, begin), by(Peers::in_mpi, mpi_gets, window)},
                table);
  measure_words("put",
                {by(Peers::asleep, bare_puts, mapped), by(Peers::asleep, dart_puts, begin),
                 by(Peers::asleep, ref_puts, begin), by(Peers::in_mpi, mpi_puts, window)},
                table);
}

void measure_bandwidth(const GlobalMemory& memory, std::size_t nbytes, Table& table) {
  const dart_gptr_t begin = memory.at(target);
  char* const mapped = memory.address(target);
  static std::vector<char> own(largest, 1);
  const long repetitions = repetitions_within(2e6, static_cast<double>(nbytes) / 10);
  const auto by = [repetitions](auto copy) -> Contestant {
    return [=] {
      return alone(Peers::asleep, [=] { return time_each(repetitions, [=](long) { copy(); }); });
    };
  };
  const auto samples = interleave(
      61, {by([=] {
             std::memcpy(own.data(), mapped, nbytes);
             keep_memory(own.data());
           }),
           by([=] {
             dart_get_blocking(own.data(), begin, nbytes, DART_TYPE_BYTE, DART_TYPE_BYTE);
             keep_memory(own.data());
           }),
           by([=] {
             std::memcpy(mapped, own.data(), nbytes);
             keep_memory(mapped);
           }),
           by([=] {
             dart_put_blocking(begin, own.data(), nbytes, DART_TYPE_BYTE, DART_TYPE_BYTE);
             keep_memory(mapped);
           })});
  const auto add = [&](const char* what, const Samples& ours, const Samples& twin) {
    const Spread reached = spread(ratios(twin, ours));
    table.add({what, size_of(nbytes), bandwidth(nbytes, median(ours)), "memcpy",
               bandwidth(nbytes, median(twin)), ratio(reached), fmt::format(">= {}", allowed_ratio),
               reached.median >= allowed_ratio});
  };
  add("get, bandwidth", samples[1], samples[0]);
  add("put, bandwidth", samples[3], samples[2]);
}

void measure(const World& world) {
  if (world.units() < 2 || !world.on_one_node()) {
    throw std::runtime_error("needs two units on one node");
  }
  const GlobalMemory memory(largest);
  Table table;
  const MpiWindow window(words * sizeof(long));
  measure_latency(memory, window.get(), table);
  for (std::size_t nbytes = std::size_t{64} << 10; nbytes <= largest; nbytes *= 4) {
    measure_bandwidth(memory, nbytes, table);
  }
  if (world.leads()) table.print();
}

}  // namespace

int main(int argc, char** argv) {
  return run_program(argc, argv, measure);
}
