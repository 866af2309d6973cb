#pragma once

#include <cstddef>
#include <numeric>
#include <vector>

#include "algorithms/call/RangeModel.h"
#include "dash/algorithm/Scan.h"
#include "support/Catch.h"

/// Checks the scan of a range to another range.
template <class Policy, class In, class Out>
void check_sums(const Policy& policy, const In& first, const In& last, const Out& out) {
  const auto input = random_values<long>(static_cast<std::size_t>(last - first), 1000);
  const Out out_last = out + static_cast<index_t>(input.size());
  std::vector<long> expected(input.size());
  assign(first, input);
  std::inclusive_scan(input.begin(), input.end(), expected.begin());
  CHECK(dash::inclusive_scan(policy, first, last, out) == out_last);
  CHECK(values_of(out, out_last) == expected);
}
