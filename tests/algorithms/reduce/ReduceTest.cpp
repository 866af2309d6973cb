// dash-test: parallel units=1,2,3,4,7 layouts=node,cliques,nolocal modes=auto,poll

#include "dash/algorithm/Reduce.h"

#include <algorithm>
#include <functional>
#include <numeric>
#include <random>
#include <stdexcept>
#include <vector>

#include "algorithms/call/RangeModel.h"
#include "dash/Array.h"
#include "dash/Exception.h"
#include "dash/Init.h"
#include "dash/Matrix.h"
#include "dash/algorithm/Generate.h"
#include "dash/algorithm/MinMax.h"
#include "support/Catch.h"
#include "support/Runner.h"

namespace {

struct Sum {
  explicit Sum(long number) : value(number) {}
  long value;
};

}  // namespace

TEST_CASE("reduce of numbers and structures in any range gives the standard library's results") {
  const auto add = [](const Sample& a, const Sample& b) {
    return Sample{a.key + b.key,
                  {a.weights[0], b.weights[1], std::max(a.weights[2], b.weights[2])}};
  };
  const auto check = [&](const auto& policy, const auto& first, const auto& last) {
    const auto model = samples<Sample>(static_cast<std::size_t>(last - first));
    assign(first, model);
    const Sample init = sample_of<Sample>(1000);
    CHECK(dash::reduce(policy, first, last, init, add) ==
          std::accumulate(model.begin(), model.end(), init, add));
    first.team().barrier();
  };
  const auto check_numbers = [](const auto& policy, const auto& first, const auto& last) {
    const auto model = random_values<long>(static_cast<std::size_t>(last - first), 1000);
    assign(first, model);
    CHECK(dash::reduce(policy, first, last, 5L) == std::accumulate(model.begin(), model.end(), 5L));
    CHECK(dash::reduce(policy, first, last, 5L, std::bit_xor<>()) ==
          std::accumulate(model.begin(), model.end(), 5L, std::bit_xor<>()));
    first.team().barrier();
  };
  for_each_array<Sample>(700, [&](const auto& first, const auto& last) {
    for_each_policy([&](const auto& policy) { check(policy, first, last); });
  });
  for_each_array<long>(700, [&](const auto& first, const auto& last) {
    for_each_policy([&](const auto& policy) { check_numbers(policy, first, last); });
  });
  for_each_matrix<Sample>(
      [&](const auto& first, const auto& last) { check(dash::par, first, last); });
}

TEST_CASE("reduce of a global range returns the same result on all units") {
  for (const auto& distribution : {dash::BLOCKED, dash::CYCLIC, dash::BLOCKCYCLIC(6)}) {
    dash::Array<int> array(200, distribution);
    dash::generate_with_index(array.begin(), array.end(),
                              [](index_t index) { return static_cast<int>(index); });
    array.barrier();
    CHECK(dash::reduce(array.begin(), array.end(), 0) == 199 * 200 / 2);
    CHECK(dash::reduce(array.begin(), array.end(), 1000) == 1000 + 199 * 200 / 2);
    CHECK(dash::reduce(array.begin() + 10, array.begin() + 13, 0) == 33);
    CHECK(dash::reduce(array.begin() + 10, array.begin() + 10, 5) == 5);
    CHECK(dash::reduce(array.begin(), array.end(), -1, dash::max<int>()) == 199);
    CHECK(dash::reduce(array.begin(), array.end(), 77, dash::min<int>()) == 0);
    CHECK(dash::reduce(array.begin() + 1, array.begin() + 6, 1, std::multiplies<int>()) == 120);
    CHECK(dash::reduce(array.begin(), array.end(), 0, [](int a, int b) { return a ^ b; }) ==
          dash::reduce(array.begin(), array.end(), 0, dash::bit_xor<int>()));
    array.barrier();
  }
}

TEST_CASE("reduce of floating-point numbers is bitwise reproducible") {
  dash::Array<double> array(100000);
  dash::generate_with_index(array.begin(), array.end(),
                            [](index_t index) { return 1.0 / (1.0 + static_cast<double>(index)); });
  array.barrier();
  const double sum = dash::reduce(array.begin(), array.end(), 0.0);
  CHECK(sum == Approx(12.0901461298634));
  for (int round = 0; round < 3; ++round) {
    CHECK(dash::reduce(array.begin(), array.end(), 0.0) == sum);
  }
  array.barrier();
}

TEST_CASE("reduce of elements without default constructor, with any function object") {
  dash::Array<Sum> array(3 * dash::size());
  std::fill(array.lbegin(), array.lend(), Sum(dash::myid() + 1));
  array.barrier();
  const Sum sum = dash::reduce(array.begin(), array.end(), Sum(0),
                               [](Sum a, Sum b) { return Sum(a.value + b.value); });
  const auto units = static_cast<long>(dash::size());
  CHECK(sum.value == 3 * units * (units + 1) / 2);
  array.barrier();
}

TEST_CASE("reduce and min_element of an unallocated container treat it as empty") {
  const dash::Array<int> none;
  CHECK(dash::reduce(none.begin(), none.end(), 7) == 7);
  CHECK(dash::min_element(none.begin(), none.end()) == none.end());
}

TEST_CASE("reduce of native ranges combines the ranges of all units") {
  const auto units = static_cast<int>(dash::size());
  std::vector<int> values(static_cast<std::size_t>(dash::myid().id + 1), 2);
  CHECK(dash::reduce(values.data(), values.data() + values.size(), 1) == 1 + units * (units + 1));
  CHECK(dash::reduce(values.begin(), values.end(), 0, dash::max<int>()) == 2);
  // Only the first unit has elements.
  const int* end = values.data() + (dash::myid() == 0 ? 1 : 0);
  const int* begin = values.data();
  CHECK(dash::reduce(begin, end, 10, false) == 12);
  CHECK(dash::reduce(begin, end, 10, dash::plus<int>(), false, dash::Team::All()) == 12);
  if (units > 1) {
    CHECK_THROWS_WITH(dash::reduce(begin, end, 10),
                      Catch::Matchers::ContainsSubstring("unit 1") &&
                          Catch::Matchers::ContainsSubstring("empty"));
  }
  dash::barrier();
}

TEST_CASE("reduce throws on all units if the operation throws on one") {
  dash::Array<int> array(10 * dash::size());
  const auto fails = [](int a, int) -> int {
    if (dash::myid() == 0) throw std::runtime_error("overflow");
    return a;
  };
  CHECK_THROWS_WITH(dash::reduce(array.begin(), array.end(), 0, fails),
                    Catch::Matchers::ContainsSubstring("dash::reduce failed on unit 0") &&
                        Catch::Matchers::ContainsSubstring("overflow"));
  array.barrier();
}

TEST_CASE("min_element and max_element return the first extreme element on all units") {
  std::mt19937 random(dash::test::seed());
  for (const auto& distribution : {dash::BLOCKED, dash::CYCLIC, dash::BLOCKCYCLIC(5)}) {
    std::vector<int> model(500);
    for (int& value : model)
      value = std::uniform_int_distribution<int>(0, 50)(random);
    dash::Array<int> array(500, distribution);
    dash::generate_with_index(array.begin(), array.end(), [&model](index_t index) {
      return model[static_cast<std::size_t>(index)];
    });
    array.barrier();
    for (const auto& [begin, end] :
         std::vector<std::pair<index_t, index_t>>{{0, 500}, {13, 400}, {499, 500}, {77, 99}}) {
      const auto smallest = std::min_element(model.begin() + begin, model.begin() + end);
      const auto largest = std::max_element(model.begin() + begin, model.begin() + end);
      CHECK(dash::min_element(array.begin() + begin, array.begin() + end).pos() ==
            smallest - model.begin());
      CHECK(dash::max_element(array.begin() + begin, array.begin() + end).pos() ==
            largest - model.begin());
    }
    CHECK(dash::min_element(array.begin() + 5, array.begin() + 5) == array.begin() + 5);
    CHECK(*dash::min_element(array.begin(), array.end(), std::greater<int>()) ==
          *std::max_element(model.begin(), model.end()));
    array.barrier();
  }
  dash::NArray<int, 2> matrix(9, 9, dash::BLOCKED, dash::BLOCKED);
  dash::generate_with_index(matrix.begin(), matrix.end(), [](index_t index) {
    return static_cast<int>((index - 40) * (index - 40));
  });
  dash::barrier();
  CHECK(dash::min_element(matrix.begin(), matrix.end()).pos() == 40);
  auto box = matrix.sub<0>(0, 3).sub<1>(2, 3);
  CHECK(dash::max_element(box.begin(), box.end()).gpos() == 2);
  const int native[] = {3, 1, 2};
  CHECK(dash::min_element(native, native + 3) == native + 1);
  CHECK(dash::max_element(native, native + 3) == native);
  dash::barrier();
}
