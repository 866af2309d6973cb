// dash-test: parallel units=1,2,3,4,7 layouts=node,cliques,nolocal modes=auto,poll

#include <algorithm>
#include <atomic>
#include <functional>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "algorithms/call/RangeModel.h"
#include "dash/Exception.h"
#include "dash/algorithm/AllOf.h"
#include "dash/algorithm/Count.h"
#include "dash/algorithm/Find.h"
#include "support/Catch.h"
#include "support/Runner.h"

using Catch::Matchers::ContainsSubstring;

namespace {

/// Checks each algorithm on a range of small random numbers against the standard library.
template <class It, class Policy>
void check_searches(const Policy& policy, const It& first, const It& last,
                    const std::vector<int>& model) {
  const auto position = [&](auto it) { return static_cast<index_t>(it - model.begin()); };
  for (const int wanted : {0, 7, static_cast<int>(random_up_to(60)), -1}) {
    CHECK(dash::find(policy, first, last, wanted) - first ==
          position(std::find(model.begin(), model.end(), wanted)));
    CHECK(dash::count(policy, first, last, wanted) ==
          std::count(model.begin(), model.end(), wanted));
    const auto is_more = [wanted](int value) { return value > 60 - wanted; };
    CHECK(dash::find_if(policy, first, last, is_more) - first ==
          position(std::find_if(model.begin(), model.end(), is_more)));
    CHECK(dash::find_if_not(policy, first, last, is_more) - first ==
          position(std::find_if_not(model.begin(), model.end(), is_more)));
    CHECK(dash::count_if(policy, first, last, is_more) ==
          std::count_if(model.begin(), model.end(), is_more));
    CHECK(dash::all_of(policy, first, last, is_more) ==
          std::all_of(model.begin(), model.end(), is_more));
    CHECK(dash::any_of(policy, first, last, is_more) ==
          std::any_of(model.begin(), model.end(), is_more));
    CHECK(dash::none_of(policy, first, last, is_more) ==
          std::none_of(model.begin(), model.end(), is_more));
  }
}

struct Pixel {
  unsigned char red;
  unsigned char green;
  unsigned char blue;
  friend bool operator==(const Pixel&, const Pixel&) = default;
};

}  // namespace

TEST_CASE(
    "searches in arrays give the standard library's results for each distribution and policy") {
  for (const std::size_t n : {std::size_t{0}, std::size_t{1}, std::size_t{500}}) {
    for_each_array<int>(n, [](const auto& first, const auto& last) {
      const auto model = random_values<int>(static_cast<std::size_t>(last - first), 60);
      assign(first, model);
      for_each_policy([&](const auto& policy) { check_searches(policy, first, last, model); });
    });
  }
}

TEST_CASE("searches in matrices, boxes and strided views use the order of the range") {
  for_each_matrix<int>([](const auto& first, const auto& last) {
    const auto model = random_values<int>(static_cast<std::size_t>(last - first), 60);
    assign(first, model);
    check_searches(dash::par, first, last, model);
  });
}

TEST_CASE("find in a large range returns the first of many matches at any position") {
  constexpr long n = 300000;
  for (const auto& distribution : {dash::BLOCKED, dash::BLOCKCYCLIC(100)}) {
    dash::Array<long> array(n, distribution);
    std::fill(array.lbegin(), array.lend(), 1);
    array.barrier();
    CHECK(dash::find(array, 0L) == array.end());
    long first = n;
    for (int match = 0; match < 5; ++match) {
      const long place = random_up_to(n - 1);
      first = std::min(first, place);
      if (dash::myid() == 0) array[place] = 0;
      array.barrier();
      CHECK(dash::find(array, 0L) == array.begin() + first);
      CHECK(dash::find_if(array.begin() + first + 1, array.end(), [](long x) { return x == 0; }) >
            array.begin() + first);
      CHECK(dash::count(array, 1L) == n - dash::count(array, 0L));
    }
  }
}

TEST_CASE("find: a unit with a match examines few elements after it") {
  constexpr index_t each = 1 << 20;
  dash::Array<int> array(each * dash::size());
  array.local[3] = 1;
  array.barrier();
  std::atomic<long> calls{0};
  const auto counting = [&calls](int value) {
    calls.fetch_add(1, std::memory_order_relaxed);
    return value == 1;
  };
  CHECK(dash::find_if(dash::seq, array.begin(), array.end(), counting) == array.begin() + 3);
  CHECK(calls <= 4096);
  calls = 0;
  CHECK(dash::any_of(dash::seq, array.begin(), array.end(), counting));
  CHECK(calls <= 4096);
  array.barrier();
}

TEST_CASE("searches of structures with operators of the application") {
  dash::Array<Pixel> image(100, dash::BLOCKCYCLIC(6));
  for (auto* pixel = image.lbegin(); pixel != image.lend(); ++pixel)
    *pixel = {1, 2, 3};
  image.barrier();
  if (dash::myid() == 0) image[77] = Pixel{9, 2, 3};
  image.barrier();
  CHECK(dash::find(image.begin(), image.end(), Pixel{9, 2, 3}) == image.begin() + 77);
  CHECK(dash::find(image, Pixel{9, 9, 9}) == image.end());
  CHECK(dash::count(image, Pixel{1, 2, 3}) == 99);
  CHECK(dash::all_of(image, [](const Pixel& pixel) { return pixel.blue == 3; }));
  const std::function<bool(const Pixel&)> is_red = [](const Pixel& pixel) { return pixel.red > 2; };
  CHECK(dash::find_if_not(image.begin() + 77, image.end(), is_red) == image.begin() + 78);
  image.barrier();
}

TEST_CASE("searches as tasks, with each overload") {
  dash::Array<int> array(1000, dash::CYCLIC);
  assign(array.begin(), random_values<int>(1000, 5));
  const auto is_small = [](int value) { return value < 9; };
  auto found = dash::find_async(array, 3);
  auto found_if = dash::find_if_async(dash::seq, array, is_small);
  auto found_if_not = dash::find_if_not_async(array.begin(), array.end(), is_small);
  auto all = dash::all_of_async(dash::par, array.begin(), array.end(), is_small);
  auto any = dash::any_of_async(array, is_small);
  auto none = dash::none_of_async(array, is_small);
  auto number = dash::count_async(array, 3);
  auto number_if = dash::count_if_async(array, is_small);
  CHECK(number_if.get() == 1000);
  CHECK(number.get() == dash::count(array.begin(), array.end(), 3));
  CHECK(found.get() == dash::find(array.begin(), array.end(), 3));
  CHECK(found_if.get() == array.begin());
  CHECK(found_if_not.get() == array.end());
  CHECK(all.get());
  CHECK(any.get());
  CHECK_FALSE(none.get());
  array.barrier();
}

TEST_CASE("searches of an unallocated container") {
  const dash::Array<int> nothing;
  CHECK(dash::find(nothing.begin(), nothing.end(), 1) == nothing.end());
  CHECK(dash::count(nothing.begin(), nothing.end(), 1) == 0);
  CHECK(dash::all_of(nothing.begin(), nothing.end(), [](int) { return false; }));
  CHECK_FALSE(dash::any_of(nothing.begin(), nothing.end(), [](int) { return true; }));
}

TEST_CASE("searches in sub-teams") {
  if (dash::size() < 2) DASH_SKIP("one unit has no sub-teams");
  dash::Team& part = dash::Team::All().split(2);
  {
    dash::Array<int> array(50, dash::CYCLIC, part);
    assign(array.begin(), std::vector<int>(50, part.position()));
    CHECK(dash::count(array, part.position()) == 50);
    CHECK(dash::find(array, 1 - part.position()) == array.end());
    CHECK(dash::find(array, part.position()) == array.begin());
    part.barrier();
  }
  dash::barrier();
}

TEST_CASE("searches whose function throws on one unit throw on all units with its id") {
  dash::Array<int> array(20 * dash::size());
  const auto last = static_cast<int>(dash::size()) - 1;
  const auto fails = [last](int) -> bool {
    if (dash::myid() == last) throw std::runtime_error("not comparable");
    return false;
  };
  const auto unit = ContainsSubstring("unit " + std::to_string(last));
  const auto text = ContainsSubstring("not comparable");
  CHECK_THROWS_WITH(dash::find_if(array, fails),
                    unit && text && ContainsSubstring("dash::find_if"));
  CHECK_THROWS_WITH(dash::any_of(array, fails), unit && text && ContainsSubstring("dash::any_of"));
  CHECK_THROWS_WITH(dash::count_if(array, fails),
                    unit && text && ContainsSubstring("dash::count_if"));
  CHECK_THROWS_WITH(dash::none_of_async(array, fails).get(),
                    unit && text && ContainsSubstring("dash::none_of"));
  array.barrier();
}
