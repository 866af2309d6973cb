// dash-test: parallel units=1,2,3,4,7 layouts=node,cliques,nolocal quick=never

#include <cstddef>
#include <vector>

#include "algorithms/reduce/AllChecks.h"
#include "dash/pattern/CSRPattern.h"
#include "dash/pattern/LoadBalancePattern.h"
#include "support/Catch.h"

TEST_CASE(
    "algorithms on structures with any number of elements per unit give the standard library's "
    "results") {
  using Pattern = dash::CSRPattern<1>;
  for (int round = 0; round < 3; ++round) {
    std::vector<Pattern::size_type> sizes(dash::size());
    for (auto& size : sizes)
      size = static_cast<std::size_t>(random_up_to(2) == 0 ? 0 : random_up_to(150));
    sizes[static_cast<std::size_t>(random_up_to(static_cast<long>(dash::size()) - 1))] = 101;
    dash::Array<Sample, index_t, Pattern> array{Pattern(sizes)};
    check_all(array);
  }
}

TEST_CASE("algorithms on numbers distributed by weight give the standard library's results") {
  using Pattern = dash::LoadBalancePattern<1>;
  for (const std::size_t n : {std::size_t{1}, std::size_t{307}}) {
    std::vector<double> weights;
    for (std::size_t unit = 0; unit < dash::size(); ++unit)
      weights.push_back(static_cast<double>(1 + random_up_to(9)));
    dash::Array<double, index_t, Pattern> array{Pattern(dash::SizeSpec<1>(n), weights, weights)};
    check_all(array);
  }
}
