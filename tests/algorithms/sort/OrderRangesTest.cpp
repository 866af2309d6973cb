// dash-test: parallel units=1,2,3,4,7 layouts=node,nolocal quick=never
//
// Reordering algorithms on ranges of random extents and blocks, strided views, and boxes.

#include <cstddef>
#include <vector>

#include "OrderChecks.h"
#include "dash/Array.h"
#include "dash/Init.h"
#include "dash/Matrix.h"
#include "dash/Pattern.h"
#include "dash/View.h"
#include "support/Catch.h"
#include "support/Runner.h"

namespace {

template <class Container, class Range>
void check_view(Container& container, Range&& view) {
  check_order(dash::par, container, view.begin(), view.end(),
              static_cast<unsigned>(common_random()()));
}

std::size_t random_extent(long least, long max_size) {
  return static_cast<std::size_t>(least + random_up_to(max_size - least));
}

/// \param max_size  maximal number of elements of an array
template <class T>
void check_arrays(int rounds, long max_size) {
  for (int round = 0; round < rounds; ++round) {
    const long n = static_cast<long>(random_extent(1, max_size));
    const std::size_t block = random_extent(1, 40);
    const std::vector<dash::Distribution> all = {dash::BLOCKED, dash::CYCLIC,
                                                 dash::BLOCKCYCLIC(block)};
    const auto& distribution = all[static_cast<std::size_t>(random_up_to(2))];
    dash::Array<T> array(static_cast<std::size_t>(n), distribution);
    const long end = random_up_to(n);
    const long begin = random_up_to(end);
    const long step = 1 + random_up_to(6);
    INFO("elements " << begin << " to " << end << " of " << n << ", step " << step << ", blocks of "
                     << block << ", " << distribution);
    check_view(array, array);
    check_view(array, array | dash::sub(begin, end));
    check_view(array, array | dash::sub(begin, end) | dash::strided(step));
  }
}

}  // namespace

TEST_CASE("reordering algorithms on arrays with few elements") {
  check_arrays<double>(4, 70);
  check_arrays<Sample>(4, 200);
}

TEST_CASE("reordering algorithms on arrays with more elements") {
  check_arrays<double>(2, 2000);
  check_arrays<Sample>(2, 2000);
}

TEST_CASE("reordering algorithms on tiled matrices, boxes and strided views") {
  for (int round = 0; round < 3; ++round) {
    const dash::SizeSpec<2> sizes(random_extent(6, 30), random_extent(6, 30));
    const auto height = random_extent(1, 6);
    const auto width = random_extent(1, 6);
    dash::Matrix<Sample, 2> matrix(sizes,
                                   dash::DistributionSpec<2>(dash::TILE(height), dash::TILE(width)),
                                   dash::Team::All(), dash::TeamSpec<2>(dash::Team::All()));
    const auto rows = static_cast<index_t>(sizes.extent(0));
    const auto columns = static_cast<index_t>(sizes.extent(1));
    const index_t first = random_up_to(rows - 1);
    const index_t left = random_up_to(columns - 1);
    const index_t right = left + random_up_to(columns - left);
    INFO(rows << " rows of " << columns << " in tiles of " << height << " by " << width << ", from "
              << first << ", " << left << " to " << right);
    check_view(matrix, matrix | dash::sub<0>(first, rows) | dash::sub<1>(left, right));
    check_view(matrix, matrix | dash::sub<0>(first, rows) | dash::strided<1>(3));
  }
}

TEST_CASE("reordering algorithms on boxes of column-major matrices use the order of the box") {
  using Columns = dash::BlockPattern<2, dash::COL_MAJOR>;
  dash::Matrix<double, 2, index_t, Columns> matrix(
      Columns(random_extent(9, 20), random_extent(9, 40), dash::NONE, dash::BLOCKED));
  check_view(matrix, matrix | dash::sub<0>(2, 8) | dash::sub<1>(1, 9));
  check_view(matrix, matrix | dash::sub<0>(1, 3) | dash::sub<1>(random_up_to(8), 9));
}

TEST_CASE("reordering algorithms on boxes of three dimensions") {
  dash::NArray<double, 3> cube(random_extent(5, 9), random_extent(5, 9), random_extent(5, 12));
  auto box = cube.sub<0>(1, 4).sub<1>(0, 4).sub<2>(2, 3);
  check_view(cube, box);
  check_view(cube, cube.sub<0>(2, 2));
  check_view(cube, cube | dash::sub<1>(1, 5) | dash::strided<2>(2));
}

TEST_CASE("nth_element of a large box takes several rounds") {
  dash::NArray<double, 3> cube(27, 27, random_extent(27, 29));
  const auto box = cube.sub<0>(1, 26).sub<2>(1, 26);
  INFO(box.size() << " of " << cube.size() << " elements");
  OrderModel<double> model(cube, box.begin(), box.end(), dash::test::seed());
  check_nth_element(dash::par, box.begin(), box.end(), model);
}
