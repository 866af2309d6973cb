// dash-test: parallel units=1,2,3,4,7 layouts=node,cliques,nolocal modes=auto,poll

#include "algorithms/call/RangeModel.h"
#include "dash/algorithm/Sort.h"

#include <algorithm>
#include <cstdint>
#include <functional>
#include <limits>
#include <new>
#include <random>
#include <stdexcept>
#include <string>
#include <vector>

#include "dash/Array.h"
#include "dash/Collectives.h"
#include "dash/Exception.h"
#include "dash/Init.h"
#include "dash/Matrix.h"
#include "dash/algorithm/NthElement.h"
#include "dash/async/Executor.h"
#include "dash/pattern/CSRPattern.h"
#include "support/Catch.h"
#include "support/Runner.h"

namespace {

/// An element with a key and its original position, which shows whether equal elements kept their
/// order.
struct Record {
  std::int32_t key;
  std::int32_t position;
  double payload[2];

  friend bool operator==(const Record& a, const Record& b) {
    return a.key == b.key && a.position == b.position && a.payload[1] == b.payload[1];
  }
};

/// Sorts a range and a model of it.
/// \returns the number of the caller's elements that differ
template <class GlobIt>
int sort_both(const GlobIt& first, std::vector<int> model) {
  assign(first, model);
  dash::sort(first, first + static_cast<index_t>(model.size()));
  std::sort(model.begin(), model.end());
  return differing(first, model);
}

}  // namespace

TEST_CASE("sort of an Array gives the result of std::sort for every distribution and input order") {
  for (const auto& distribution : {dash::BLOCKED, dash::CYCLIC, dash::BLOCKCYCLIC(7)}) {
    for (const std::size_t size : {1UL, 2UL, 5UL, 60UL, 1000UL, 20011UL}) {
      dash::Array<int> array(size, distribution);
      std::vector<int> model = signed_values(size, 1 << 30);
      INFO("distribution " << distribution << ", " << size << " elements");
      CHECK(sort_both(array.begin(), model) == 0);
      std::sort(model.begin(), model.end());
      CHECK(sort_both(array.begin(), model) == 0);
      std::reverse(model.begin(), model.end());
      CHECK(sort_both(array.begin(), model) == 0);
      CHECK(sort_both(array.begin(), std::vector<int>(size, 17)) == 0);
      CHECK(sort_both(array.begin(), signed_values(size, 2)) == 0);
    }
  }
}

TEST_CASE("sort of a part of an Array leaves the other elements unchanged") {
  for (const auto& distribution : {dash::BLOCKED, dash::CYCLIC, dash::BLOCKCYCLIC(40)}) {
    const std::vector<int> before = signed_values(500, 1000);
    dash::Array<int> array(500, distribution);
    for (const auto& [begin, end] : std::vector<std::pair<index_t, index_t>>{
             {0, 500}, {13, 400}, {499, 500}, {77, 99}, {120, 121}, {200, 200}, {1, 499}}) {
      INFO("distribution " << distribution << ", from " << begin << " to " << end);
      assign(array.begin(), before);
      dash::sort(array.begin() + begin, array.begin() + end);
      std::vector<int> model = before;
      std::sort(model.begin() + begin, model.begin() + end);
      CHECK(differing(array.begin(), model) == 0);
    }
  }
}

TEST_CASE("sort orders elements by a comparison or by a key") {
  dash::Array<int> array(3001);
  std::vector<int> model = signed_values(3001, 500);
  assign(array.begin(), model);
  dash::sort(array.begin(), array.end(), std::greater<int>());
  std::sort(model.begin(), model.end(), std::greater<int>());
  CHECK(differing(array.begin(), model) == 0);

  dash::sort(array.begin(), array.end(), [](const int& value) { return -2.5 * value; });
  CHECK(differing(array.begin(), model) == 0);
  dash::sort(array.begin(), array.end(), [](int value) { return static_cast<unsigned>(value); });
  std::sort(model.begin(), model.end(),
            [](int a, int b) { return static_cast<unsigned>(a) < static_cast<unsigned>(b); });
  CHECK(differing(array.begin(), model) == 0);
}

TEST_CASE("stable_sort keeps the order of elements with equal keys, in every distribution") {
  const auto by_key = [](const Record& a, const Record& b) { return a.key < b.key; };
  for (const auto& distribution : {dash::BLOCKED, dash::CYCLIC, dash::BLOCKCYCLIC(11)}) {
    for (const int most : {0, 3, 1000}) {
      std::vector<Record> model(4099);
      for (std::size_t i = 0; i < model.size(); ++i) {
        const auto position = static_cast<std::int32_t>(i);
        const auto key = std::uniform_int_distribution<int>(0, most)(common_random());
        model[i] = {key, position, {0.5, 1.5 * position}};
      }
      dash::Array<Record> array(model.size(), distribution);
      INFO("distribution " << distribution << ", keys up to " << most);
      assign(array.begin(), model);
      dash::stable_sort(array.begin(), array.end(), by_key);
      std::stable_sort(model.begin(), model.end(), by_key);
      CHECK(differing(array.begin(), model) == 0);
      dash::stable_sort(array.begin(), array.end(), [](const Record& r) { return -r.key; });
      std::stable_sort(model.begin(), model.end(),
                       [](const Record& a, const Record& b) { return a.key > b.key; });
      CHECK(differing(array.begin(), model) == 0);
    }
  }
}

TEST_CASE("sort of ranges with very different numbers of elements per unit, including none") {
  using Pattern = dash::CSRPattern<1>;
  for (int round = 0; round < 6; ++round) {
    std::vector<Pattern::size_type> sizes(dash::size());
    for (auto& size : sizes) {
      const std::size_t most = std::size_t{1}
                               << std::uniform_int_distribution<int>(0, 13)(common_random());
      size = std::uniform_int_distribution<std::size_t>(0, most)(common_random());
      if (std::uniform_int_distribution<int>(0, 3)(common_random()) == 0) size = 0;
    }
    sizes[std::uniform_int_distribution<std::size_t>(0, sizes.size() - 1)(common_random())] = 9001;
    dash::Array<int, index_t, Pattern> array{Pattern(sizes)};
    INFO("round " << round);
    CHECK(sort_both(array.begin(), signed_values(array.size(), 1 << 30)) == 0);
    CHECK(sort_both(array.begin(), signed_values(array.size(), 1)) == 0);
  }
}

TEST_CASE("sort with several workers per unit gives the result of one worker") {
  const int workers = dash::exec::executor_workers();
  dash::exec::set_executor_workers(3);
  for (const auto& distribution : {dash::BLOCKED, dash::CYCLIC}) {
    dash::Array<int> array(30001 * dash::size(), distribution);
    CHECK(sort_both(array.begin(), signed_values(array.size(), 1 << 30)) == 0);
    CHECK(sort_both(array.begin(), signed_values(array.size(), 5)) == 0);
    std::vector<Record> model(25000);
    for (std::size_t i = 0; i < model.size(); ++i) {
      const auto key = std::uniform_int_distribution<int>(0, 99)(common_random());
      model[i] = {key, static_cast<std::int32_t>(i), {0, 1}};
    }
    dash::Array<Record> records(model.size(), distribution);
    assign(records.begin(), model);
    const auto by_key = [](const Record& a, const Record& b) { return a.key < b.key; };
    dash::stable_sort(records.begin(), records.end(), by_key);
    std::stable_sort(model.begin(), model.end(), by_key);
    CHECK(differing(records.begin(), model) == 0);
  }
  dash::exec::set_executor_workers(workers);
}

TEST_CASE("all overloads of sort give the same result") {
  const std::vector<int> values = signed_values(2500, 400);
  std::vector<int> sorted = values;
  std::sort(sorted.begin(), sorted.end());
  dash::Array<int> array(values.size());
  const auto check = [&](const auto& form) {
    assign(array.begin(), values);
    form();
    CHECK(differing(array.begin(), sorted) == 0);
  };
  check([&] { dash::sort(array); });
  check([&] { dash::sort(dash::seq, array); });
  check([&] { dash::sort(dash::par, array.begin(), array.end()); });
  check([&] { dash::sort(dash::par_unseq, array, [](int value) { return value; }); });
  check([&] { dash::sort(dash::par_node, array, std::less<int>()); });
  check([&] { dash::stable_sort(array); });
  check([&] { dash::stable_sort(dash::par, array); });
  check([&] { dash::sort_async(array.begin(), array.end()).get(); });
  check([&] { dash::stable_sort_async(dash::seq, array, std::less<int>()).get(); });
}

TEST_CASE("sort_async runs two sorts concurrently with collectives of the caller") {
  const std::vector<int> values = signed_values(5000, 1 << 30);
  std::vector<int> sorted = values;
  std::sort(sorted.begin(), sorted.end());
  dash::Array<int> blocked(values.size());
  dash::Array<int> cyclic(values.size(), dash::CYCLIC);
  assign(blocked.begin(), values);
  assign(cyclic.begin(), values);
  auto first = dash::sort_async(blocked);
  auto second = dash::stable_sort_async(cyclic);
  for (int round = 0; round < 5; ++round) {
    const int sum = dash::allreduce_async(1, dash::plus<int>()).get();
    CHECK(sum == static_cast<int>(dash::size()));
  }
  second.get();
  first.get();
  CHECK(differing(blocked.begin(), sorted) == 0);
  CHECK(differing(cyclic.begin(), sorted) == 0);
}

TEST_CASE("sort of matrices and boxes orders elements in the order of the range") {
  {
    dash::NArray<int, 2> matrix(137, 53);
    CHECK(sort_both(matrix.begin(), signed_values(matrix.size(), 1 << 20)) == 0);
  }
  {
    dash::NArray<int, 2> matrix(24, 18, dash::NONE, dash::BLOCKED);
    CHECK(sort_both(matrix.begin(), signed_values(matrix.size(), 30)) == 0);
    auto box = matrix.sub<0>(3, 11).sub<1>(2, 14);
    CHECK(sort_both(box.begin(), signed_values(box.size(), 1 << 20)) == 0);
  }
  {
    const auto tile = 3UL;
    const auto extent = tile * 2 * dash::size();
    dash::Matrix<int, 2> matrix(dash::SizeSpec<2>(extent, extent),
                                dash::DistributionSpec<2>(dash::TILE(tile), dash::TILE(tile)),
                                dash::Team::All(), dash::TeamSpec<2>(dash::size(), 1));
    CHECK(sort_both(matrix.begin(), signed_values(matrix.size(), 1 << 20)) == 0);
  }
}

TEST_CASE("sort of small ranges around the limit for redundant sorting") {
  const auto by_key = [](const Record& a, const Record& b) { return a.key < b.key; };
  for (const auto& distribution : {dash::BLOCKED, dash::CYCLIC, dash::BLOCKCYCLIC(3)}) {
    for (const std::size_t size : {2UL, 10UL, 63UL, 64UL, 65UL}) {
      INFO("distribution " << distribution << ", " << size << " elements");
      dash::Array<int> array(size, distribution);
      CHECK(sort_both(array.begin(), signed_values(size, 1 << 30)) == 0);
      CHECK(sort_both(array.begin(), signed_values(size, 1)) == 0);

      dash::Array<Record> records(size, distribution);
      std::vector<Record> model(size);
      for (std::size_t i = 0; i < size; ++i) {
        model[i] = {static_cast<std::int32_t>(random_up_to(3)), static_cast<std::int32_t>(i), {}};
      }
      assign(records.begin(), model);
      dash::stable_sort(records.begin(), records.end(), by_key);
      std::stable_sort(model.begin(), model.end(), by_key);
      CHECK(differing(records.begin(), model) == 0);

      const auto nth = static_cast<index_t>(size / 3);
      const auto found = dash::nth_element(records.begin(), records.begin() + nth, records.end(),
                                           [](const Record& r) { return -r.key; });
      CHECK(found->key == (model.end() - 1 - nth)->key);
    }
  }
}

namespace {

/// Not default constructible, and over-aligned.
struct alignas(64) Aligned {
  explicit Aligned(int value) : number(value) {}
  int number;
};
struct Large {
  int number;
  char rest[5000];
};

/// Sorts and checks 20 elements that make(at, number) constructs, each with its number.
template <class T, class Make>
void check_sorting_down(Make make) {
  dash::Array<T> array(20, dash::BLOCKCYCLIC(3));
  for (std::size_t i = 0; i < array.lsize(); ++i)
    make(array.lbegin() + i, static_cast<int>(array.pattern().global(static_cast<index_t>(i))));
  array.barrier();
  dash::sort(array, [](const T& element) { return -element.number; });
  for (std::size_t i = 0; i < array.lsize(); ++i) {
    const auto position = static_cast<int>(array.pattern().global(static_cast<index_t>(i)));
    CHECK(array.lbegin()[i].number == 19 - position);
  }
  array.barrier();
}

}  // namespace

TEST_CASE("sort of over-aligned or large elements") {
  check_sorting_down<Aligned>([](Aligned* at, int number) { new (at) Aligned(number); });
  check_sorting_down<Large>([](Large* at, int number) { at->number = number; });
}

TEST_CASE("sort of few elements with a comparison that throws on one unit throws on all units") {
  const auto thrower = static_cast<int>(dash::size()) - 1;
  for (const auto& distribution : {dash::BLOCKED, dash::CYCLIC}) {
    dash::Array<int> array(20, distribution);
    assign(array.begin(), signed_values(20, 1000));
    const auto compare = [&](const int& a, const int& b) {
      if (dash::myid() == thrower) throw std::runtime_error("no comparison today");
      return a < b;
    };
    const auto text = Catch::Matchers::EndsWith("failed on unit " + std::to_string(thrower) +
                                                ": no comparison today");
    CHECK_THROWS_WITH(dash::sort(array.begin(), array.end(), compare), text);
    CHECK_THROWS_WITH(dash::stable_sort(array, compare), text);
    CHECK_THROWS_WITH(dash::nth_element(array, array.begin() + 7, compare), text);
  }
}

TEST_CASE("sort in a sub-team does not involve the other units") {
  if (dash::size() < 2) DASH_SKIP("needs two units");
  dash::Team& half = dash::Team::All().split(2);
  const std::vector<int> values = signed_values(3000, 1 << 30);
  if (half.position() == 0) {
    dash::Array<int> array(3000, half);
    CHECK(sort_both(array.begin(), values) == 0);
    dash::Array<int> cyclic(3000, dash::CYCLIC, half);
    CHECK(sort_both(cyclic.begin(), values) == 0);
  }
  dash::barrier();
}

TEST_CASE("sort of an empty range or an unallocated container has no effect") {
  dash::Array<int> none;
  dash::sort(none.begin(), none.end());
  dash::Array<int> array(10);
  dash::sort(array.begin() + 4, array.begin() + 4);
  array.barrier();
}

TEST_CASE("sort with a comparison that throws on one unit throws on all units") {
  const auto thrower = static_cast<int>(dash::size()) - 1;
  for (const auto& distribution : {dash::BLOCKED, dash::CYCLIC}) {
    dash::Array<int> array(5000, distribution);
    // With few calls, the comparison throws in the local sort of the unit; with many, in the search
    // for splits or in the last merge.
    for (const int calls : {1, 100, 5000, 20000, 40000, 60000}) {
      assign(array.begin(), signed_values(5000, 1 << 30));
      int left = calls;
      bool thrown = false;
      const auto compare = [&](const int& a, const int& b) {
        if (dash::myid() == thrower && --left == 0) {
          thrown = true;
          throw std::runtime_error("no comparison today");
        }
        return a < b;
      };
      std::string text;
      try {
        dash::sort(dash::seq, array.begin(), array.end(), std::ref(compare));
      } catch (const dash::exception::RuntimeError& error) {
        text = error.what();
      }
      dash::Array<int> outcome(dash::size());
      outcome.local[0] = thrown ? 1 : 0;
      outcome.barrier();
      const bool expected = outcome[thrower] == 1;
      CHECK((text.find("no comparison today") != std::string::npos) == expected);
      CHECK((text.find("unit " + std::to_string(thrower)) != std::string::npos) == expected);
      outcome.barrier();
    }
  }
}

TEST_CASE("sort of NaN throws on all units with a message about NaN") {
  dash::Array<double> array(100 * dash::size());
  std::fill(array.lbegin(), array.lend(), 1.5);
  if (dash::myid() == 0) array.local[3] = std::numeric_limits<double>::quiet_NaN();
  array.barrier();
  CHECK_THROWS_WITH(dash::sort(array.begin(), array.end()),
                    Catch::Matchers::ContainsSubstring("NaN"));
  dash::sort(array.begin(), array.end(), [](double value) { return value > 0 ? value : 0.0; });
  array.barrier();
}
