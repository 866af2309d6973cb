// dash-test: parallel units=1,2,3,4 full-units=7 layouts=node,cliques,nolocal modes=auto,thread,poll

#include "dash/algorithm/IndexedCopy.h"

#include <cstddef>
#include <cstdint>
#include <list>
#include <numeric>
#include <random>
#include <vector>

#include "dash/Array.h"
#include "dash/Matrix.h"
#include "dash/algorithm/Fill.h"
#include "dash/algorithm/Generate.h"
#include "support/Catch.h"
#include "support/Runner.h"
#include "support/Units.h"

namespace {

using dash::test::me;
using dash::test::nunits;

std::mt19937 random_of_unit() {
  return std::mt19937(dash::test::seed() + static_cast<unsigned>(me()));
}

/// Random positions, some of which are adjacent, and some repeated.
std::vector<long> random_positions(std::size_t count, long size, std::mt19937& random) {
  std::vector<long> positions;
  while (positions.size() < count) {
    const long begin = std::uniform_int_distribution<long>(0, size - 1)(random);
    const long length = std::uniform_int_distribution<long>(1, 4)(random);
    for (long i = begin; i < std::min(begin + length, size); ++i)
      positions.push_back(i);
  }
  return positions;
}

template <class Container>
void check_gather(Container& container, std::size_t count) {
  using T = typename Container::value_type;
  const auto size = static_cast<long>(container.size());
  dash::generate_with_index(container, [](long i) { return static_cast<T>(3 * i + 1); });
  container.barrier();
  std::mt19937 random = random_of_unit();
  const std::vector<long> positions = random_positions(count, size, random);
  std::vector<T> values(positions.size() + 1, T{-1});
  T* const end =
      dash::gather_elements(container.begin(), positions.begin(), positions.end(), values.data());
  REQUIRE(end == values.data() + positions.size());
  std::vector<T> others(values.size(), T{-1});
  auto future = dash::gather_elements_async(container.begin(), positions.begin(), positions.end(),
                                            others.data());
  REQUIRE(future.get() == others.data() + positions.size());
  for (std::size_t k = 0; k < positions.size(); ++k) {
    CAPTURE(k, positions[k]);
    REQUIRE(values[k] == static_cast<T>(3 * positions[k] + 1));
    REQUIRE(others[k] == values[k]);
  }
  REQUIRE(values.back() == T{-1});
  container.barrier();
}

/// Each unit writes the positions of which the remainder modulo the number of units is its id.
template <class Container>
void check_scatter(Container& container, bool is_async) {
  using T = typename Container::value_type;
  dash::fill(container.begin(), container.end(), T{-1});
  container.barrier();
  std::vector<std::uint32_t> positions;
  for (std::size_t i = me(); i < container.size(); i += nunits())
    positions.push_back(static_cast<std::uint32_t>(i));
  std::mt19937 random = random_of_unit();
  std::shuffle(positions.begin(), positions.end(), random);
  std::vector<T> values(positions.size());
  for (std::size_t k = 0; k < positions.size(); ++k)
    values[k] = static_cast<T>(5 * positions[k] + 2);
  if (is_async) {
    dash::scatter_elements_async(values.data(), positions.begin(), positions.end(),
                                 container.begin())
        .get();
  } else {
    dash::scatter_elements(values.data(), positions.begin(), positions.end(), container.begin());
  }
  container.barrier();
  std::vector<std::size_t> all(container.size());
  std::iota(all.begin(), all.end(), std::size_t{0});
  std::vector<T> result(all.size());
  dash::gather_elements(container.begin(), all.begin(), all.end(), result.data());
  for (std::size_t i = 0; i < all.size(); ++i) {
    CAPTURE(i);
    REQUIRE(result[i] == static_cast<T>(5 * i + 2));
  }
  container.barrier();
}

}  // namespace

TEST_CASE("gather_elements: random positions of arrays and matrices: the elements in their order") {
  dash::Array<long> blocked(1000);
  check_gather(blocked, 5000);
  dash::Array<double> cyclic(777, dash::CYCLIC);
  check_gather(cyclic, 1000);
  dash::Array<int> in_tiles(1001, dash::BLOCKCYCLIC(7));
  check_gather(in_tiles, 1000);
  dash::Matrix<float, 2> matrix(31, 17);
  check_gather(matrix, 500);
}

TEST_CASE("gather_elements: more elements than are collected at a time") {
  dash::Array<long> array(100'000);
  check_gather(array, 60'000);
}

TEST_CASE("scatter_elements: each unit writes some elements: all have arrived after a barrier") {
  for (const bool is_async : {false, true}) {
    dash::Array<long> blocked(1000);
    check_scatter(blocked, is_async);
    dash::Array<short> cyclic(333, dash::CYCLIC);
    check_scatter(cyclic, is_async);
    dash::Matrix<double, 2> matrix(23, 19);
    check_scatter(matrix, is_async);
  }
}

TEST_CASE("gather_elements: of a view, with positions in a list, and without any") {
  dash::Matrix<int, 2> matrix(8, 6);
  dash::generate_with_index(matrix, [](long i) { return static_cast<int>(i); });
  matrix.barrier();
  auto column = matrix.col(2);
  const std::list<int> positions{7, 0, 3, 3};
  std::vector<int> values(4);
  dash::gather_elements(column.begin(), positions.begin(), positions.end(), values.data());
  REQUIRE(values == std::vector<int>{44, 2, 20, 20});
  const std::vector<int> none;
  REQUIRE(dash::gather_elements(matrix.begin(), none.begin(), none.end(), values.data()) ==
          values.data());
  REQUIRE(
      dash::scatter_elements_async(values.data(), none.begin(), none.end(), matrix.begin()).test());
  matrix.barrier();
}

TEST_CASE("gather_elements, scatter_elements: native integers of another type of the same size") {
  dash::Array<long> array(100);
  const std::vector<std::size_t> positions{99, 0};
  const std::vector<unsigned long> values{7, 8};
  array.barrier();
  if (me() == 0)
    dash::scatter_elements(values.data(), positions.begin(), positions.end(), array.begin());
  array.barrier();
  std::vector<long long> read(2);
  dash::gather_elements(array.begin(), positions.begin(), positions.end(), read.data());
  REQUIRE(read == std::vector<long long>{7, 8});
  array.barrier();
}

TEST_CASE("gather_elements, scatter_elements: positions outside of the range are rejected") {
  dash::Array<int> array(100);
  std::vector<int> values(2);
  for (const long wrong : {-1L, 100L, 1000L, 100'000'000L}) {
    const std::vector<long> positions{0, wrong};
    CAPTURE(wrong);
    REQUIRE_THROWS_AS(
        dash::gather_elements(array.begin(), positions.begin(), positions.end(), values.data()),
        dash::exception::OutOfRange);
    REQUIRE_THROWS_AS(dash::scatter_elements_async(values.data(), positions.begin(),
                                                   positions.end(), array.begin()),
                      dash::exception::OutOfRange);
  }
  array.barrier();
}
