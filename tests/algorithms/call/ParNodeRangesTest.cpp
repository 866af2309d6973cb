// dash-test: parallel units=1,2,3,4,7 layouts=node,cliques,nolocal modes=auto,poll

#include <algorithm>
#include <cstddef>
#include <numeric>
#include <utility>
#include <vector>

#include "dash/Array.h"
#include "dash/Init.h"
#include "dash/Matrix.h"
#include "dash/Pattern.h"
#include "dash/View.h"
#include "dash/algorithm/Fill.h"
#include "dash/algorithm/ForEach.h"
#include "dash/algorithm/Generate.h"
#include "dash/algorithm/MinMax.h"
#include "dash/algorithm/Reduce.h"
#include "dash/algorithm/Transform.h"
#include "dash/util/TeamLocality.h"
#include "support/Catch.h"

using index_t = dash::default_index_t;

namespace {

/// Checks the elements of a range that each unit of the node owns; the value of an element is its
/// global index.
template <class It>
void check_runs(const It& first, const It& last) {
  const auto on_node =
      dash::internal::units_in_scope(first.team(), dash::util::Locality::Scope::Node);
  for (const int unit : first.team()) {
    if (!on_node[static_cast<std::size_t>(unit)]) continue;
    std::vector<index_t> expected;
    for (It it = first; it != last; ++it) {
      if (it.lpos().unit == unit) expected.push_back(it.gpos());
    }
    std::vector<index_t> by_value;
    std::vector<index_t> by_position;
    for (const auto& run : dash::internal::local_blocks_of(first, last, dash::team_unit_t(unit))) {
      CHECK(run.unit == unit);
      dash::internal::for_each_position_block(
          first, run, [&](auto* begin, auto length, auto position) {
            for (decltype(length) i = 0; i < length; ++i) {
              by_value.push_back(begin[i]);
              by_position.push_back((first + position + i).gpos());
            }
          });
    }
    CHECK(by_value == by_position);
    std::sort(by_value.begin(), by_value.end());
    std::sort(expected.begin(), expected.end());
    CHECK(by_value == expected);
  }
  first.team().barrier();
}

/// Reads all elements on each unit, one after the other.
template <class Range>
index_t sum_of(const Range& range) {
  index_t sum = 0;
  for (auto it = range.begin(); it != range.end(); ++it)
    sum += *it;
  dash::barrier();
  return sum;
}

/// Runs algorithms on a range in which the value of an element is its global index.
template <class Range>
void check_algorithms(Range&& range, const std::vector<index_t>& indices) {
  check_runs(range.begin(), range.end());
  const auto sum = std::accumulate(indices.begin(), indices.end(), index_t{0});
  CHECK(dash::reduce(dash::par_node, range, index_t{0}) == sum);
  const auto smallest = dash::min_element(dash::par_node, range);
  if (indices.empty()) {
    CHECK(smallest == range.end());
  } else {
    CHECK(smallest - range.begin() ==
          std::min_element(indices.begin(), indices.end()) - indices.begin());
  }
  // Each element is processed once, on any unit.
  dash::for_each_with_index(dash::par_node, range,
                            [](index_t& element, index_t index) { element += 2 * index; });
  CHECK(sum_of(range) == 3 * sum);
}

/// Algorithms whose loops do not depend on the kind of range.
template <class Range>
void check_more_algorithms(Range&& range, const std::vector<index_t>& indices) {
  const auto size = static_cast<index_t>(indices.size());
  const auto sum = std::accumulate(indices.begin(), indices.end(), index_t{0});
  dash::fill(dash::par_node, range, 3);
  CHECK(sum_of(range) == 3 * size);
  dash::for_each(dash::par_node, range, [](index_t& element) { element *= 2; });
  CHECK(sum_of(range) == 6 * size);
  dash::generate_with_index(dash::par_node, range, [](index_t index) { return index + 1; });
  CHECK(sum_of(range) == sum + size);
  dash::transform(dash::par_node, range.begin(), range.end(), range.begin(),
                  [](index_t element) { return element - 1; });
  CHECK(sum_of(range) == sum);
  dash::generate(dash::par_node, range, [] { return index_t{7}; });
  CHECK(sum_of(range) == 7 * size);
  CHECK(dash::max_element(dash::par_node, range) == range.begin());
}

template <class Range>
std::vector<index_t> indices_of(const Range& range) {
  std::vector<index_t> result;
  for (auto it = range.begin(); it != range.end(); ++it)
    result.push_back(it.gpos());
  return result;
}

template <class Container>
void number(Container& container) {
  container.barrier();
  dash::generate_with_index(container.begin(), container.end(), [](index_t i) { return i; });
  container.barrier();
}

}  // namespace

TEST_CASE("par_node on any pattern, range and box gives the standard library's results") {
  const auto units = dash::size();
  for (const auto& distribution : {dash::BLOCKED, dash::CYCLIC, dash::BLOCKCYCLIC(5)}) {
    dash::Array<index_t> array(997, distribution);
    for (const auto& [begin, end] : std::vector<std::pair<index_t, index_t>>{
             {0, 997}, {1, 996}, {300, 310}, {500, 501}, {40, 40}}) {
      number(array);
      const auto range = dash::make_range(array.begin() + begin, array.begin() + end);
      check_algorithms(range, indices_of(range));
      check_more_algorithms(range, indices_of(range));
    }
  }
  {
    // The last unit owns all elements.
    std::vector<std::size_t> sizes(units, 0);
    sizes.back() = 1000;
    dash::Array<index_t, index_t, dash::CSRPattern<1>> array{dash::CSRPattern<1>(sizes)};
    number(array);
    check_algorithms(array, indices_of(array));
    array.barrier();
  }
  dash::NArray<index_t, 2> matrix(23, 17, dash::BLOCKED, dash::CYCLIC);
  number(matrix);
  auto box = matrix.sub<0>(2, 15).sub<1>(3, 9);
  check_algorithms(box, indices_of(box));
  number(matrix);
  const auto view = dash::sub<0>(5, 20, matrix);
  check_algorithms(view, indices_of(view));
  dash::Matrix<index_t, 2, index_t, dash::TilePattern<2>> tiles(
      dash::TilePattern<2>(16, 12, dash::TILE(4), dash::TILE(3)));
  number(tiles);
  check_algorithms(tiles, indices_of(tiles));
  matrix.barrier();
}
