// dash-bench: units=2,4 layouts=node,nolocal quick=node,nolocal
//
// Each unit reads elements of a distributed array at random positions: dash::gather_elements. Compared with messages, in
// which each unit sends the positions, sorted by unit, and receives the values; and on one node with loads from a window of
// shared memory.

#include <dash/Array.h>
#include <dash/Init.h>
#include <dash/algorithm/IndexedCopy.h>
#include <fmt/core.h>
#include <mpi.h>

#include <cstddef>
#include <cstdint>
#include <functional>
#include <random>
#include <stdexcept>
#include <vector>

#include "micro/dash/BulkExchange.h"
#include "support/Comparison.h"
#include "support/Table.h"
#include "support/World.h"

using namespace dash::bench;

namespace {

/// Elements of each unit, and reads of each unit.
constexpr std::size_t num_elements = 1 << 18;
constexpr std::size_t num_reads = 1 << 18;

using Positions = std::vector<std::uint64_t>;

long value_of(std::uint64_t position) {
  return 3 * static_cast<long>(position) + 1;
}

Positions random_positions(const World& world) {
  std::mt19937_64 random(static_cast<unsigned>(world.unit() + 1));
  Positions positions(num_reads);
  for (std::uint64_t& position : positions)
    position = random() % (num_elements * static_cast<std::size_t>(world.units()));
  return positions;
}

void check_values(const Positions& positions, const std::vector<long>& values) {
  for (std::size_t k = 0; k < num_reads; ++k) {
    if (values[k] != value_of(positions[k])) throw std::runtime_error("a read element is wrong");
  }
}

/// Reads by messages.
class BulkReads {
 public:
  BulkReads(const World& world, const Positions& positions)
      : _positions(positions),
        _values(num_reads),
        _requests(world, num_reads),
        _replies(world, num_reads),
        _order(static_cast<std::size_t>(world.units())) {
    for (auto& order : _order)
      order.reserve(num_reads);
    const std::size_t first = num_elements * static_cast<std::size_t>(world.unit());
    for (std::size_t i = 0; i < num_elements; ++i)
      _own.push_back(value_of(first + i));
  }

  const std::vector<long>& values() const { return _values; }

  void run() {
    _requests.clear();
    _replies.clear();
    for (auto& order : _order)
      order.clear();
    for (std::size_t k = 0; k < num_reads; ++k) {
      const std::size_t unit = _positions[k] / num_elements;
      _requests.to(unit).push_back(static_cast<std::uint32_t>(_positions[k] % num_elements));
      _order[unit].push_back(static_cast<std::uint32_t>(k));
    }
    _requests.exchange([&](std::size_t unit) {
      for (const std::uint32_t i : _requests.from(unit))
        _replies.to(unit).push_back(_own[i]);
    });
    _replies.exchange([&](std::size_t unit) {
      const auto values = _replies.from(unit);
      for (std::size_t i = 0; i < values.size(); ++i)
        _values[_order[unit][i]] = values[i];
    });
    MPI_Barrier(MPI_COMM_WORLD);
  }

 private:
  const Positions& _positions;
  std::vector<long> _own;
  std::vector<long> _values;
  BulkExchange<std::uint32_t> _requests;
  BulkExchange<long> _replies;
  std::vector<std::vector<std::uint32_t>> _order;  // by unit, the numbers of the reads
};

/// Reads of memory that the units of the node share.
class SharedReads {
 public:
  SharedReads(const World& world, const Positions& positions)
      : _positions(positions), _values(num_reads) {
    long* own = nullptr;
    MPI_Win_allocate_shared(num_elements * sizeof(long), sizeof(long), MPI_INFO_NULL,
                            MPI_COMM_WORLD, &own, &_window);
    const std::size_t first = num_elements * static_cast<std::size_t>(world.unit());
    for (std::size_t i = 0; i < num_elements; ++i)
      own[i] = value_of(first + i);
    MPI_Aint nbytes = 0;
    int unit_bytes = 0;
    MPI_Win_shared_query(_window, 0, &nbytes, &unit_bytes, &_elements);
    MPI_Barrier(MPI_COMM_WORLD);
  }
  ~SharedReads() { MPI_Win_free(&_window); }
  SharedReads(const SharedReads&) = delete;
  SharedReads& operator=(const SharedReads&) = delete;

  const std::vector<long>& values() const { return _values; }

  void run() {
    for (std::size_t k = 0; k < num_reads; ++k)
      _values[k] = _elements[_positions[k]];  // the parts of the units are contiguous
    MPI_Barrier(MPI_COMM_WORLD);
  }

 private:
  const Positions& _positions;
  std::vector<long> _values;
  MPI_Win _window = MPI_WIN_NULL;
  long* _elements = nullptr;
};

/// The time of one read, where all units have to end.
Candidate timed(std::function<void()> run) {
  return [run = std::move(run)] {
    MPI_Barrier(MPI_COMM_WORLD);
    return measure_ns_per_call(1, [&](long) { run(); }) / num_reads;
  };
}

/// \tparam Reads  of the baseline
template <class Reads>
void compare_reads(const World& world, Table& table, const char* baseline, double goal) {
  const Positions positions = random_positions(world);
  dash::Array<long> elements(num_elements * static_cast<std::size_t>(world.units()));
  for (std::size_t i = 0; i < num_elements; ++i)
    elements.local[i] = value_of(num_elements * static_cast<std::size_t>(world.unit()) + i);
  dash::barrier();
  std::vector<long> values(num_reads);
  Reads reads(world, positions);
  const Candidate ours = timed([&] {
    dash::gather_elements(elements.begin(), positions.begin(), positions.end(), values.data());
    dash::barrier();
  });
  const Outcome outcome = compare(ours, timed([&] { reads.run(); }));
  check_values(positions, values);
  check_values(positions, reads.values());
  dash::barrier();
  if (world.is_first_unit())
    table.add(make_row("gather_elements, random positions", fmt::format("{} a unit", num_reads),
                       baseline, outcome, ratio_at_most(goal)));
}

}  // namespace

int main(int argc, char** argv) {
  return run_program(argc, argv, [](const World& world) {
    Table table;
    compare_reads<BulkReads>(world, table, "sorted by unit, MPI_Isend, MPI_Irecv",
                             world.on_one_node() ? 0.5 : 0.9);
    if (world.on_one_node())
      compare_reads<SharedReads>(world, table, "loads from an MPI window of shared memory", 1.1);
    if (world.is_first_unit()) table.print();
  });
}
