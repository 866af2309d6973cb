// dash-bench: units=2,8 layouts=node,nolocal quick=node,nolocal
//
// Remote procedure calls. The round trip of a call to a unit that waits, compared with the round trip of messages of the
// same size (MPI_Send, MPI_Recv); calls without a result; and random updates of a table by an Aggregator, compared with
// the bulk-synchronous exchange of the same updates (MPI_Alltoallv), whose time includes sorting them by unit.

#include <dash/Aggregator.h>
#include <dash/DistObject.h>
#include <dash/Init.h>
#include <dash/Rpc.h>
#include <fmt/core.h>
#include <mpi.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <numeric>
#include <stdexcept>
#include <vector>

#include "support/Comparison.h"
#include "support/Table.h"
#include "support/World.h"

using namespace dash::bench;

namespace {

constexpr int round_trips = 500;
constexpr int one_way_calls = 2000;
/// The table of each unit, and the updates of each unit in one measurement.
constexpr std::size_t table_size = 1 << 16;
constexpr std::size_t num_updates = 1 << 18;

long received = 0;

int plus_one(int n) {
  return n + 1;
}
void receive(long n, long m) {
  received += n + m;
}

/// An action of unit 0, during which the other units wait.
Candidate by_first_unit(const World& world, std::function<double()> run) {
  return [&world, run = std::move(run)] {
    dash::barrier();
    const double ns = world.is_first_unit() ? run() : 0;
    dash::barrier();
    return ns;
  };
}

/// The round trip of a message between units 0 and 1, which call MPI at the same time.
Candidate message_round_trip(const World& world) {
  return [&world] {
    MPI_Barrier(MPI_COMM_WORLD);
    int n = 0;
    const int peer = 1 - world.unit();
    return measure_ns_per_call(peer >= 0 ? round_trips : 1, [&](long) {
      if (peer == 1) {
        MPI_Send(&n, 1, MPI_INT, peer, 0, MPI_COMM_WORLD);
        MPI_Recv(&n, 1, MPI_INT, peer, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
      } else if (peer == 0) {
        MPI_Recv(&n, 1, MPI_INT, peer, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        MPI_Send(&n, 1, MPI_INT, peer, 0, MPI_COMM_WORLD);
      }
    });
  };
}

template <class Call>
void compare_round_trip(const World& world, Table& table, const char* name, const Call& call) {
  const Candidate ours = by_first_unit(world, [&] {
    return measure_ns_per_call(round_trips, [&](long i) {
      if (call(static_cast<int>(i)) != i + 1) throw std::runtime_error("a result is wrong");
    });
  });
  const Outcome outcome = compare(ours, message_round_trip(world));
  if (world.is_first_unit())
    table.add(make_row(name, "4 B", "MPI_Send, MPI_Recv", outcome, ratio_at_most(1.3)));
}

template <class Call>
void measure_one_way(const World& world, Table& table, const char* name, const Call& call) {
  const int peer = (world.unit() + 1) % world.units();
  const Candidate ours = [&] {
    dash::barrier();
    return measure_ns_per_call(1,
                               [&](long) {
                                 for (int i = 0; i < one_way_calls; ++i)
                                   call(peer);
                                 dash::quiesce();
                               }) /
           one_way_calls;
  };
  const Outcome outcome = compare(ours, message_round_trip(world));
  if (world.is_first_unit())
    table.add(make_row(name, "16 B", "round trip of MPI_Send, MPI_Recv", outcome));
}

/// The random updates of a unit.
class Updates {
 public:
  explicit Updates(const World& world) : _units(static_cast<std::uint64_t>(world.units())) {
    _state += 0x9e3779b97f4a7c15U * static_cast<std::uint64_t>(world.unit() + 1);
  }
  struct Update {
    int unit;
    std::uint32_t index;
  };
  Update next() noexcept {
    _state ^= _state << 13;
    _state ^= _state >> 7;
    _state ^= _state << 17;
    return {static_cast<int>((_state >> 40) % _units),
            static_cast<std::uint32_t>(_state % table_size)};
  }

 private:
  std::uint64_t _units;
  std::uint64_t _state = 88172645463325252U;
};

/// The same updates, sent together when all are known.
class BulkUpdates {
 public:
  explicit BulkUpdates(const World& world)
      : _world(world),
        _units(static_cast<std::size_t>(world.units())),
        _counts(_units),
        _begins(_units),
        _next(_units),
        _in_counts(_units),
        _in_begins(_units),
        _all(num_updates),
        _sorted(num_updates),
        _table(table_size) {}

  void run() {
    Updates updates(_world);
    std::fill(_counts.begin(), _counts.end(), 0);
    for (Updates::Update& update : _all) {
      update = updates.next();
      ++_counts[static_cast<std::size_t>(update.unit)];
    }
    std::exclusive_scan(_counts.begin(), _counts.end(), _begins.begin(), 0);
    _next = _begins;
    for (const Updates::Update& update : _all)
      _sorted[static_cast<std::size_t>(_next[static_cast<std::size_t>(update.unit)]++)] =
          update.index;
    MPI_Alltoall(_counts.data(), 1, MPI_INT, _in_counts.data(), 1, MPI_INT, MPI_COMM_WORLD);
    std::exclusive_scan(_in_counts.begin(), _in_counts.end(), _in_begins.begin(), 0);
    _arrived.resize(static_cast<std::size_t>(_in_begins.back() + _in_counts.back()));
    MPI_Alltoallv(_sorted.data(), _counts.data(), _begins.data(), MPI_UINT32_T, _arrived.data(),
                  _in_counts.data(), _in_begins.data(), MPI_UINT32_T, MPI_COMM_WORLD);
    for (const std::uint32_t index : _arrived)
      ++_table[index];
    MPI_Barrier(MPI_COMM_WORLD);
  }
  const std::vector<long>& table() const { return _table; }

 private:
  const World& _world;
  std::size_t _units;
  std::vector<int> _counts;
  std::vector<int> _begins;
  std::vector<int> _next;
  std::vector<int> _in_counts;
  std::vector<int> _in_begins;
  std::vector<Updates::Update> _all;
  std::vector<std::uint32_t> _sorted;
  std::vector<std::uint32_t> _arrived;
  std::vector<long> _table;
};

void compare_updates(const World& world, Table& table) {
  using Counts = dash::DistObject<std::vector<long>>;
  Counts counts{std::vector<long>(table_size)};
  dash::Aggregator<void(std::uint32_t)> add([](Counts& own, std::uint32_t i) { ++(*own)[i]; },
                                            counts);
  BulkUpdates bulk(world);
  const auto timed = [](std::function<void()> run) {
    return Candidate([run = std::move(run)] {
      MPI_Barrier(MPI_COMM_WORLD);
      return measure_ns_per_call(1, [&](long) { run(); }) / num_updates;
    });
  };
  int passes = 0;
  const Candidate ours = timed([&] {
    Updates updates(world);
    for (std::size_t i = 0; i < num_updates; ++i) {
      const Updates::Update update = updates.next();
      add(update.unit, update.index);
    }
    dash::quiesce();
    ++passes;
  });
  int bulk_passes = 0;
  const Outcome outcome = compare(ours, timed([&] {
                                    bulk.run();
                                    ++bulk_passes;
                                  }));
  for (std::size_t i = 0; i < table_size; ++i) {
    if ((*counts)[i] * bulk_passes != bulk.table()[i] * passes)
      throw std::runtime_error("the updates differ from those by MPI_Alltoallv");
  }
  dash::barrier();
  if (world.is_first_unit())
    table.add(make_row("random updates by an Aggregator", fmt::format("{} a unit", num_updates),
                       "sort by unit, MPI_Alltoallv", outcome, ratio_at_most(0.9)));
}

}  // namespace

int main(int argc, char** argv) {
  return run_program(argc, argv, [](const World& world) {
    Table table;
    if (world.units() == 2) {
      compare_round_trip(world, table, "rpc, get",
                         [](int n) { return dash::rpc(1, plus_one, n).get(); });
      compare_round_trip(world, table, "am, get",
                         [](int n) { return dash::am(1, plus_one, n).get(); });
    }
    measure_one_way(world, table, "rpc_ff, each",
                    [](int peer) { dash::rpc_ff(peer, receive, 1L, 2L); });
    measure_one_way(world, table, "am_ff, each",
                    [](int peer) { dash::am_ff(peer, receive, 1L, 2L); });
    compare_updates(world, table);
    if (world.is_first_unit()) table.print();
  });
}
