// dash-test: parallel units=1,2,3,4,7 layouts=node,cliques,nolocal modes=auto,poll quick=never

#include <algorithm>
#include <numeric>
#include <vector>

#include "ScanCheck.h"
#include "support/Catch.h"
#include "support/Runner.h"

TEST_CASE("scans of matrices, boxes and strided views use the order of the range") {
  dash::Array<long> array(300, dash::BLOCKCYCLIC(7));
  for_each_matrix<long>([&](const auto& first, const auto& last) {
    check_sums(dash::par, first, last, array.begin() + 2);
    check_sums(dash::par, array.begin(), array.begin() + (last - first), first);
    check_sums(dash::par, first, last, first);
  });
}

TEST_CASE("scans of more than a chunk, with each policy and several workers") {
  constexpr std::size_t n = 70000;
  std::vector<long> expected(n - 1);
  for (const auto& distribution : {dash::BLOCKED, dash::BLOCKCYCLIC(5000)}) {
    dash::Array<long> in(n, distribution);
    dash::Array<long> out(n);
    const auto first = in.begin() + 1;
    for_each_policy([&](const auto& policy) {
      check_sums(policy, first, in.end(), out.begin());
      const auto input = random_values<long>(n - 1, 1000);
      assign(first, input);
      std::exclusive_scan(input.begin(), input.end(), expected.begin(), 5L);
      CHECK(dash::exclusive_scan(policy, first, in.end(), first, 5L) == in.end());
      CHECK(differing(first, expected) == 0);
    });
  }
}

TEST_CASE("scan of native input, and with output that overlaps the input") {
  std::vector<long> input = random_values<long>(200, 100);
  dash::Array<long> array(300, dash::BLOCKCYCLIC(9));
  CHECK(dash::inclusive_scan(input.begin(), input.end(), array.begin() + 3) == array.begin() + 203);
  std::vector<long> expected(200);
  std::inclusive_scan(input.begin(), input.end(), expected.begin());
  CHECK(values_of(array.begin() + 3, array.begin() + 203) == expected);
  assign(array.begin(), input);
  dash::inclusive_scan(array.begin(), array.begin() + 200, array.begin() + 5);
  CHECK(values_of(array.begin() + 5, array.begin() + 205) == expected);
}

TEST_CASE("asynchronous scans, and scans of empty ranges, return the end of the output") {
  dash::Array<long> array(100, dash::CYCLIC);
  std::fill(array.lbegin(), array.lend(), 1);
  array.barrier();
  auto inclusive = dash::inclusive_scan_async(array, array);
  auto exclusive =
      dash::exclusive_scan_async(dash::seq, array.begin(), array.end(), array.begin(), 0L);
  CHECK(exclusive.get() == array.end());
  CHECK(inclusive.get() == array.end());
  CHECK(array[99].get() == 99 * 100 / 2);
  array.barrier();
  CHECK(dash::inclusive_scan(array.begin() + 4, array.begin() + 4, array.begin()) == array.begin());
  dash::Array<long> nothing;
  CHECK(dash::inclusive_scan(nothing, nothing) == nothing.end());
}

TEST_CASE("scans in sub-teams") {
  if (dash::size() < 2) DASH_SKIP("one unit has no sub-teams");
  dash::Team& part = dash::Team::All().split(2);
  {
    dash::Array<long> own(50, dash::BLOCKCYCLIC(2), part);
    assign(own.begin(), std::vector<long>(50, 2));
    dash::exclusive_scan(own, own, 0L);
    CHECK(own[49].get() == 98);
    part.barrier();
  }
  dash::barrier();
}
