// dash-test: parallel units=1,2,3,4,7

#include "ViewModel.h"
#include "support/Catch.h"

TEST_CASE("Views of random matrices through random expressions: as for a vector") {
  Random random(dash::test::seed());
  for (int round = 0; round < 8; ++round) {
    const auto rows = static_cast<std::size_t>(pick(random, 1, 12));
    const auto cols = static_cast<std::size_t>(pick(random, 1, 12));
    const auto first = pick_distribution(random);
    const auto second = first == dash::NONE ? dash::BLOCKED : pick_distribution(random);
    dash::NArray<index_t, 2> matrix(dash::SizeSpec<2>(rows, cols),
                                    dash::DistributionSpec<2>(first, second));
    CAPTURE(round, rows, cols);
    check_random_views<decltype(matrix), 2>(matrix, random, 12);
  }
}
