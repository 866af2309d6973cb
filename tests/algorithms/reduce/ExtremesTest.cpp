// dash-test: parallel units=1,2,3,4,7 layouts=node,cliques,nolocal modes=auto,poll

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <functional>
#include <limits>
#include <vector>

#include "algorithms/call/RangeModel.h"
#include "dash/algorithm/MaxElement.h"
#include "dash/algorithm/MinElement.h"
#include "dash/algorithm/MinMaxElement.h"
#include "support/Catch.h"

namespace {

const double nan_value = std::numeric_limits<double>::quiet_NaN();

struct ByMagnitude {
  bool operator()(double a, double b) const { return std::abs(a) < std::abs(b); }
};

/// Position of the last largest number, or of the last element if there are no numbers.
std::ptrdiff_t last_largest(const std::vector<double>& values) {
  std::ptrdiff_t result = 0;
  for (std::size_t i = 0; i < values.size(); ++i) {
    const double best = values[static_cast<std::size_t>(result)];
    if (std::isnan(best) || values[i] >= best) {
      if (std::isnan(values[i]) && !std::isnan(best)) continue;
      result = static_cast<std::ptrdiff_t>(i);
    }
  }
  return result;
}

/// Compares the results with those of the standard library on the same sequence.
template <class It>
void check_extremes(const It& first, const It& last, const std::vector<double>& values) {
  assign(first, values);
  const auto begin = values.begin();
  const auto end = values.end();
  const auto smallest = std::min_element(begin, end) - begin;
  const auto check = [&](const auto& policy) {
    CHECK(dash::min_element(policy, first, last) - first == smallest);
    CHECK(dash::max_element(policy, first, last) - first ==
          std::min_element(begin, end, std::greater<>()) - begin);
    if (values.empty()) return;
    const auto both = dash::minmax_element(policy, first, last);
    CHECK(both.first - first == smallest);
    CHECK(both.second - first == last_largest(values));
  };
  check(dash::seq);
  check(dash::par_unseq);
  check(dash::par_node);
  const double* const native = values.data();
  CHECK(dash::min_element(native, native + values.size()) - native == smallest);
}

/// Checks few distinct values, so that there are equal elements, with NaN at relevant positions.
template <class It>
void check_with_nan(const It& first, const It& last) {
  const auto n = static_cast<std::size_t>(last - first);
  const auto numbers = [n] {
    auto values = random_values<double>(n, 6);
    for (double& value : values)
      value -= 3;
    return values;
  };
  check_extremes(first, last, numbers());
  if (n == 0) return;
  auto values = numbers();
  for (double& value : values)
    if (random_up_to(2) == 0) value = nan_value;
  values.front() = 1;
  check_extremes(first, last, values);
  values.front() = nan_value;
  check_extremes(first, last, values);
  // Whole chunks and whole parts of units that contain only NaN.
  values.assign(n, nan_value);
  check_extremes(first, last, values);
  values[static_cast<std::size_t>(random_up_to(static_cast<long>(n) - 1))] = 5;
  check_extremes(first, last, values);
  values = numbers();
  std::fill(values.begin() + static_cast<std::ptrdiff_t>(n / 3), values.end(), nan_value);
  check_extremes(first, last, values);
}

}  // namespace

TEST_CASE("extreme elements with NaN at any position equal those of the standard library") {
  for_each_array<double>(700,
                         [](const auto& first, const auto& last) { check_with_nan(first, last); });
}

TEST_CASE("extreme elements of more than a chunk are the same with several workers") {
  dash::Array<double> array(60000, dash::BLOCKCYCLIC(5000));
  for (const int number : {2, 3}) {
    const Workers several(number);
    check_with_nan(array.begin(), array.end());
  }
}

TEST_CASE("extreme elements that later chunks improve, with ties and NaN in between") {
  constexpr long n = 90000;
  dash::Array<double> array(n, dash::BLOCKCYCLIC(20000));
  const Workers several(GENERATE(1, 3));
  std::vector<double> values(n);
  for (long i = 0; i < n; ++i)
    values[static_cast<std::size_t>(i)] = static_cast<double>(-(i / 5000));
  check_extremes(array.begin(), array.end(), values);
  for (std::size_t i = 0; i < values.size(); i += 977)
    values[i] = nan_value;
  check_extremes(array.begin(), array.end(), values);
  for (double& value : values)
    value = -value;
  check_extremes(array.begin(), array.end(), values);
}

TEST_CASE("min_element with an application's comparison uses its order of NaN") {
  const auto nan_first = [](double a, double b) { return std::isnan(a) ? !std::isnan(b) : a < b; };
  dash::Array<double> array(100, dash::BLOCKCYCLIC(7));
  auto values = random_values<double>(100, 50);
  values[61] = nan_value;
  values[83] = nan_value;
  assign(array.begin(), values);
  CHECK(dash::min_element(array.begin(), array.end(), nan_first) - array.begin() == 61);
  CHECK(dash::min_element(array.begin() + 62, array.end(), nan_first) - array.begin() == 83);
  for (const bool begins : {false, true}) {
    values[0] = begins ? nan_value : 1;
    assign(array.begin(), values);
    CHECK(dash::min_element(array.begin(), array.end(), ByMagnitude()) - array.begin() ==
          std::min_element(values.begin(), values.end(), ByMagnitude()) - values.begin());
  }
  array.barrier();
}

TEST_CASE("extreme elements among equal ones in views of diagonally distributed tiles") {
  using Shifted = dash::ShiftTilePattern<2>;
  const auto nunits = static_cast<index_t>(dash::size());
  dash::Matrix<double, 2, index_t, Shifted> shifted(
      Shifted(4 * nunits, 6 * nunits + 3, dash::TILE(4), dash::TILE(3)));
  const auto rows = shifted | dash::strided<0>(3);
  const auto part = dash::IteratorRange(shifted.begin() + 2, shifted.end() - 1) | dash::strided(2);
  for (int round = 0; round < 3; ++round) {
    check_with_nan(rows.begin(), rows.end());
    check_with_nan(part.begin(), part.end());
  }
}
