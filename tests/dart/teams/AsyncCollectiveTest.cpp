// dash-test: parallel units=1,2,3,4,7 layouts=node,cliques,nolocal modes=auto,thread,poll smoke=yes

#include <algorithm>
#include <array>
#include <chrono>
#include <cstring>
#include <memory>
#include <numeric>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "Teams.h"
#include "dash/Exception.h"
#include "dash/async/Operation.h"
#include "dash/dart/Access.h"
#include "dash/dart/Collective.h"
#include "support/Catch.h"
#include "support/Runner.h"

using namespace dash::test;
namespace dart = dash::dart;
namespace exec = dash::exec;

namespace {

/// Starts a collective. \returns the operation that it completes
template <class Start>
exec::Operation started(const Start& start) {
  using State = dart::CollectiveState<void>;
  auto state = exec::StatePtr<State>::adopt(new State());
  start(dart::Done(state));
  return exec::Operation(std::move(state));
}

exec::Operation sum_of(dart_team_t team, const std::vector<double>& send,
                       std::vector<double>& recv) {
  return started([&](dart::Done done) {
    dart::start_allreduce(std::move(done), send.data(), recv.data(), send.size(), DART_TYPE_DOUBLE,
                          DART_OP_SUM, team);
  });
}

/// Whether there are several units, all on one node. Elsewhere a mismatch is not detected, or ends the
/// job.
bool has_several_units_on_one_node() {
  dart_gptr_t gptr;
  REQUIRE(dart_team_memalloc_aligned(DART_TEAM_ALL, 1, DART_TYPE_BYTE, &gptr) == DART_OK);
  int on_node = 0;
  for (int unit = 0; unit < num_units(); ++unit) {
    gptr.unitid = unit;
    on_node += dart::on_node_address(gptr, 1) != nullptr ? 1 : 0;
  }
  gptr.unitid = 0;
  REQUIRE(dart_team_memfree(gptr) == DART_OK);
  return num_units() > 1 && on_node == num_units();
}

}  // namespace

TEST_CASE("Non-blocking collectives give the same bits as the blocking ones, in every team",
          "[AsyncCollective]") {
  for_each_team([](dart_team_t team) {
    for (const std::size_t n : {std::size_t{1}, std::size_t{1500}, std::size_t{30'000}}) {
      std::vector<double> mine(n);
      for (std::size_t i = 0; i < n; ++i)
        mine[i] = 1.0 / static_cast<double>(my_id() + 1) + static_cast<double>(i % 17);
      std::vector<double> blocking(n);
      std::vector<double> async(n);
      exec::Operation pending = sum_of(team, mine, async);
      REQUIRE(dart_allreduce(mine.data(), blocking.data(), n, DART_TYPE_DOUBLE, DART_OP_SUM,
                             team) == DART_OK);
      pending.wait();
      // The members of a node, and the leaders, are combined in the same order by both schedules.
      REQUIRE(std::memcmp(blocking.data(), async.data(), n * sizeof(double)) == 0);
      std::vector<int> extremes{my_id(), my_id()};
      std::vector<int> found(2);
      started([&](dart::Done done) {
        dart::start_allreduce(std::move(done), extremes.data(), found.data(), 2, DART_TYPE_INT,
                              DART_OP_MINMAX, team);
      }).wait();
      const std::vector<int> globals = globals_of(team);
      REQUIRE(found[DART_OP_MINMAX_MIN] == *std::min_element(globals.begin(), globals.end()));
      REQUIRE(found[DART_OP_MINMAX_MAX] == *std::max_element(globals.begin(), globals.end()));
    }
  });
}

TEST_CASE("Non-blocking collectives of different teams are independent", "[AsyncCollective]") {
  const std::vector<int> all = globals_of(DART_TEAM_ALL);
  const SubTeam odd(DART_TEAM_ALL, select(all, [](int unit) { return unit % 2 == 1; }));
  const SubTeam low(DART_TEAM_ALL, select(all, [](int unit) { return unit < 2; }));
  std::vector<exec::Operation> pending;
  std::vector<std::unique_ptr<std::vector<double>>> results;
  const std::vector<double> one{1};
  const auto start = [&](dart_team_t team) {
    results.push_back(std::make_unique<std::vector<double>>(1));
    pending.push_back(sum_of(team, one, *results.back()));
  };
  std::vector<double> expected;
  for (int round = 0; round < 30; ++round) {
    // The order of the teams differs between units; within a team it is the same.
    for (int k = 0; k < 3; ++k) {
      const int choice = (k + my_id() + round) % 3;
      const dart_team_t team = choice == 0 ? DART_TEAM_ALL : choice == 1 ? odd.id() : low.id();
      if (team == DART_TEAM_NULL) continue;
      start(team);
      expected.push_back(size_of(team));
    }
  }
  for (std::size_t i = pending.size(); i-- > 0;) {
    pending[i].wait();
    REQUIRE((*results[i])[0] == expected[i]);
  }
}

TEST_CASE("Destroying a team completes its pending collectives", "[AsyncCollective]") {
  const std::vector<double> mine(20'000, my_id());
  std::vector<double> sum(mine.size());
  exec::Operation pending;
  {
    const SubTeam team(DART_TEAM_ALL, globals_of(DART_TEAM_ALL));
    pending = sum_of(team.id(), mine, sum);
    started([&](dart::Done done) { dart::start_barrier(std::move(done), team.id(), true); });
  }
  REQUIRE(pending.done());
  const int n = num_units();
  REQUIRE(std::count(sum.begin(), sum.end(), n * (n - 1) / 2) == 20'000);
}

TEST_CASE("A thread that waits for a collective wakes although another thread starts the next one",
          "[AsyncCollective]") {
  if (!is_multithreaded()) DASH_SKIP("needs MPI_THREAD_MULTIPLE");
  REQUIRE(dart_barrier(DART_TEAM_ALL) == DART_OK);
  const auto start = [] {
    return started(
        [&](dart::Done done) { dart::start_barrier(std::move(done), DART_TEAM_ALL, true); });
  };
  // The last unit waits until the others sleep; then only the sleeping thread can make progress.
  const bool is_last = my_id() == num_units() - 1;
  if (is_last) std::this_thread::sleep_for(std::chrono::milliseconds(200));
  exec::Operation first = start();
  std::thread waiter([&] { first.wait(); });
  if (!is_last) std::this_thread::sleep_for(std::chrono::milliseconds(50));
  exec::Operation second = start();
  waiter.join();
  second.wait();
}

TEST_CASE("Units of a node that start different collectives get an error", "[AsyncCollective]") {
  if (!has_several_units_on_one_node()) DASH_SKIP("needs several units, all on one node");
  const std::vector<int> all = globals_of(DART_TEAM_ALL);
  // One chunk on all units, then several chunks on unit 0: the others never reach its second chunk.
  for (const std::size_t nbytes : {std::size_t{4}, std::size_t{100'000}}) {
    const SubTeam team(DART_TEAM_ALL, all);
    std::vector<char> send(nbytes + 16);
    std::vector<char> recv(all.size() * send.size());
    const auto gather = [&](std::size_t each) {
      return started([&](dart::Done done) {
        dart::start_allgather(std::move(done), send.data(), recv.data(), each, team.id());
      });
    };
    exec::Operation first = gather(my_id() == 0 ? nbytes : 8);
    exec::Operation second = gather(16);
    REQUIRE_THROWS_AS(first.wait(), dash::exception::InvalidArgument);
    REQUIRE_THROWS_AS(second.wait(), dash::exception::InvalidArgument);
    REQUIRE_THROWS_AS(gather(16).wait(), dash::exception::InvalidArgument);
  }
  // No unit considers itself the root.
  const SubTeam team(DART_TEAM_ALL, all);
  int value = my_id();
  exec::Operation passed = started([&](dart::Done done) {
    dart::start_bcast(std::move(done), &value, sizeof value, my_id() == 0 ? 1 : 0, team.id());
  });
  REQUIRE_THROWS_AS(passed.wait(), dash::exception::InvalidArgument);
}

TEST_CASE("Broadcasts that the root starts before other units have created the team",
          "[AsyncCollective]") {
  const std::vector<int> all = globals_of(DART_TEAM_ALL);
  for (int round = 0; round < 200; ++round) {
    const SubTeam team(DART_TEAM_ALL, all);
    const int root = round % num_units();
    std::array<int, 2> values{};
    if (my_id() == root) values = {2 * round + 1, 2 * round + 2};
    const auto start = [&](int& value) {
      return started([&](dart::Done done) {
        dart::start_bcast(std::move(done), &value, sizeof value, root, team.id());
      });
    };
    exec::Operation first = start(values[0]);
    exec::Operation second = start(values[1]);
    first.wait();
    second.wait();
    REQUIRE(values == std::array{2 * round + 1, 2 * round + 2});
  }
}

TEST_CASE("The label of a non-blocking collective describes it", "[AsyncCollective]") {
  int value = my_id();
  const exec::Operation passed = started([&](dart::Done done) {
    dart::start_bcast(std::move(done), &value, sizeof value, 0, DART_TEAM_ALL);
  });
  const exec::Label label = passed.state()->label();
  REQUIRE(std::string(label.format) == "a bcast_async in team {} from unit {}, of {} bytes");
  REQUIRE(label.numbers == std::array<long, 3>{DART_TEAM_ALL, 0, sizeof value});
  passed.state()->wait();
}

TEST_CASE("Non-blocking collectives reject wrong arguments", "[AsyncCollective]") {
  const std::vector<double> mine(1);
  std::vector<double> sum(1);
  REQUIRE_THROWS_AS(sum_of(DART_TEAM_NULL, mine, sum), dash::exception::InvalidArgument);
  const auto bitwise = [&](dart::Done done) {
    dart::start_allreduce(std::move(done), mine.data(), sum.data(), 1, DART_TYPE_DOUBLE,
                          DART_OP_BAND, DART_TEAM_ALL);
  };
  REQUIRE_THROWS_AS(started(bitwise), dash::exception::InvalidArgument);
  REQUIRE(dart_barrier(DART_TEAM_ALL) == DART_OK);
}

TEST_CASE("Large non-blocking collectives of several chunks deliver all data",
          "[AsyncCollective]") {
  constexpr std::size_t n = 150'001;  // more than two chunks of any schedule
  const int units = num_units();
  const auto value = [](int unit, std::size_t i) {
    return static_cast<double>((i * 7 + static_cast<std::size_t>(unit) * 13) % 1001);
  };
  std::vector<double> mine(n);
  for (std::size_t i = 0; i < n; ++i)
    mine[i] = value(my_id(), i);
  std::vector<double> total(n);
  for (int unit = 0; unit < units; ++unit) {
    for (std::size_t i = 0; i < n; ++i)
      total[i] += value(unit, i);
  }
  const auto bytes = n * sizeof(double);
  std::vector<double> summed(n);
  std::vector<std::vector<double>> reduced(static_cast<std::size_t>(units), std::vector<double>(n));
  std::vector<std::vector<double>> passed(static_cast<std::size_t>(units), mine);
  std::vector<double> gathered(n * static_cast<std::size_t>(units));
  std::vector<exec::Operation> pending{sum_of(DART_TEAM_ALL, mine, summed)};
  for (int root = 0; root < units; ++root) {
    const auto place = static_cast<std::size_t>(root);
    pending.push_back(started([&](dart::Done done) {
      dart::start_reduce(std::move(done), mine.data(), reduced[place].data(), n, DART_TYPE_DOUBLE,
                         DART_OP_SUM, root, DART_TEAM_ALL);
    }));
    pending.push_back(started([&](dart::Done done) {
      dart::start_bcast(std::move(done), passed[place].data(), bytes, root, DART_TEAM_ALL);
    }));
  }
  pending.push_back(started([&](dart::Done done) {
    dart::start_allgather(std::move(done), mine.data(), gathered.data(), bytes, DART_TEAM_ALL);
  }));
  for (exec::Operation& each : pending)
    each.wait();
  REQUIRE(summed == total);
  REQUIRE(reduced[static_cast<std::size_t>(my_id())] == total);
  for (int unit = 0; unit < units; ++unit) {
    const std::vector<double>& from = passed[static_cast<std::size_t>(unit)];
    for (std::size_t i = 0; i < n; ++i) {
      if (from[i] != value(unit, i)) FAIL("element " << i << " of root " << unit);
      if (gathered[static_cast<std::size_t>(unit) * n + i] != value(unit, i))
        FAIL("element " << i << " of unit " << unit);
    }
  }
}
