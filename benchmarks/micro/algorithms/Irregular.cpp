// dash-bench: units=2,4 layouts=node,nolocal quick=node,nolocal
//
// Two kernels of irregular programs, as in published collections of them. Histogram: each unit increments elements of a
// distributed table at random positions. Index gather: each unit reads elements at random positions. Compared with
// bulk-synchronous programs: sort by unit, MPI_Alltoallv, and for the gather a second one with the values.

#include <dash/Aggregator.h>
#include <dash/Array.h>
#include <dash/Atomic.h>
#include <dash/DistObject.h>
#include <dash/Init.h>
#include <dash/algorithm/IndexedCopy.h>
#include <fmt/core.h>
#include <mpi.h>

#include <cstddef>
#include <cstdint>
#include <functional>
#include <numeric>
#include <random>
#include <stdexcept>
#include <vector>

#include "support/Comparison.h"
#include "support/Table.h"
#include "support/World.h"

using namespace dash::bench;

namespace {

/// Elements of the table at each unit, and operations of each unit.
constexpr std::size_t table_size = 1 << 18;
constexpr std::size_t num_operations = 1 << 18;

std::vector<std::uint64_t> random_positions(const World& world) {
  std::mt19937_64 random(static_cast<unsigned>(world.unit() + 1));
  std::vector<std::uint64_t> positions(num_operations);
  for (std::uint64_t& position : positions)
    position = random() % (table_size * static_cast<std::size_t>(world.units()));
  return positions;
}

/// An exchange in which each unit sends a list of numbers to each unit.
class BulkExchange {
 public:
  explicit BulkExchange(int units)
      : _send_counts(static_cast<std::size_t>(units)),
        _receive_counts(_send_counts.size()),
        _send_begins(_send_counts.size() + 1),
        _receive_begins(_send_counts.size() + 1) {}

  /// Sorts positions by unit, sends them, and returns those that have arrived, relative to this unit's part.
  const std::vector<std::uint32_t>& exchange(const std::vector<std::uint64_t>& positions) {
    std::fill(_send_counts.begin(), _send_counts.end(), 0);
    for (const std::uint64_t position : positions)
      ++_send_counts[position / table_size];
    MPI_Alltoall(_send_counts.data(), 1, MPI_INT, _receive_counts.data(), 1, MPI_INT,
                 MPI_COMM_WORLD);
    std::partial_sum(_send_counts.begin(), _send_counts.end(), _send_begins.begin() + 1);
    std::partial_sum(_receive_counts.begin(), _receive_counts.end(), _receive_begins.begin() + 1);
    _out.resize(positions.size());
    _in.resize(static_cast<std::size_t>(_receive_begins.back()));
    _places.resize(positions.size());
    std::vector<int> next(_send_begins.begin(), _send_begins.end() - 1);
    for (std::size_t k = 0; k < positions.size(); ++k) {
      const std::uint64_t position = positions[k];
      const auto place = static_cast<std::size_t>(next[position / table_size]++);
      _places[k] = static_cast<std::uint32_t>(place);
      _out[place] = static_cast<std::uint32_t>(position % table_size);
    }
    MPI_Alltoallv(_out.data(), _send_counts.data(), _send_begins.data(), MPI_UINT32_T, _in.data(),
                  _receive_counts.data(), _receive_begins.data(), MPI_UINT32_T, MPI_COMM_WORLD);
    return _in;
  }

  /// Returns the values for the positions of the latest exchange, in their order there.
  void reply(const std::vector<long>& replies, std::vector<long>& values) {
    std::vector<long>& sorted = _sorted;
    sorted.resize(_out.size());
    MPI_Alltoallv(replies.data(), _receive_counts.data(), _receive_begins.data(), MPI_LONG,
                  sorted.data(), _send_counts.data(), _send_begins.data(), MPI_LONG,
                  MPI_COMM_WORLD);
    for (std::size_t k = 0; k < values.size(); ++k)
      values[k] = sorted[_places[k]];
  }

 private:
  std::vector<int> _send_counts;
  std::vector<int> _receive_counts;
  std::vector<int> _send_begins;
  std::vector<int> _receive_begins;
  std::vector<std::uint32_t> _out;
  std::vector<std::uint32_t> _in;
  std::vector<std::uint32_t> _places;
  std::vector<long> _sorted;
};

/// The time of one operation, where all units have to end.
Candidate timed(std::function<void()> run) {
  return [run = std::move(run)] {
    MPI_Barrier(MPI_COMM_WORLD);
    return measure_ns_per_call(1, [&](long) { run(); }) / num_operations;
  };
}

void add_row(const World& world, Table& table, const char* name, const Outcome& outcome) {
  if (!world.is_first_unit()) return;
  table.add(make_row(name, fmt::format("{} a unit", num_operations), "sorted, MPI_Alltoallv",
                     outcome, ratio_at_most(world.on_one_node() ? 0.5 : 0.9)));
}

/// \param count      increments the elements at all positions, and waits for all units
/// \param own_counts  returns a counter of this unit
void compare_histogram(const World& world, Table& table, const char* name,
                       const std::function<void()>& count,
                       const std::function<long(std::size_t)>& own_count) {
  const std::vector<std::uint64_t> positions = random_positions(world);
  std::vector<long> counts(table_size);
  BulkExchange bulk(world.units());
  int passes = 0;
  int bulk_passes = 0;
  const Outcome outcome = compare(timed([&] {
                                    count();
                                    ++passes;
                                  }),
                                  timed([&] {
                                    for (const std::uint32_t i : bulk.exchange(positions))
                                      ++counts[i];
                                    MPI_Barrier(MPI_COMM_WORLD);
                                    ++bulk_passes;
                                  }));
  for (std::size_t i = 0; i < table_size; ++i) {
    if (own_count(i) * bulk_passes != counts[i] * passes)
      throw std::runtime_error("the histograms differ");
  }
  dash::barrier();
  add_row(world, table, name, outcome);
}

void compare_histograms(const World& world, Table& table) {
  const std::vector<std::uint64_t> positions = random_positions(world);
  if (world.on_one_node()) {  // between nodes, each addition is a message
    dash::Array<dash::Atomic<long>> counts(table_size * static_cast<std::size_t>(world.units()));
    for (auto& count : counts.local)
      reinterpret_cast<long&>(count) = 0;
    dash::barrier();
    compare_histogram(
        world, table, "histogram, async elements",
        [&] {
          for (const std::uint64_t position : positions)
            counts.async[static_cast<long>(position)].add(1);
          counts.flush();
          dash::barrier();
        },
        [&](std::size_t i) { return reinterpret_cast<long&>(counts.lbegin()[i]); });
  }
  {
    using Counts = dash::DistObject<std::vector<long>>;
    Counts counts{std::vector<long>(table_size)};
    dash::Aggregator<void(std::uint32_t)> add([](Counts& own, std::uint32_t i) { ++(*own)[i]; },
                                              counts);
    compare_histogram(
        world, table, "histogram, Aggregator",
        [&] {
          for (const std::uint64_t position : positions)
            add(static_cast<int>(position / table_size),
                static_cast<std::uint32_t>(position % table_size));
          dash::quiesce();
        },
        [&](std::size_t i) { return (*counts)[i]; });
  }
}

void compare_index_gather(const World& world, Table& table) {
  const auto value_of = [](std::size_t position) { return 3 * static_cast<long>(position) + 1; };
  const std::vector<std::uint64_t> positions = random_positions(world);
  dash::Array<long> elements(table_size * static_cast<std::size_t>(world.units()));
  std::vector<long> own(table_size);
  for (std::size_t i = 0; i < table_size; ++i)
    own[i] = elements.local[i] = value_of(table_size * static_cast<std::size_t>(world.unit()) + i);
  dash::barrier();
  std::vector<long> values(num_operations);
  std::vector<long> bulk_values(num_operations);
  std::vector<long> replies;
  BulkExchange bulk(world.units());
  const Outcome outcome = compare(
      timed([&] {
        dash::gather_elements(elements.begin(), positions.begin(), positions.end(), values.data());
        dash::barrier();
      }),
      timed([&] {
        const std::vector<std::uint32_t>& requests = bulk.exchange(positions);
        replies.resize(requests.size());
        for (std::size_t k = 0; k < requests.size(); ++k)
          replies[k] = own[requests[k]];
        bulk.reply(replies, bulk_values);
        MPI_Barrier(MPI_COMM_WORLD);
      }));
  for (std::size_t k = 0; k < num_operations; ++k) {
    if (values[k] != value_of(positions[k]) || bulk_values[k] != values[k])
      throw std::runtime_error("a gathered element is wrong");
  }
  dash::barrier();
  add_row(world, table, "index gather, gather_elements", outcome);
}

}  // namespace

int main(int argc, char** argv) {
  return run_program(argc, argv, [](const World& world) {
    Table table;
    compare_histograms(world, table);
    compare_index_gather(world, table);
    if (world.is_first_unit()) table.print();
  });
}
