// dash-test: parallel units=1,2,3,4,7

#include "ViewModel.h"
#include "support/Catch.h"

TEST_CASE("Random view expressions on random arrays: the same elements as on a vector") {
  Random random(dash::test::seed());
  for (int round = 0; round < 12; ++round) {
    const auto extent = static_cast<std::size_t>(pick(random, 1, 60));
    const auto dist = pick_distribution(random);
    dash::Array<index_t> array(extent, dist == dash::NONE ? dash::BLOCKED : dist);
    CAPTURE(round, extent);
    check_random_views<decltype(array), 1>(array, random, 12);
  }
}
