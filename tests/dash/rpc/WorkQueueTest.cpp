// dash-test: parallel units=1,2,3,4 full-units=7 layouts=node,cliques,nolocal modes=auto,thread,poll

#include "dash/WorkQueue.h"

#include <cstddef>
#include <cstdint>
#include <stdexcept>
#include <string>
#include <vector>

#include "dash/Collectives.h"
#include "dash/DataCollectives.h"
#include "dash/Exception.h"
#include "dash/Init.h"
#include "support/Catch.h"
#include "support/Runner.h"
#include "support/Units.h"

namespace {

using dash::test::me;
using dash::test::nunits;

template <class T>
T sum_of_units(T value) {
  return dash::allreduce_async(value, dash::plus<T>()).get();
}

/// The number of nodes of a tree: a node has as many children as its depth is below the height of the tree.
std::size_t num_nodes(int height) {
  std::size_t nodes = 1;
  std::size_t level = 1;
  for (int children = height; children > 0; --children)
    nodes += level *= static_cast<std::size_t>(children);
  return nodes;
}

}  // namespace

TEST_CASE("WorkQueue: a tree that one unit begins: each node is processed once") {
  constexpr int height = 7;
  dash::WorkQueue<std::vector<int>> queue;  // the path to a node
  std::size_t nodes = 0;
  const auto search = [&](std::vector<int> path) {
    ++nodes;
    const int num_children = height - static_cast<int>(path.size());
    path.push_back(0);
    for (int child = 0; child < num_children; ++child) {
      path.back() = child;
      queue.push(path);
    }
  };
  for (int repetition = 0; repetition < 3; ++repetition) {
    nodes = 0;
    if (me() == repetition % nunits()) queue.push({});
    const std::size_t processed = queue.run(search);
    REQUIRE(processed == nodes);
    REQUIRE(queue.local_size() == 0);
    REQUIRE(sum_of_units(nodes) == num_nodes(height));
  }
}

TEST_CASE("WorkQueue: without items, run returns at once") {
  dash::WorkQueue<int> queue;
  REQUIRE(queue.run([](int) { FAIL("there is no item"); }) == 0);
}

TEST_CASE("WorkQueue: items for other units") {
  dash::WorkQueue<std::string> queue;
  constexpr int num_hops = 200;
  int ends = 0;
  queue.push_at(dash::team_unit_t((me() + 1) % nunits()), std::string(num_hops, 'x'));
  queue.run([&](std::string item) {
    item.pop_back();
    if (item.empty()) {
      ++ends;
    } else {
      queue.push_at(dash::team_unit_t((me() + 1) % nunits()), item);
    }
  });
  REQUIRE(sum_of_units(ends) == nunits());
  REQUIRE_THROWS_AS(queue.push_at(dash::team_unit_t(nunits()), ""),
                    dash::exception::InvalidArgument);
  REQUIRE(queue.run([](const std::string&) {}) == 0);
}

TEST_CASE("WorkQueue: units without items take those of a unit that computes") {
  dash::WorkQueue<int> queue;
  constexpr int num_items = 64;
  for (int i = 0; me() == 0 && i < num_items; ++i)
    queue.push(i);
  // The items wait for each other: each unit has to process one.
  std::atomic<int> own{0};
  dash::DistObject<std::atomic<int>> active(std::in_place, dash::Team::All());
  const std::size_t processed = queue.run([&](int) {
    if (own.fetch_add(1) != 0) return;
    dash::am(
        0, [](dash::DistObject<std::atomic<int>>& count) { ++*count; }, active)
        .get();
    while (dash::am(
               0, [](dash::DistObject<std::atomic<int>>& count) { return count->load(); }, active)
               .get() < nunits()) {
    }
  });
  REQUIRE(processed > 0);
  REQUIRE(sum_of_units(processed) == num_items);
  dash::barrier();
}

TEST_CASE("WorkQueue: an item that fails: the others are processed, and all units throw") {
  dash::WorkQueue<int> queue;
  for (int i = 0; i < 100; ++i)
    queue.push(i);
  int done = 0;
  bool has_failed = false;
  const auto process = [&](int i) {
    if (me() == 0 && !has_failed) {
      has_failed = true;
      throw std::domain_error("the first item of unit 0");
    }
    done += i >= 0 ? 1 : 0;
  };
  if (me() == 0) {
    REQUIRE_THROWS_AS(queue.run(process), std::domain_error);
  } else {
    REQUIRE_THROWS_AS(queue.run(process), dash::exception::RuntimeError);
  }
  REQUIRE(sum_of_units(done) == 100 * nunits() - 1);
  queue.push(1);
  queue.run([](int) {});
}

TEST_CASE("WorkQueue: items created before and between runs, in a team") {
  dash::Team& half = dash::Team::All().split(2);
  if (!half.is_null()) {
    dash::WorkQueue<std::uint64_t> queue(half);
    std::uint64_t sum = 0;
    for (std::uint64_t round = 1; round <= 20; ++round) {
      queue.push(round);
      queue.run([&](std::uint64_t item) { sum += item; });
    }
    const auto units = static_cast<std::uint64_t>(half.size());
    REQUIRE(dash::allreduce_async(sum, dash::plus<std::uint64_t>(), half).get() == 210 * units);
  }
  dash::Team::All().barrier();
}
