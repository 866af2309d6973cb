// dash-bench: units=2,8 layouts=node,nolocal quick=node,nolocal
//
// Remote procedure calls. The round trip of a call to a unit that waits, compared with the round trip of messages of the
// same size (MPI_Send, MPI_Recv); calls without a result of all units, each to the next unit, compared with messages of
// the same size (MPI_Isend, MPI_Irecv); and random updates of a table by an Aggregator, compared with the exchange of the
// same updates when all are known: sorted by unit, one message to each unit.

#include <dash/Aggregator.h>
#include <dash/DistObject.h>
#include <dash/Init.h>
#include <dash/Rpc.h>
#include <fmt/core.h>
#include <mpi.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <stdexcept>
#include <vector>

#include "micro/dash/BulkExchange.h"
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

std::atomic<long> received{0};

int plus_one(int n) {
  return n + 1;
}
void receive(long n, long m) {
  received.fetch_add(n + m, std::memory_order_relaxed);
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
  const Candidate ours = [&] {
    return measure_on_first_unit(PeerWait::dart_barrier, [&] {
      return measure_ns_per_call(round_trips, [&](long i) {
        if (call(static_cast<int>(i)) != i + 1) throw std::runtime_error("a result is wrong");
      });
    });
  };
  const Outcome outcome = compare(ours, message_round_trip(world));
  if (world.is_first_unit())
    table.add(make_row(name, "4 B", "MPI_Send, MPI_Recv", outcome, ratio_at_most(1.3)));
}

/// Messages of all units, each to the next unit, whose receiver adds up their content.
class OneWayMessages {
 public:
  explicit OneWayMessages(const World& world)
      : _to((world.unit() + 1) % world.units()),
        _from((world.unit() + world.units() - 1) % world.units()) {}

  double run() {
    MPI_Barrier(MPI_COMM_WORLD);
    _posted = 0;
    for (std::size_t i = 0; i < window; ++i)
      post(i);
    return measure_ns_per_call(1,
                               [&](long) {
                                 int num_received = 0;
                                 for (int i = 0; i < one_way_calls; ++i) {
                                   send(static_cast<std::size_t>(i) % window);
                                   if (i % 16 == 0) num_received += receive_some();
                                 }
                                 while (num_received < one_way_calls)
                                   num_received += receive_some();
                                 MPI_Waitall(window, _sends.data(), MPI_STATUSES_IGNORE);
                                 MPI_Barrier(MPI_COMM_WORLD);
                               }) /
           one_way_calls;
  }
  long sum() const { return _sum; }

 private:
  static constexpr std::size_t window = 64;
  using Content = std::array<long, 2>;

  void post(std::size_t i) {
    if (_posted == one_way_calls) return;
    ++_posted;
    MPI_Irecv(_in[i].data(), sizeof(Content), MPI_BYTE, _from, 0, MPI_COMM_WORLD, &_receives[i]);
  }
  void send(std::size_t i) {
    MPI_Wait(&_sends[i], MPI_STATUS_IGNORE);
    _out[i] = {1, 2};
    MPI_Isend(_out[i].data(), sizeof(Content), MPI_BYTE, _to, 0, MPI_COMM_WORLD, &_sends[i]);
  }
  int receive_some() {
    int count = 0;
    std::array<int, window> indices;
    MPI_Testsome(window, _receives.data(), &count, indices.data(), MPI_STATUSES_IGNORE);
    if (count == MPI_UNDEFINED) return 0;
    for (int k = 0; k < count; ++k) {
      const auto i = static_cast<std::size_t>(indices[static_cast<std::size_t>(k)]);
      _sum += _in[i][0] + _in[i][1];
      post(i);
    }
    return count;
  }

  int _to;
  int _from;
  int _posted = 0;
  long _sum = 0;
  std::array<Content, window> _in{};
  std::array<Content, window> _out{};
  std::vector<MPI_Request> _receives = std::vector<MPI_Request>(window, MPI_REQUEST_NULL);
  std::vector<MPI_Request> _sends = std::vector<MPI_Request>(window, MPI_REQUEST_NULL);
};

template <class Call>
void compare_one_way(const World& world, Table& table, const char* name, const Call& call) {
  const int peer = (world.unit() + 1) % world.units();
  received = 0;
  long passes = 0;
  const Candidate ours = [&] {
    dash::barrier();
    ++passes;
    return measure_ns_per_call(1,
                               [&](long) {
                                 for (int i = 0; i < one_way_calls; ++i)
                                   call(peer);
                                 dash::quiesce();
                               }) /
           one_way_calls;
  };
  OneWayMessages messages(world);
  long message_passes = 0;
  const Outcome outcome = compare(ours, [&] {
    ++message_passes;
    return messages.run();
  });
  if (received != 3L * one_way_calls * passes ||
      messages.sum() != 3L * one_way_calls * message_passes)
    throw std::runtime_error("calls or messages have been lost");
  if (world.is_first_unit()) table.add(make_row(name, "16 B", "MPI_Isend, MPI_Irecv", outcome));
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

void compare_updates(const World& world, Table& table) {
  using Counts = dash::DistObject<std::vector<long>>;
  Counts counts{std::vector<long>(table_size)};
  dash::Aggregator<void(std::uint32_t)> add([](Counts& own, std::uint32_t i) { ++(*own)[i]; },
                                            counts);
  BulkExchange<std::uint32_t> bulk(world, num_updates);
  std::vector<long> bulk_table(table_size);
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
  const Candidate theirs = timed([&] {
    bulk.clear();
    Updates updates(world);
    for (std::size_t i = 0; i < num_updates; ++i) {
      const Updates::Update update = updates.next();
      bulk.to(static_cast<std::size_t>(update.unit)).push_back(update.index);
    }
    bulk.exchange([&](std::size_t unit) {
      for (const std::uint32_t index : bulk.from(unit))
        ++bulk_table[index];
    });
    MPI_Barrier(MPI_COMM_WORLD);
    ++bulk_passes;
  });
  const Outcome outcome = compare(ours, theirs);
  for (std::size_t i = 0; i < table_size; ++i) {
    if ((*counts)[i] * bulk_passes != bulk_table[i] * passes)
      throw std::runtime_error("the updates differ from those by messages");
  }
  dash::barrier();
  if (world.is_first_unit())
    table.add(make_row("random updates by an Aggregator", fmt::format("{} a unit", num_updates),
                       "sorted by unit, MPI_Isend, MPI_Irecv", outcome, ratio_at_most(0.9)));
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
    compare_one_way(world, table, "rpc_ff, each",
                    [](int peer) { dash::rpc_ff(peer, receive, 1L, 2L); });
    compare_one_way(world, table, "am_ff, each",
                    [](int peer) { dash::am_ff(peer, receive, 1L, 2L); });
    compare_updates(world, table);
    if (world.is_first_unit()) table.print();
  });
}
