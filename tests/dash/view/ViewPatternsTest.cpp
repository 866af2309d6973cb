// dash-test: parallel units=1,2,3,4,7

#include <vector>

#include "ViewModel.h"
#include "dash/HView.h"
#include "dash/Pattern.h"
#include "support/Catch.h"

namespace {

template <bool Unstrided, class Container>
void check(Container& container) {
  Random random(dash::test::seed());
  check_random_views<Container, Container::ndim(), Unstrided>(container, random, 20);
}

template <class Pattern>
using MatrixOf = dash::Matrix<index_t, 2, index_t, Pattern>;

}  // namespace

TEST_CASE("Views of matrices with tiled memory: as for a vector") {
  dash::TeamSpec<2> units(dash::Team::All());
  units.balance_extents();
  using Pattern = dash::TilePattern<2>;
  MatrixOf<Pattern> matrix(Pattern(dash::SizeSpec<2>(12, 15),
                                   dash::DistributionSpec<2>(dash::TILE(2), dash::TILE(3)), units));
  check<false>(matrix);
}

TEST_CASE("Views of column-major matrices: as for a vector") {
  using Pattern = dash::BlockPattern<2, dash::COL_MAJOR>;
  MatrixOf<Pattern> matrix(Pattern(dash::SizeSpec<2>(11, 13),
                                   dash::DistributionSpec<2>(dash::NONE, dash::BLOCKCYCLIC(3))));
  check<true>(matrix);
}

TEST_CASE("Views of arrays with different numbers of elements per unit: as for a vector") {
  std::vector<std::size_t> sizes;
  for (std::size_t unit = 0; unit < dash::size(); ++unit)
    sizes.push_back(unit % 3 == 1 ? 0 : 5 + 3 * unit);
  using Pattern = dash::CSRPattern<1>;
  dash::Array<index_t, index_t, Pattern> array{Pattern(sizes)};
  check<true>(array);
}

TEST_CASE("blocks of a list of elements, with different numbers per unit: the non-empty ones") {
  std::vector<std::size_t> sizes;
  for (std::size_t unit = 0; unit < dash::size(); ++unit)
    sizes.push_back(unit % 3 == 1 ? 1 : 3);
  using Pattern = dash::CSRPattern<1>;
  dash::Array<index_t, index_t, Pattern> array{Pattern(sizes)};
  number_elements(array);
  const dash::HView<decltype(array)> all(array);
  const auto view = dash::intersect(all, dash::strided(2, array));
  std::vector<index_t> expected;
  for (const index_t element : view) {
    const auto block = array.pattern().block_at({{element}});
    if (expected.empty() || expected.back() != block) expected.push_back(block);
  }
  const auto blocks = dash::blocks(view);
  const auto numbers = dash::index(blocks);
  CHECK(std::vector<index_t>(numbers.begin(), numbers.end()) == expected);
  std::size_t elements = 0;
  for (const auto& block : blocks)
    elements += block.size();
  CHECK(elements == view.size());
  array.barrier();
}

namespace {

/// Checks the local part of a view in a pattern that distributes blocks along diagonals: a list in
/// memory order that contains each local element of the view once.
template <class Pattern, class View>
void check_local_list(const Pattern& pattern, const View& view) {
  std::vector<index_t> expected;
  for (const index_t element : view) {
    if (pattern.is_local(element)) expected.push_back(element);
  }
  std::sort(expected.begin(), expected.end());
  const auto local = dash::local(view);
  CHECK(std::vector<index_t>(local.begin(), local.end()) == expected);
  const auto indices = dash::index(local);
  CHECK(std::is_sorted(indices.begin(), indices.end()));
  CHECK(std::equal(local.begin(), local.end(), indices.global().begin()));
  std::size_t elements = 0;
  for (const auto& block : dash::blocks(local)) {
    CHECK(pattern.block_at(pattern.coords(block.front())) ==
          pattern.block_at(pattern.coords(block.back())));
    elements += block.size();
  }
  CHECK(elements == expected.size());
  const auto half = dash::sub(expected.size() / 2, expected.size(), local);
  CHECK(std::equal(half.begin(), half.end(),
                   expected.begin() + static_cast<index_t>(expected.size() / 2)));
}

template <class Pattern>
void check_diagonal() {
  MatrixOf<Pattern> matrix(
      Pattern(dash::SizeSpec<2>(12, 16), dash::DistributionSpec<2>(dash::TILE(3), dash::TILE(4))));
  number_elements(matrix);
  const auto& pattern = matrix.pattern();
  const auto box = matrix | dash::sub<0>(1, 11) | dash::sub<1>(2, 15);
  check_local_list(pattern, dash::sub<0>(0, 12, matrix));
  check_local_list(pattern, box);
  check_local_list(pattern, dash::strided<1>(3, box));
  check_local_list(pattern, dash::sub<0>(4, 4, box));
  std::size_t elements = 0;
  for (const auto unit : pattern.team()) {
    const auto view = dash::remote(dash::team_unit_t(unit), box);
    for (const index_t element : view)
      CHECK(pattern.unit_at(pattern.coords(element)).id == unit);
    elements += view.size();
  }
  CHECK(elements == box.size());
  CHECK(dash::blocks(box).size() == 16);
  dash::barrier();
}

}  // namespace

TEST_CASE("Views of matrices in shifted tiles: local parts are lists in memory order") {
  check_diagonal<dash::ShiftTilePattern<2>>();
}

TEST_CASE("Views of matrices in a sequence of tiles: local parts are lists in memory order") {
  check_diagonal<dash::SeqTilePattern<2>>();
}
