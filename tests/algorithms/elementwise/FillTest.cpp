// dash-test: parallel units=1,2,3,4,7 layouts=node,cliques,nolocal modes=auto,poll

#include "dash/algorithm/Fill.h"

#include <algorithm>
#include <vector>

#include "algorithms/call/RangeModel.h"
#include "dash/Array.h"
#include "dash/Init.h"
#include "dash/Matrix.h"
#include "dash/algorithm/Generate.h"
#include "dash/algorithm/LocalRange.h"
#include "support/Catch.h"
#include "support/OwnerCheck.h"

TEST_CASE("fill, generate and generate_with_index of structures assign all elements of any range") {
  const auto check = [](const auto& policy, const auto& first, const auto& last) {
    std::vector<Sample> model(static_cast<std::size_t>(last - first), sample_of<Sample>(3));
    dash::fill(policy, first, last, sample_of<Sample>(3));
    CHECK(differing(first, model) == 0);
    dash::generate(policy, first, last, [] { return sample_of<Sample>(8); });
    model.assign(model.size(), sample_of<Sample>(8));
    CHECK(differing(first, model) == 0);
    dash::generate_with_index(policy, first, last,
                              [](index_t index) { return sample_of<Sample>(index); });
    for (std::size_t i = 0; i < model.size(); ++i)
      model[i] = sample_of<Sample>((first + static_cast<index_t>(i)).gpos());
    CHECK(differing(first, model) == 0);
  };
  for_each_array<Sample>(700, [&](const auto& first, const auto& last) {
    for_each_policy([&](const auto& policy) { check(policy, first, last); });
  });
  for_each_matrix<Sample>(
      [&](const auto& first, const auto& last) { check(dash::par, first, last); });
}

TEST_CASE("fill of parts of arrays leaves the other elements unchanged") {
  const std::vector<int> values = random_values<int>(1500, 60);
  for_each_range(values, [&](auto& array, index_t begin, index_t end) {
    std::vector<int> model = values;
    std::fill(model.begin() + begin, model.begin() + end, 99);
    for_each_policy([&](const auto& policy) {
      assign(array.begin(), values);
      dash::fill(policy, array.begin() + begin, array.begin() + end, 99);
      CHECK(differing(array.begin(), model) == 0);
    });
  });
}

TEST_CASE("fill of a sub-range assigns only its elements") {
  for (const auto& distribution : {dash::BLOCKED, dash::CYCLIC, dash::BLOCKCYCLIC(7)}) {
    dash::Array<int> array(300, distribution);
    dash::fill(array.begin() + 11, array.begin() + 222, 5);
    array.barrier();
    CHECK(array[11] == 5);
    CHECK(array[222] == 0);
    CHECK(count_wrong_local(array,
                            [](index_t index) { return index >= 11 && index < 222 ? 5 : 0; }) == 0);
    array.barrier();
  }
}

TEST_CASE("fill of more than a chunk assigns all elements") {
  dash::Array<double> array(100000 * dash::size());
  dash::fill(array.begin(), array.end(), 1.25);
  array.barrier();
  for (const double value : {array[0].get(), array[99999].get(), array[array.size() - 1].get()}) {
    CHECK(value == 1.25);
  }
  std::size_t filled = 0;
  for (const double* element = array.lbegin(); element != array.lend(); ++element) {
    filled += *element == 1.25 ? 1 : 0;
  }
  CHECK(filled == array.lsize());
  array.barrier();
}

TEST_CASE("fill of a box of a matrix assigns only the box") {
  dash::NArray<int, 2> matrix(15, 12, dash::CYCLIC, dash::BLOCKED);
  auto box = matrix.sub<0>(3, 8).sub<1>(2, 7);
  dash::fill(box.begin() + 2, box.end(), 9);
  dash::barrier();
  CHECK(count_wrong_local(matrix, [](index_t index) {
          const index_t row = index / 12;
          const index_t col = index % 12;
          const bool inside = row >= 3 && row < 11 && col >= 2 && col < 9 && (row > 3 || col >= 4);
          return inside ? 9 : 0;
        }) == 0);
  dash::barrier();
}

TEST_CASE("generate is called for the caller's elements in order") {
  dash::Array<int> array(50, dash::CYCLIC);
  int next = 0;
  dash::generate(array.begin() + 1, array.end(), [&next] { return ++next; });
  int expected = 0;
  const auto range = dash::local_range(array.begin() + 1, array.end());
  for (const int* element = range.begin; element != range.end; ++element) {
    CHECK(*element == ++expected);
  }
  CHECK(next == expected);
  array.barrier();
}

TEST_CASE("generate_with_index computes each element from its global index") {
  dash::NArray<index_t, 2> matrix(9, 11, dash::BLOCKED, dash::BLOCKCYCLIC(2));
  dash::generate_with_index(matrix.begin(), matrix.end(), [](index_t index) { return 2 * index; });
  dash::barrier();
  CHECK(count_wrong_local(matrix, [](index_t index) { return 2 * index; }) == 0);
  dash::barrier();
  auto row = matrix.row(3);
  dash::generate_with_index(row.begin(), row.end(), [](index_t index) { return -index; });
  dash::barrier();
  for (index_t col = 0; col < 11; ++col)
    CHECK(matrix(3, col) == -(33 + col));
  CHECK(matrix(4, 0) == 88);
  dash::barrier();
}

TEST_CASE("local ranges of sub-ranges are exact for cyclic distributions, too") {
  dash::Array<int> array(100, dash::BLOCKCYCLIC(3));
  for (index_t begin = 0; begin <= 100; begin += 7) {
    for (index_t end = begin; end <= 100; end += 9) {
      std::vector<int*> expected;
      for (index_t index = begin; index < end; ++index) {
        if (int* local = (array.begin() + index).local()) expected.push_back(local);
      }
      const auto range = dash::local_range(array.begin() + begin, array.begin() + end);
      CHECK(static_cast<std::size_t>(range.end - range.begin) == expected.size());
      if (!expected.empty()) {
        CHECK(range.begin == expected.front());
        CHECK(range.end == expected.back() + 1);
      } else {
        CHECK(range.begin == nullptr);
      }
      const auto indices = dash::local_index_range(array.begin() + begin, array.begin() + end);
      CHECK(static_cast<std::size_t>(indices.end - indices.begin) == expected.size());
    }
  }
  array.barrier();
}

TEST_CASE("local ranges of a box: one per row; a single range throws") {
  dash::NArray<int, 2> matrix(4 * dash::size(), 10, dash::BLOCKED, dash::NONE);
  auto box = matrix.cols(2, 5);
  const auto ranges = dash::local_index_ranges(box.begin(), box.end()).ranges;
  CHECK(ranges.size() == 4);
  for (const auto& range : ranges)
    CHECK(range.end - range.begin == 5);
  CHECK_THROWS_WITH(dash::local_range(box.begin(), box.end()),
                    Catch::Matchers::ContainsSubstring("not contiguous"));
  const auto rows = matrix.rows(1, 2);
  const auto range = dash::local_range(rows.begin(), rows.end());
  CHECK(range.end - range.begin == (dash::myid() == 0 ? 20 : 0));
  dash::barrier();
}
