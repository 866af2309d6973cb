// dash-test: parallel units=1,2,3,4,7 layouts=node,nolocal quick=never
//
// Reordering algorithms with each policy, in sub-teams, and on over-aligned elements.

#include <atomic>
#include <cstddef>
#include <random>
#include <thread>
#include <vector>

#include "OrderChecks.h"
#include "dash/Array.h"
#include "dash/ExecutionPolicy.h"
#include "dash/Init.h"
#include "dash/Matrix.h"
#include "dash/View.h"
#include "dash/pattern/CSRPattern.h"
#include "support/Catch.h"
#include "support/Runner.h"

namespace {

using Uneven = dash::CSRPattern<1>;

unsigned random_seed() {
  return static_cast<unsigned>(common_random()());
}

/// Sizes of a distribution in which one unit has many elements and the others few or none.
dash::Array<double, index_t, Uneven> uneven_array(std::size_t most) {
  std::vector<Uneven::size_type> sizes(dash::size());
  for (auto& size : sizes)
    size = static_cast<std::size_t>(random_up_to(1) * random_up_to(60));
  sizes[static_cast<std::size_t>(random_up_to(static_cast<long>(dash::size()) - 1))] = most;
  return dash::Array<double, index_t, Uneven>{Uneven(sizes)};
}

/// A pattern that is the same on all units of a team.
class TeamRandom {
 public:
  /// \param seed  the same on all units
  TeamRandom(const dash::Team& team, unsigned seed)
      : _random(seed + static_cast<unsigned>(team.position())) {}
  long up_to(long last) { return std::uniform_int_distribution<long>(0, last)(_random); }
  std::size_t extent(long least, long most) {
    return static_cast<std::size_t>(least + up_to(most - least));
  }
  unsigned seed() { return static_cast<unsigned>(_random()); }

 private:
  std::mt19937 _random;
};

/// Runs the checks in one team, while other teams may do the same.
void check_in_team(dash::Team& team, unsigned seed) {
  TeamRandom random(team, seed);
  INFO("team " << team.position() << " of " << team.size() << " units, seed " << seed);
  for (const long most : {64, 900}) {
    dash::Array<Sample> array(random.extent(1, most), dash::BLOCKCYCLIC(random.extent(1, 40)),
                              team);
    const long begin = random.up_to(static_cast<long>(array.size()));
    check_order(dash::par, array, array.begin() + begin, array.end(), random.seed());
  }
  dash::NArray<Sample, 2> matrix(dash::SizeSpec<2>(random.extent(5, 20), random.extent(9, 20)),
                                 dash::DistributionSpec<2>(dash::BLOCKED, dash::CYCLIC), team,
                                 dash::TeamSpec<2>(team));
  auto box = matrix.sub<0>(1, 4).sub<1>(2, random.extent(1, 7));
  check_order(dash::par_node, matrix, box.begin(), box.end(), random.seed());
}

}  // namespace

TEST_CASE("reordering algorithms with each policy give the standard library's results") {
  for_each_policy([](const auto& policy) {
    auto array = uneven_array(100);
    check_order(policy, array, array.begin(), array.end(), random_seed());
    check_order(policy, array, array.begin() + 3, array.begin() + 60, random_seed());
  });
}

TEST_CASE("reordering algorithms share the elements of one unit among its workers") {
  const Workers several(3);
  auto array = uneven_array(9000);
  check_order(dash::par, array, array.begin(), array.end(), random_seed());
  check_order(dash::par_node, array, array.begin() + 5, array.end() - 1, random_seed());
}

TEST_CASE("reordering algorithms with seq call functions on the calling thread") {
  const Workers several(3);
  auto array = uneven_array(9000);
  const auto first = array.begin();
  const auto last = array.end();
  OrderModel<double> model(array, first, last, random_seed());
  model.begin_with();
  std::atomic<int> calls_on_others = 0;
  std::atomic<int> calls_on_caller = 0;
  const auto key = [&calls_on_others, &calls_on_caller,
                    thread = std::this_thread::get_id()](double value) {
    ++(std::this_thread::get_id() == thread ? calls_on_caller : calls_on_others);
    return key_of(value);
  };
  dash::partition(dash::seq, array, [&](double value) { return key(value) < 3; });
  dash::unique(dash::seq, array, [&](double a, double b) { return key(a) == key(b); });
  dash::histogram(dash::seq, array, 5UL, key);
  dash::nth_element(dash::seq, array, first + 4000, key);
  dash::sort(dash::seq, array, [&](double a, double b) { return key(a) < key(b); });
  dash::stable_sort(dash::seq, array, key);
  CHECK(calls_on_others == 0);
  CHECK((calls_on_caller > 0 || array.lsize() < 2));
  array.barrier();
}

TEST_CASE("reordering algorithms in two teams at the same time, and in their sub-teams") {
  if (dash::size() < 2) DASH_SKIP("needs two units");
  const unsigned seed = random_seed();
  dash::Team& half = dash::Team::All().split(2);
  check_in_team(half, seed);
  if (half.size() > 1) check_in_team(half.split(2), seed);
  dash::barrier();
}

TEST_CASE("reordering algorithms in a sub-team do not involve the other units") {
  if (dash::size() < 2) DASH_SKIP("needs two units");
  const unsigned seed = random_seed();
  dash::Team& half = dash::Team::All().split(2);
  for (const std::size_t position : {1UL, 0UL}) {
    if (half.position() == position) check_in_team(half, seed);
  }
  dash::barrier();
}

TEST_CASE("reordering algorithms in sub-teams during a sort of all units") {
  if (dash::size() < 2) DASH_SKIP("needs two units");
  dash::Team& half = dash::Team::All().split(2);
  dash::Array<Sample> array(1000, dash::CYCLIC);
  OrderModel<Sample> model(array, array.begin(), array.end(), random_seed());
  const auto values = model.begin_with();
  const unsigned seed = random_seed();
  auto sorted = dash::stable_sort_async(array, &key_of<Sample>);
  check_in_team(half, seed);
  sorted.get();
  CHECK(model.wrong(stable_sorted(values)) == 0);
}

TEST_CASE("reordering algorithms on over-aligned elements that are not default constructible") {
  for (const long n : {1L + random_up_to(60), 70 + random_up_to(800)}) {
    for (const auto& distribution : {dash::BLOCKED, dash::BLOCKCYCLIC(7)}) {
      INFO(n << " elements, " << distribution);
      dash::Array<Wide> array(static_cast<std::size_t>(n), distribution);
      check_order(dash::par, array, array.begin() + random_up_to(n), array.end(), random_seed());
      check_order(dash::par, array, array.begin(), array.end(), random_seed());
      const auto view = array | dash::sub(random_up_to(n), n) | dash::strided(2);
      check_order(dash::par, array, view.begin(), view.end(), random_seed());
    }
  }
  CHECK(Wide::misplaced == 0);
}
