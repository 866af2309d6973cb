// dash-test: parallel units=1,2,3,4,7 layouts=node,nolocal quick=never

#include <algorithm>
#include <functional>
#include <numeric>
#include <vector>

#include "dash/Array.h"
#include "dash/Init.h"
#include "dash/Matrix.h"
#include "dash/Pattern.h"
#include "dash/View.h"
#include "dash/algorithm/Copy.h"
#include "dash/algorithm/Fill.h"
#include "dash/algorithm/ForEach.h"
#include "dash/algorithm/Generate.h"
#include "dash/algorithm/MinMax.h"
#include "dash/algorithm/Reduce.h"
#include "dash/algorithm/Transform.h"
#include "support/Catch.h"

using index_t = dash::default_index_t;

namespace {

/// The global indices of a range's elements.
template <class View>
std::vector<index_t> indices_of(const View& view) {
  std::vector<index_t> result;
  for (auto it = view.begin(); it != view.end(); ++it)
    result.push_back(it.gpos());
  return result;
}

/// Sets each element to its global index and checks algorithms on `view`, a view of `container`.
template <class Container, class View>
void check_algorithms(Container& container, const View& view) {
  const std::vector<index_t> indices = indices_of(view);
  const auto initialize = [&] {
    container.barrier();
    dash::generate_with_index(container.begin(), container.end(), [](index_t i) { return i; });
    container.barrier();
  };
  const auto is_in = [&](index_t i) {
    return std::find(indices.begin(), indices.end(), i) != indices.end();
  };

  initialize();
  std::vector<index_t> copied(view.size());
  CHECK(dash::copy(view.begin(), view.end(), copied.data()) == copied.data() + copied.size());
  CHECK(copied == indices);
  CHECK(dash::reduce(view, index_t{0}) ==
        std::accumulate(indices.begin(), indices.end(), index_t{0}));
  if (view.size() > 2) {
    CHECK(dash::reduce(view.begin() + 1, view.end() - 1, index_t{0}) ==
          std::accumulate(indices.begin() + 1, indices.end() - 1, index_t{0}));
  }
  const auto greatest = std::max_element(indices.begin(), indices.end());
  CHECK(dash::max_element(view) - view.begin() == greatest - indices.begin());

  container.barrier();
  dash::for_each_with_index(view, [](index_t& value, index_t index) { value = -2 * index; });
  dash::transform(view, view.begin(), [](index_t value) { return value - 1; });
  std::size_t wrong = 0;
  dash::for_each_with_index(dash::seq, container.begin(), container.end(),
                            [&](index_t& value, index_t i) {
                              if (value != (is_in(i) ? -2 * i - 1 : i)) ++wrong;
                            });
  CHECK(wrong == 0);

  initialize();
  const std::vector<index_t> replacement(view.size(), -7);
  if (dash::myid() == 0)
    dash::copy(replacement.data(), replacement.data() + replacement.size(), view.begin());
  container.barrier();
  dash::for_each_with_index(dash::seq, container.begin(), container.end(),
                            [&](index_t& value, index_t i) {
                              if (value != (is_in(i) ? -7 : i)) ++wrong;
                            });
  CHECK(wrong == 0);
}

}  // namespace

TEST_CASE("algorithms on strided views of arrays access only the elements of the view") {
  for (const auto& distribution :
       {dash::BLOCKED, dash::CYCLIC, dash::BLOCKCYCLIC(3), dash::BLOCKCYCLIC(8)}) {
    dash::Array<index_t> array(97, distribution);
    check_algorithms(array, array | dash::strided(1));
    check_algorithms(array, array | dash::strided(5));
    check_algorithms(array, array | dash::sub(11, 80) | dash::strided(3));
    check_algorithms(array, array | dash::strided(2) | dash::sub(3, 20) | dash::strided(2));
    check_algorithms(array,
                     dash::IteratorRange(array.begin() + 4, array.begin() + 60) | dash::strided(7));
    check_algorithms(array, array | dash::sub(5, 5) | dash::strided(2));
  }
}

TEST_CASE("algorithms on strided views of matrices") {
  const dash::SizeSpec<2> sizes(13, 17);
  const dash::TeamSpec<2> teams(dash::Team::All());
  dash::Matrix<index_t, 2> tiled(sizes, dash::DistributionSpec<2>(dash::TILE(4), dash::TILE(5)),
                                 dash::Team::All(), teams);
  check_algorithms(tiled, tiled | dash::sub<0>(2, 12) | dash::strided<1>(3));
  check_algorithms(tiled, tiled | dash::strided<0>(2) | dash::sub<1>(1, 16));
  check_algorithms(tiled, tiled | dash::sub<0>(2, 12) | dash::sub<1>(3, 9));
  check_algorithms(tiled, tiled | dash::sub<0>(4, 8) | dash::sub<1>(5, 10));
  dash::Matrix<index_t, 2> cyclic(sizes, dash::DistributionSpec<2>(dash::CYCLIC, dash::NONE));
  check_algorithms(cyclic, cyclic | dash::strided<0>(3) | dash::strided<1>(2));
}

TEST_CASE("algorithms on boxes of column-major and of skewed matrices") {
  using ColumnMajor = dash::BlockPattern<2, dash::COL_MAJOR>;
  dash::Matrix<index_t, 2, index_t, ColumnMajor> columns(
      ColumnMajor(12, 11, dash::NONE, dash::BLOCKED));
  check_algorithms(columns, columns | dash::sub<0>(2, 9) | dash::sub<1>(1, 10));
  using Shifted = dash::ShiftTilePattern<2>;
  const auto nunits = static_cast<index_t>(dash::size());
  dash::Matrix<index_t, 2, index_t, Shifted> shifted(
      Shifted(4 * nunits, 3 * nunits, dash::TILE(4), dash::TILE(3)));
  check_algorithms(shifted, shifted | dash::sub<0>(1, 4) | dash::strided<1>(2));
}
