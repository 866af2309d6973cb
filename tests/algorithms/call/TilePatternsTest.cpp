// dash-test: parallel units=1,2,3,4,7 layouts=node,cliques,nolocal quick=never

#include "algorithms/reduce/AllChecks.h"
#include "dash/pattern/SeqTilePattern.h"
#include "dash/pattern/ShiftTilePattern.h"
#include "support/Catch.h"

TEST_CASE(
    "algorithms on structures in diagonally distributed tiles give the standard library's "
    "results") {
  using Pattern = dash::ShiftTilePattern<2>;
  const auto nunits = static_cast<index_t>(dash::size());
  dash::Matrix<Sample, 2, index_t, Pattern> matrix(
      Pattern(4 * nunits, 6 * nunits + 3, dash::TILE(4), dash::TILE(3)));
  check_all(matrix);
}

TEST_CASE("algorithms on numbers in round-robin tiles give the standard library's results") {
  using Pattern = dash::SeqTilePattern<2>;
  dash::Matrix<double, 2, index_t, Pattern> matrix(
      Pattern(dash::SizeSpec<2>(22, 17), dash::DistributionSpec<2>(dash::TILE(4), dash::TILE(5))));
  check_all(matrix);
}
