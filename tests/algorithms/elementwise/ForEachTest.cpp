// dash-test: parallel units=1,2,3,4,7 layouts=node,cliques,nolocal modes=auto,poll

#include "dash/algorithm/ForEach.h"

#include <atomic>
#include <stdexcept>
#include <string>
#include <vector>

#include "algorithms/call/RangeModel.h"
#include "dash/Array.h"
#include "dash/Exception.h"
#include "dash/Init.h"
#include "dash/Matrix.h"
#include "support/Catch.h"
#include "support/OwnerCheck.h"

TEST_CASE("for_each and for_each_with_index of structures in any range process each element once") {
  const auto check = [](const auto& policy, const auto& first, const auto& last) {
    auto model = samples<Sample>(static_cast<std::size_t>(last - first));
    assign(first, model);
    dash::for_each(policy, first, last, [](Sample& element) { element.key += 100; });
    dash::for_each_with_index(policy, first, last, [](Sample& element, index_t index) {
      element.weights[1] = static_cast<short>(element.weights[1] + index);
    });
    for (std::size_t i = 0; i < model.size(); ++i) {
      model[i].key += 100;
      const index_t index = (first + static_cast<index_t>(i)).gpos();
      model[i].weights[1] = static_cast<short>(model[i].weights[1] + index);
    }
    // The calls end with a barrier.
    CHECK(values_of(first, last) == model);
  };
  for_each_array<Sample>(700, [&](const auto& first, const auto& last) {
    for_each_policy([&](const auto& policy) { check(policy, first, last); });
  });
  for_each_matrix<Sample>(
      [&](const auto& first, const auto& last) { check(dash::par, first, last); });
}

TEST_CASE("for_each of parts of arrays leaves the other elements unchanged") {
  const std::vector<int> values = random_values<int>(1500, 60);
  for_each_range(values, [&](auto& array, index_t begin, index_t end) {
    std::vector<int> model = values;
    for (index_t i = begin; i < end; ++i)
      model[static_cast<std::size_t>(i)] += 7;
    dash::for_each(array.begin() + begin, array.begin() + end, [](int& value) { value += 7; });
    CHECK(differing(array.begin(), model) == 0);
  });
}

TEST_CASE("for_each calls the function once per element, on its owner") {
  for (const auto& distribution : {dash::BLOCKED, dash::CYCLIC, dash::BLOCKCYCLIC(4)}) {
    dash::Array<int> array(123, distribution);
    std::atomic<std::size_t> calls{0};
    dash::for_each(array.begin() + 10, array.begin() + 100, [&](int& element) {
      element += 7;
      ++calls;
    });
    // The call ends with a barrier.
    CHECK(array[99] == 7);
    CHECK(array[100] == 0);
    CHECK(count_wrong_local(array,
                            [](index_t index) { return index >= 10 && index < 100 ? 7 : 0; }) == 0);
    CHECK(calls <= array.lsize());
    array.barrier();
  }
}

TEST_CASE("for_each_with_index passes the global index") {
  dash::Array<index_t> array(1000, dash::BLOCKCYCLIC(13));
  dash::for_each_with_index(array.begin() + 5, array.end(),
                            [](index_t& element, index_t index) { element = index; });
  CHECK(array[999] == 999);
  CHECK(count_wrong_local(array, [](index_t index) { return index < 5 ? 0 : index; }) == 0);
  array.barrier();
  dash::NArray<index_t, 2> matrix(8, 7, dash::CYCLIC, dash::CYCLIC);
  auto box = matrix.sub<0>(1, 5).sub<1>(2, 3);
  dash::for_each_with_index(box.begin(), box.end(),
                            [](index_t& element, index_t index) { element = index; });
  CHECK(count_wrong_local(matrix, [](index_t index) {
          const index_t row = index / 7;
          const index_t col = index % 7;
          return row >= 1 && row < 6 && col >= 2 && col < 5 ? index : 0;
        }) == 0);
  dash::barrier();
}

TEST_CASE("for_each throws on all units, with the id of the unit on which the function throws") {
  using Catch::Matchers::ContainsSubstring;
  dash::Array<int> array(10 * dash::size());
  const int thrower = static_cast<int>(dash::size()) / 2;
  const auto fails = [thrower](int&) {
    if (dash::myid() == thrower) throw std::runtime_error("no such color");
  };
  CHECK_THROWS_WITH(dash::for_each(array.begin(), array.end(), fails),
                    ContainsSubstring("dash::for_each") &&
                        ContainsSubstring("unit " + std::to_string(thrower)) &&
                        ContainsSubstring("no such color"));
  // The units stay synchronized: the next collective works.
  dash::for_each(array.begin(), array.end(), [](int& element) { element = 1; });
  CHECK(array[array.size() - 1] == 1);
  const auto throws_other = [](int&) { throw 5; };
  CHECK_THROWS_AS(dash::for_each(array.begin(), array.end(), throws_other),
                  dash::exception::RuntimeError);
  array.barrier();
}

TEST_CASE("for_each of an empty range acts as a barrier") {
  dash::Array<int> array(10);
  dash::for_each(array.end(), array.end(), [](int&) { FAIL("called"); });
  dash::for_each_with_index(array.begin(), array.begin(), [](int&, index_t) { FAIL("called"); });
  dash::Array<int> none;
  dash::for_each(none.begin(), none.end(), [](int&) { FAIL("called"); });
}
