// dash-test: parallel ranks=quick units=1,2,3,4,7 layouts=node,cliques,nolocal modes=auto,thread,poll

#include "dash/algorithm/Copy.h"

#include <algorithm>
#include <numeric>
#include <random>
#include <utility>
#include <vector>

#include "dash/Array.h"
#include "dash/Exception.h"
#include "dash/Init.h"
#include "dash/Matrix.h"
#include "support/Catch.h"
#include "support/OwnerCheck.h"
#include "support/Runner.h"

using index_t = dash::default_index_t;

namespace {

const std::vector<dash::Distribution> distributions = {dash::BLOCKED, dash::CYCLIC,
                                                       dash::BLOCKCYCLIC(5)};

/// Assigns i + offset to element i.
template <class Container>
void number_elements(Container& container, int offset = 0) {
  for (auto* element = container.lbegin(); element != container.lend(); ++element) {
    const auto local = element - container.lbegin();
    *element = static_cast<int>(container.pattern().global(local)) + offset;
  }
  dash::barrier();
}

std::vector<int> numbers(index_t begin, index_t end) {
  std::vector<int> result(static_cast<std::size_t>(end - begin));
  std::iota(result.begin(), result.end(), static_cast<int>(begin));
  return result;
}

}  // namespace

TEST_CASE("copy from random global ranges reads the elements") {
  std::mt19937 random(dash::test::seed() + static_cast<unsigned>(dash::myid()));
  for (const auto& distribution : distributions) {
    dash::Array<int> array(5000, distribution);
    number_elements(array);
    for (int round = 0; round < 10; ++round) {
      const auto begin = std::uniform_int_distribution<index_t>(0, 5000)(random);
      const auto end = std::uniform_int_distribution<index_t>(begin, 5000)(random);
      CAPTURE(begin, end);
      std::vector<int> out(static_cast<std::size_t>(end - begin) + 1, -7);
      CHECK(dash::copy(array.begin() + begin, array.begin() + end, out.data()) ==
            out.data() + (end - begin));
      CHECK(out.back() == -7);
      out.pop_back();
      CHECK(out == numbers(begin, end));
      std::fill(out.begin(), out.end(), 0);
      auto future = dash::copy_async(array.begin() + begin, array.begin() + end, out.data());
      CHECK(future.get() == out.data() + (end - begin));
      CHECK(out == numbers(begin, end));
    }
    array.barrier();
  }
}

TEST_CASE("copy to global ranges is visible to the owners when the call returns") {
  for (const auto& distribution : distributions) {
    for (const bool async : {false, true}) {
      const index_t part = 700;
      dash::Array<int> array(static_cast<std::size_t>(part) * dash::size() + 3, distribution);
      // Each unit writes a separate range, most of which is remote.
      const index_t begin = part * ((dash::myid() + 1) % static_cast<int>(dash::size())) + 2;
      const auto values = numbers(begin, begin + part);
      if (async) {
        auto future = dash::copy_async(values.data(), values.data() + part, array.begin() + begin);
        future.wait();
        CHECK(future.get() == array.begin() + begin + part);
      } else {
        CHECK(dash::copy(values.data(), values.data() + part, array.begin() + begin) ==
              array.begin() + begin + part);
      }
      // No flush, since the copy returns after remote completion. A barrier is sufficient.
      dart_barrier(DART_TEAM_ALL);
      const index_t written_end = part * static_cast<index_t>(dash::size()) + 2;
      CHECK(count_wrong_local(array, [=](index_t index) {
              return index >= 2 && index < written_end ? index : 0;
            }) == 0);
      array.barrier();
    }
  }
}

TEST_CASE("a flush of the container completes a copy_async whose future was destroyed") {
  dash::Array<int> array(3000 * dash::size());
  const auto other = static_cast<index_t>((dash::myid() + 1) % dash::size());
  const auto values = numbers(3000 * other, 3000 * (other + 1));
  { dash::copy_async(values.data(), values.data() + 3000, array.begin() + 3000 * other); }
  array.barrier();
  for (std::size_t local = 0; local < array.lsize(); ++local) {
    CHECK(array.local[local] == 3000 * dash::myid() + static_cast<int>(local));
  }
  array.barrier();
  std::vector<int> out(3000);
  {
    dash::copy_async(array.begin() + 3000 * other, array.begin() + 3000 * (other + 1), out.data());
  }
  array.flush();
  CHECK(out == values);
  array.barrier();
}

TEST_CASE("copy_async with many futures in flight completes each of them") {
  const index_t part = 50000;
  dash::Array<int> array(static_cast<std::size_t>(part) * dash::size());
  number_elements(array);
  std::vector<std::vector<int>> out(dash::size(), std::vector<int>(static_cast<std::size_t>(part)));
  std::vector<dash::Future<int*>> futures;
  for (index_t unit = 0; unit < static_cast<index_t>(dash::size()); ++unit) {
    futures.push_back(dash::copy_async(array.begin() + part * unit,
                                       array.begin() + part * (unit + 1),
                                       out[static_cast<std::size_t>(unit)].data()));
  }
  while (!std::all_of(futures.begin(), futures.end(), [](auto& future) { return future.test(); })) {
  }
  for (index_t unit = 0; unit < static_cast<index_t>(dash::size()); ++unit) {
    CHECK(out[static_cast<std::size_t>(unit)] == numbers(part * unit, part * (unit + 1)));
  }
  dash::Future<dash::Array<int>::iterator> requests[3];
  CHECK_FALSE(requests[0].valid());
  const auto values = numbers(0, 10);
  requests[0] = dash::copy_async(values.data(), values.data(), array.begin());
  CHECK(requests[0].test());
  array.barrier();
}

TEST_CASE("copy of empty ranges is complete immediately and writes no elements") {
  dash::Array<int> array(10);
  int out = 5;
  CHECK(dash::copy(array.begin() + 3, array.begin() + 3, &out) == &out);
  auto future = dash::copy_async(array.end(), array.end(), &out);
  CHECK(future.test());
  CHECK(future.get() == &out);
  CHECK(dash::copy(&out, &out, array.end()) == array.end());
  CHECK(out == 5);
  dash::Array<int> none;
  CHECK(dash::copy(none.begin(), none.end(), &out) == &out);
  CHECK(dash::copy_async(none.begin(), none.end(), &out).get() == &out);
  CHECK(dash::copy(&out, &out, none.begin()) == none.begin());
  CHECK(dash::copy_async(&out, &out, none.begin()).get() == none.begin());
  array.barrier();
}

TEST_CASE("copy of boxes of a matrix, row by row, in both directions") {
  using dash::BLOCKED;
  using dash::CYCLIC;
  for (const auto& dist : {BLOCKED, CYCLIC, dash::BLOCKCYCLIC(3)}) {
    dash::NArray<int, 2> matrix(20, 30, dist, BLOCKED);
    number_elements(matrix);
    auto box = matrix.sub<0>(4, 9).sub<1>(7, 11);
    std::vector<int> expected;
    for (int row = 4; row < 13; ++row) {
      for (int col = 7; col < 18; ++col)
        expected.push_back(row * 30 + col);
    }
    std::vector<int> out(99);
    dash::copy(box.begin(), box.end(), out.data());
    CHECK(out == expected);
    std::fill(out.begin(), out.end(), 0);
    dash::copy_async(box.begin() + 5, box.end(), out.data()).wait();
    CHECK(std::equal(expected.begin() + 5, expected.end(), out.begin()));
    std::vector<int> column(20);
    dash::copy(matrix.col(3).begin(), matrix.col(3).end(), column.data());
    for (int row = 0; row < 20; ++row)
      CHECK(column[static_cast<std::size_t>(row)] == row * 30 + 3);
    dash::barrier();
    if (dash::myid() == 0) {
      const std::vector<int> zeros(99);
      dash::copy(zeros.data(), zeros.data() + 99, box.begin());
    }
    dash::barrier();
    CHECK(count_wrong_local(matrix, [](index_t index) {
            const index_t row = index / 30;
            const index_t col = index % 30;
            return row >= 4 && row < 13 && col >= 7 && col < 18 ? 0 : index;
          }) == 0);
    dash::barrier();
  }
}

TEST_CASE("copy with global pointers across the boundaries of units") {
  dash::Array<int> array(10 * dash::size() + 1);
  number_elements(array);
  const dash::GlobPtr<int> begin(array.begin());
  std::vector<int> out(array.size() - 2);
  dash::copy(begin + 2, begin + static_cast<index_t>(array.size()), out.data());
  CHECK(out == numbers(2, static_cast<index_t>(array.size())));
  array.barrier();
  if (dash::myid() == 0) {
    std::reverse(out.begin(), out.end());
    dash::copy_async(out.data(), out.data() + out.size(), begin + 2).wait();
  }
  array.barrier();
  CHECK(array[2] == static_cast<int>(array.size()) - 1);
  array.barrier();
}

TEST_CASE("copy beyond the last element throws and writes no elements") {
  dash::Array<int> array(10 * dash::size() - 1);
  const dash::GlobPtr<int> begin(array.begin());
  std::vector<int> out(array.size() + 100, 3);
  CHECK_THROWS_AS(dash::copy(begin + static_cast<index_t>(array.size()),
                             begin + static_cast<index_t>(array.size()) + 50, out.data()),
                  dash::exception::InvalidArgument);
  CHECK(out == std::vector<int>(array.size() + 100, 3));
  CHECK_THROWS_AS(dash::GlobRef<int>(dart_gptr_t{DART_GPTR_NULL}).get(),
                  dash::exception::InvalidArgument);
  array.barrier();
}

TEST_CASE("copy between global ranges of any distributions") {
  for (const auto& from : distributions) {
    for (const auto& to : distributions) {
      dash::Array<int> in(500, from);
      dash::Array<int> out(600, to);
      number_elements(in);
      if (dash::myid() == static_cast<int>(dash::size()) - 1) {
        CHECK(dash::copy(in.begin() + 3, in.end(), out.begin() + 50) == out.begin() + 547);
      }
      out.barrier();
      CHECK(count_wrong_local(out, [](index_t index) {
              return index >= 50 && index < 547 ? index - 47 : 0;
            }) == 0);
      out.barrier();
    }
  }
}

TEST_CASE("copy between global ranges that exceed a copy buffer") {
  const std::size_t size = 150000 * dash::size();
  dash::Array<int> in(size, dash::BLOCKCYCLIC(1000));
  dash::Array<int> out(size, dash::BLOCKED);
  number_elements(in);
  if (dash::myid() == 0) dash::copy(in.begin(), in.end(), out.begin());
  out.barrier();
  CHECK(count_wrong_local(out, [](index_t index) { return index; }) == 0);
  out.barrier();
}

TEST_CASE("copy between different types requires the same kind and size") {
  using dash::internal::is_dash_copyable;
  STATIC_REQUIRE(is_dash_copyable<int, unsigned>::value);
  STATIC_REQUIRE(is_dash_copyable<const double, double>::value);
  STATIC_REQUIRE(is_dash_copyable<long, long long>::value);
  STATIC_REQUIRE_FALSE(is_dash_copyable<int, float>::value);
  STATIC_REQUIRE_FALSE(is_dash_copyable<int, long>::value);
  dash::Array<int> array(10);
  number_elements(array);
  std::vector<unsigned> out(10);
  dash::copy(array.begin(), array.end(), out.data());
  CHECK(out[9] == 9U);
  array.barrier();
}

TEST_CASE("copy with explicit template arguments, as in programs for DASH 0.4, copies elements") {
  dash::Array<int> array(10);
  number_elements(array);
  std::vector<int> out(10);
  dash::copy<int>(array.begin(), array.end(), out.data());
  dash::copy_async<int>(array.begin(), array.end(), out.data()).wait();
  CHECK(out == numbers(0, 10));
  array.barrier();
  dash::copy<int>(out.data(), out.data() + 10, array.begin());
  dash::copy_async<int>(out.data(), out.data() + 10, array.begin()).wait();
  array.barrier();
}

TEST_CASE("copy of ranges, with and without policies, gives the same elements as with iterators") {
  dash::Array<int> array(40 * dash::size() + 1, dash::CYCLIC);
  dash::Array<int> other(array.size());
  dash::NArray<int, 2> matrix(7, 9);
  number_elements(array);
  number_elements(matrix);
  const std::vector<int> expected = numbers(0, static_cast<index_t>(array.size()));
  std::vector<int> out(array.size());
  CHECK(dash::copy(array, out.data()) == out.data() + out.size());
  CHECK(out == expected);
  std::fill(out.begin(), out.end(), 0);
  CHECK(dash::copy(dash::par, array.begin(), array.end(), out.data()) == out.data() + out.size());
  CHECK(out == expected);
  std::fill(out.begin(), out.end(), 0);
  dash::copy_async(dash::seq, array, out.data()).wait();
  CHECK(out == expected);
  std::fill(out.begin(), out.end(), 0);
  dash::copy(dash::par_node, array, out.data());
  CHECK(out == expected);
  if (dash::myid() == 0) {
    dash::copy(dash::par, out.data(), out.data() + out.size(), other.begin());
    dash::copy_async(dash::par_node, out.data(), out.data() + out.size(), other.begin()).wait();
  }
  std::vector<int> row(9);
  dash::copy(matrix.row(3), row.data());
  CHECK(row == numbers(27, 36));
  if (dash::myid() == 0) CHECK(dash::copy_async(array, other.begin()).get() == other.end());
  array.barrier();
  CHECK(count_wrong_local(other, [](index_t index) { return index; }) == 0);
  array.barrier();
}
