// dash-test: parallel units=1,2,3,4 full-units=7 layouts=node,cliques,nolocal modes=auto,thread,poll smoke=yes

#include <algorithm>
#include <numeric>
#include <random>
#include <utility>
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

template <class Container>
void number_elements(Container& container, int offset) {
  for (auto* element = container.lbegin(); element != container.lend(); ++element) {
    const auto local = element - container.lbegin();
    *element = static_cast<int>(container.pattern().global(local)) + offset;
  }
}

std::vector<int> contents(dash::Array<int>& array) {
  std::vector<int> values(array.size());
  dash::copy(array.begin(), array.end(), values.data());
  return values;
}

}  // namespace

TEST_CASE(
    "copy_async between global ranges gives the result of plain arrays for all distributions") {
  // All units use the same random numbers; they take turns in copying elements of any units.
  std::mt19937 random(dash::test::seed());
  const index_t size = 700;
  for (const auto& from : distributions) {
    for (const auto& to : distributions) {
      dash::Array<int> source(size, from);
      dash::Array<int> target(size + 13, to);
      number_elements(source, 10000);
      number_elements(target, 0);
      dash::barrier();
      std::vector<int> model(static_cast<std::size_t>(size) + 13);
      std::iota(model.begin(), model.end(), 0);
      for (int round = 0; round < 6; ++round) {
        const auto begin = std::uniform_int_distribution<index_t>(0, size)(random);
        const auto end = std::uniform_int_distribution<index_t>(begin, size)(random);
        const auto out =
            std::uniform_int_distribution<index_t>(0, size + 13 - (end - begin))(random);
        for (index_t i = begin; i < end; ++i)
          model[static_cast<std::size_t>(out + i - begin)] = 10000 + static_cast<int>(i);
        if (round % static_cast<int>(dash::size()) == dash::myid()) {
          auto future =
              dash::copy_async(source.begin() + begin, source.begin() + end, target.begin() + out);
          CHECK(future.get() == target.begin() + out + (end - begin));
        }
        // No flush: completion is remote completion.
        dart_barrier(DART_TEAM_ALL);
      }
      CHECK(contents(target) == model);
      target.barrier();
    }
  }
}

TEST_CASE("copy_async of large ranges between remote units uses bounded memory, many in flight") {
  const index_t part = 700'000;  // 2.8 MB: more than all copy buffers
  const auto n = static_cast<index_t>(dash::size());
  dash::Array<int> source(static_cast<std::size_t>(part * n));
  dash::Array<int> target(static_cast<std::size_t>(part * n));
  number_elements(source, 1);
  dash::barrier();
  // Unit u copies from unit u + 1 to unit u + 2, so with at least three units both are remote.
  const index_t from = (dash::myid().id + 1) % n;
  const index_t to = (dash::myid().id + 2) % n;
  std::vector<dash::Future<dash::Array<int>::iterator>> futures;
  const index_t chunks = 5;
  for (index_t i = 0; i < chunks; ++i) {
    futures.push_back(dash::copy_async(source.begin() + part * from + part / chunks * i,
                                       source.begin() + part * from + part / chunks * (i + 1),
                                       target.begin() + part * to + part / chunks * i));
  }
  dash::when_all(std::move(futures)).wait();
  dart_barrier(DART_TEAM_ALL);
  const index_t source_unit =
      (dash::myid().id + 2 * n - 1) % n;  // the part that the writing unit has copied here
  bool same = true;
  for (index_t i = 0; i < part; ++i)
    same = same && target.local[static_cast<std::size_t>(i)] == part * source_unit + i + 1;
  CHECK(same);
  target.barrier();
}

TEST_CASE("a flush completes a copy_async between global ranges whose future was destroyed") {
  const index_t part = 300'000;
  const auto n = static_cast<index_t>(dash::size());
  for (const bool flush_source : {false, true}) {
    dash::Array<int> source(static_cast<std::size_t>(part * n));
    dash::Array<int> target(static_cast<std::size_t>(part * n));
    number_elements(source, 0);
    dash::barrier();
    const index_t begin = part * ((dash::myid().id + 1) % n);
    {
      dash::copy_async(source.begin() + begin, source.begin() + begin + part,
                       target.begin() + begin);
    }
    if (flush_source) {
      source.flush();
    } else {
      target.flush();
    }
    dart_barrier(DART_TEAM_ALL);
    bool same = true;
    for (std::size_t i = 0; i < target.lsize(); ++i)
      same = same && target.local[i] == source.local[i];
    CHECK(same);
    dash::barrier();
  }
}

TEST_CASE("copy_async between pointers and boxes of a matrix") {
  const auto n = dash::size();
  dash::Array<int> array(100 * n);
  dash::NArray<int, 2> matrix(10 * n, 20);
  number_elements(array, 0);
  std::fill(matrix.lbegin(), matrix.lend(), -1);
  dash::barrier();
  const auto last = dash::myid() == static_cast<int>(n) - 1;
  if (last) {
    // Across the boundary between two units, if there are two.
    const dash::GlobPtr<int> first(array.begin().dart_gptr());
    auto box = matrix.sub<0>(1, 4).sub<1>(5, 10);
    auto future = dash::copy_async(first + 70, first + 110, box.begin());
    if (n == 1) {
      CHECK_THROWS_AS(future.get(), dash::exception::InvalidArgument);
    } else {
      CHECK(future.get() == box.end());
    }
  }
  dash::barrier();
  if (n > 1) {
    bool same = true;
    for (index_t i = 0; i < 40; ++i)
      same = same && matrix[1 + i / 10][5 + i % 10] == 70 + static_cast<int>(i);
    CHECK(same);
  }
  dash::barrier();
}

TEST_CASE("copy_async of empty ranges, and to unallocated memory") {
  dash::Array<int> array(10 * dash::size());
  auto nothing = dash::copy_async(array.begin() + 3, array.begin() + 3, array.begin());
  CHECK(nothing.test());
  CHECK(nothing.get() == array.begin());
  const dash::GlobPtr<int> nowhere;
  const auto copy_nowhere = [&] {
    dash::copy_async(array.begin(), array.begin() + 2, nowhere).get();
  };
  CHECK_THROWS_AS(copy_nowhere(), dash::exception::InvalidArgument);
  array.barrier();
}

TEST_CASE(
    "copy_async of native memory copies small data immediately, large data by the copy queue") {
  const std::size_t size = GENERATE(std::size_t{0}, std::size_t{10}, std::size_t{3'000'000});
  std::vector<int> from(size);
  std::iota(from.begin(), from.end(), 3);
  std::vector<int> to(size);
  auto future = dash::copy_async(from.data(), from.data() + size, to.data());
  CHECK(future.get() == to.data() + size);
  CHECK(to == from);
}
