// dash-test: parallel units=1,2,3,4 full-units=7 layouts=node,cliques,nolocal modes=auto,poll

#include "dash/algorithm/CopyIf.h"

#include <algorithm>
#include <atomic>
#include <iterator>
#include <random>
#include <stdexcept>
#include <vector>

#include "dash/Array.h"
#include "dash/Exception.h"
#include "dash/Init.h"
#include "dash/Matrix.h"
#include "dash/algorithm/Copy.h"
#include "support/Catch.h"
#include "support/Runner.h"

using index_t = dash::default_index_t;

namespace {

const std::vector<dash::Distribution> distributions = {dash::BLOCKED, dash::CYCLIC,
                                                       dash::BLOCKCYCLIC(5)};

/// A pseudorandom value for each index.
int value_at(index_t index) {
  return static_cast<int>((index * 7919 + 13) % 1009);
}
bool is_even(int value) {
  return value % 2 == 0;
}

template <class Container>
void number_elements(Container& container) {
  for (auto* element = container.lbegin(); element != container.lend(); ++element)
    *element = value_at(container.pattern().global(element - container.lbegin()));
  container.barrier();
}

/// The result of std::copy_if for the indices.
template <class Predicate>
std::vector<int> expected(const std::vector<index_t>& indices, Predicate predicate) {
  std::vector<int> values;
  for (const index_t index : indices)
    values.push_back(value_at(index));
  std::vector<int> result;
  std::copy_if(values.begin(), values.end(), std::back_inserter(result), predicate);
  return result;
}
std::vector<index_t> indices(index_t begin, index_t end) {
  std::vector<index_t> result;
  for (index_t i = begin; i < end; ++i)
    result.push_back(i);
  return result;
}

std::vector<int> contents(dash::Array<int>& array) {
  std::vector<int> values(array.size());
  dash::copy(array.begin(), array.end(), values.data());
  array.barrier();
  return values;
}

}  // namespace

TEST_CASE("copy_if gives the standard library's result for all distributions and sub-ranges") {
  std::mt19937 random(dash::test::seed());  // the same on all units
  const index_t size = 400;
  for (const auto& from : distributions) {
    for (const auto& to : distributions) {
      dash::Array<int> in(size, from);
      number_elements(in);
      for (int round = 0; round < 4; ++round) {
        const auto begin = std::uniform_int_distribution<index_t>(0, size)(random);
        const auto end = std::uniform_int_distribution<index_t>(begin, size)(random);
        const auto offset = std::uniform_int_distribution<index_t>(0, 20)(random);
        const int divisor = std::uniform_int_distribution<int>(1, 5)(random);
        CAPTURE(begin, end, offset, divisor);
        const auto chosen = [divisor](int value) { return value % divisor == 0; };
        const std::vector<int> right = expected(indices(begin, end), chosen);
        dash::Array<int> out(static_cast<std::size_t>(size + 21), to);
        std::fill(out.lbegin(), out.lend(), -1);
        out.barrier();
        const auto result =
            dash::copy_if(in.begin() + begin, in.begin() + end, out.begin() + offset, chosen);
        const auto count = static_cast<index_t>(right.size());
        CHECK(result == out.begin() + offset + count);
        std::vector<int> model(out.size(), -1);
        std::copy(right.begin(), right.end(), model.begin() + offset);
        CHECK(contents(out) == model);
      }
    }
  }
}

TEST_CASE("copy_if of boxes of matrices, into a box") {
  for (const auto& distribution : distributions) {
    dash::NArray<int, 2> matrix(18, 23, distribution, dash::BLOCKED);
    dash::NArray<int, 2> target(30, 31);
    number_elements(matrix);
    const auto box = matrix.sub<0>(3, 11).sub<1>(4, 17);
    const auto out_box = target.sub<0>(2, 20).sub<1>(5, 9);
    std::vector<index_t> inside;
    for (index_t row = 3; row < 14; ++row) {
      for (index_t col = 4; col < 21; ++col)
        inside.push_back(row * 23 + col);
    }
    const std::vector<int> right = expected(inside, is_even);
    const auto end = dash::copy_if(box.begin(), box.end(), out_box.begin(), is_even);
    CHECK(end - out_box.begin() == static_cast<index_t>(right.size()));
    std::vector<int> result(right.size());
    dash::copy(out_box.begin(), end, result.data());
    CHECK(result == right);
    dash::barrier();
  }
}

TEST_CASE("copy_if to a strided view writes every other element, up to its size") {
  dash::Array<int> in(100, dash::CYCLIC);
  dash::Array<int> out(60);
  number_elements(in);
  const auto view = out | dash::strided(2);
  const auto chosen = [](int value) { return value % 4 == 0; };
  const std::vector<int> right = expected(indices(0, 100), chosen);
  REQUIRE(right.size() <= 30);
  const auto end = dash::copy_if(in.begin(), in.end(), view.begin(), chosen);
  CHECK(end - view.begin() == static_cast<index_t>(right.size()));
  const std::vector<int> all = contents(out);
  for (std::size_t i = 0; i < right.size(); ++i)
    CHECK(all[2 * i] == right[i]);
  CHECK(all[1] == 0);
  CHECK_THROWS_AS(dash::copy_if(in.begin(), in.end(), view.begin(), [](int) { return true; }),
                  dash::exception::InvalidArgument);
  out.barrier();
}

TEST_CASE("copy_if of many short blocks uses bitmaps and several windows") {
  const index_t size = (index_t{1} << 20) + 70'001;
  dash::Array<int> in(size, dash::BLOCKCYCLIC(3));
  dash::Array<int> out(size);
  number_elements(in);
  const auto chosen = [](int value) { return value % 3 != 1; };
  const auto end = dash::copy_if(in.begin(), in.end(), out.begin(), chosen);
  std::vector<int> right = expected(indices(0, size), chosen);
  const auto count = static_cast<index_t>(right.size());
  REQUIRE(end == out.begin() + count);
  right.resize(static_cast<std::size_t>(size));
  CHECK(contents(out) == right);
}

TEST_CASE("copy_if that selects no elements, all elements, or elements of one unit only") {
  dash::Array<int> in(50 * dash::size());
  dash::Array<int> out(50 * dash::size());
  number_elements(in);
  const auto all = [](int) { return true; };
  CHECK(dash::copy_if(in.begin() + 7, in.begin() + 7, out.begin() + 3, all) == out.begin() + 3);
  CHECK(dash::copy_if(in.begin(), in.end(), out.begin() + 3, [](int) { return false; }) ==
        out.begin() + 3);
  CHECK(dash::copy_if(in.begin(), in.end(), out.begin(), all) == out.end());
  CHECK(contents(out) == contents(in));
  const auto last = static_cast<index_t>(in.size()) - 1;
  CHECK(dash::copy_if(in.begin() + last, in.end(), out.begin(), all) == out.begin() + 1);
  CHECK(static_cast<int>(out[0]) == value_at(last));
  out.barrier();
}

TEST_CASE("all overloads of copy_if give the same result") {
  dash::Array<int> in(1000, dash::CYCLIC);
  dash::Array<int> out(1000);
  number_elements(in);
  const std::vector<int> right = expected(indices(0, 1000), is_even);
  const auto check = [&](const auto& end) {
    CHECK(end == out.begin() + static_cast<index_t>(right.size()));
    std::vector<int> values = contents(out);
    values.resize(right.size());
    CHECK(values == right);
    std::fill(out.lbegin(), out.lend(), 0);
    out.barrier();
  };
  check(dash::copy_if(in, out.begin(), is_even));
  check(dash::copy_if(dash::seq, in.begin(), in.end(), out.begin(), is_even));
  check(dash::copy_if(dash::par_unseq, in, out.begin(), is_even));
  check(dash::copy_if(dash::par_node, in, out.begin(), is_even));
  check(dash::copy_if_async(in, out.begin(), is_even).get());
  check(dash::copy_if_async(dash::seq, in.begin(), in.end(), out.begin(), is_even).get());
}

TEST_CASE("copy_if of a sub-team's array involves only its units") {
  if (dash::size() < 2) DASH_SKIP("one unit has no sub-teams");
  dash::Team& team = dash::Team::All().split(2);
  {
    dash::Array<int> in(300, dash::BLOCKCYCLIC(4), team);
    dash::Array<int> out(300, dash::BLOCKED, team);
    number_elements(in);
    const std::vector<int> right = expected(indices(0, 300), is_even);
    CHECK(dash::copy_if(in.begin(), in.end(), out.begin(), is_even) ==
          out.begin() + static_cast<index_t>(right.size()));
    std::vector<int> values = contents(out);
    values.resize(right.size());
    CHECK(values == right);
  }
  dash::barrier();
}

TEST_CASE("copy_if that fails throws on all units") {
  dash::Array<int> in(100 * dash::size());
  dash::Array<int> out(100 * dash::size());
  number_elements(in);
  std::fill(out.lbegin(), out.lend(), -1);
  out.barrier();
  const auto all = [](int) { return true; };
  CHECK_THROWS_AS(dash::copy_if(in.begin(), in.end(), out.begin() + 1, all),
                  dash::exception::InvalidArgument);
  const int thrower = static_cast<int>(dash::size()) - 1;
  const auto throws = [thrower](int) -> bool {
    if (dash::myid() == thrower) throw std::runtime_error("no such element");
    return true;
  };
  CHECK_THROWS_WITH(dash::copy_if(in.begin(), in.end(), out.begin(), throws),
                    Catch::Matchers::ContainsSubstring("no such element") &&
                        Catch::Matchers::ContainsSubstring("copy_if") &&
                        Catch::Matchers::ContainsSubstring("unit " + std::to_string(thrower)));
  CHECK(contents(out) == std::vector<int>(out.size(), -1));
}
