// dash-test: parallel units=1,2,3,4,7 layouts=node,cliques,nolocal modes=auto,poll

#include "dash/algorithm/Partition.h"

#include <algorithm>
#include <stdexcept>
#include <string>
#include <vector>

#include "algorithms/call/RangeModel.h"
#include "dash/Array.h"
#include "dash/Exception.h"
#include "dash/Init.h"
#include "dash/algorithm/Unique.h"
#include "support/Catch.h"
#include "support/Runner.h"

TEST_CASE("unique gives the result of std::unique in every distribution") {
  for (const int most : {0, 1, 1000}) {
    const std::vector<int> values = signed_values(3000, most);
    for_each_range(values, [&](auto& array, index_t begin, index_t end) {
      std::vector<int> model(values.begin() + begin, values.begin() + end);
      const auto kept = std::unique(model.begin(), model.end()) - model.begin();
      const auto unique_end = dash::unique(array.begin() + begin, array.begin() + end);
      CHECK(unique_end - (array.begin() + begin) == kept);
      model.resize(static_cast<std::size_t>(kept));
      CHECK(differing(array.begin() + begin, model) == 0);
      // Elements outside of the range are unchanged.
      CHECK(differing(array.begin(), std::vector<int>(values.begin(), values.begin() + begin)) ==
            0);
      CHECK(differing(array.begin() + end, std::vector<int>(values.begin() + end, values.end())) ==
            0);
    });
  }
}

TEST_CASE("unique overloads with a comparison of the application") {
  dash::Array<int> array(1000);
  std::vector<int> values(1000);
  for (std::size_t i = 0; i < values.size(); ++i)
    values[i] = static_cast<int>(i);
  std::vector<int> model = values;
  const auto same_ten = [](int a, int b) { return a / 10 == b / 10; };
  model.erase(std::unique(model.begin(), model.end(), same_ten), model.end());
  const auto check = [&](const auto& form) {
    assign(array.begin(), values);
    CHECK(form() == array.begin() + 100);
    CHECK(differing(array.begin(), model) == 0);
  };
  check([&] { return dash::unique(array, same_ten); });
  check([&] { return dash::unique(dash::seq, array, same_ten); });
  check([&] { return dash::unique(dash::par, array.begin(), array.end(), same_ten); });
  check([&] { return dash::unique_async(array, same_ten).get(); });
}

TEST_CASE(
    "partition and stable_partition give the result of std::stable_partition in every "
    "distribution") {
  const std::vector<int> values = signed_values(3000, 1000);
  for (const int bound : {-2000, -300, 2000}) {
    const auto predicate = [bound](int value) { return value < bound; };
    for_each_range(values, [&](auto& array, index_t begin, index_t end) {
      std::vector<int> model = values;
      const auto point =
          std::stable_partition(model.begin() + begin, model.begin() + end, predicate);
      const auto first = array.begin() + begin;
      const auto last = array.begin() + end;
      CHECK(dash::stable_partition(first, last, predicate) - array.begin() ==
            point - model.begin());
      CHECK(differing(array.begin(), model) == 0);
      assign(array.begin(), values);
      CHECK(dash::partition(first, last, predicate) - array.begin() == point - model.begin());
      const auto found = values_of(first, last);
      CHECK(std::is_partitioned(found.begin(), found.end(), predicate));
    });
  }
  dash::Array<int> array(10);
  assign(array.begin(), std::vector<int>{1, 2, 3, 4, 5, 6, 7, 8, 9, 10});
  const auto odd = [](int value) { return value % 2 != 0; };
  CHECK(dash::stable_partition_async(dash::seq, array, odd).get() == array.begin() + 5);
  CHECK(differing(array.begin(), std::vector<int>{1, 3, 5, 7, 9, 2, 4, 6, 8, 10}) == 0);
  CHECK(dash::partition_async(array, odd).get() == array.begin() + 5);
  CHECK(dash::partition(dash::par, array, odd) == array.begin() + 5);
}

TEST_CASE("unique and partition throw on all units if a function throws on one") {
  dash::Array<int> array(1000);
  array.barrier();
  const auto thrower = static_cast<int>(dash::size()) - 1;
  const auto fail = [thrower] {
    if (dash::myid() == thrower) throw std::runtime_error("not here");
    return true;
  };
  const auto check = [thrower](const auto& form) {
    std::string text;
    try {
      form();
    } catch (const dash::exception::RuntimeError& error) {
      text = error.what();
    }
    CHECK(text.find("unit " + std::to_string(thrower)) != std::string::npos);
    CHECK(text.find("not here") != std::string::npos);
  };
  check([&] { dash::unique(array, [&](int, int) { return fail(); }); });
  check([&] { dash::partition(array, [&](int) { return fail(); }); });
  array.barrier();
}

TEST_CASE("unique and partition of empty ranges have no effect") {
  dash::Array<int> none;
  CHECK(dash::unique(none.begin(), none.end()) == none.end());
  CHECK(dash::partition(none.begin(), none.end(), [](int) { return true; }) == none.end());
  dash::barrier();
}
