#pragma once

#include <algorithm>
#include <compare>
#include <cstddef>
#include <random>
#include <utility>
#include <vector>

#include "dash/Array.h"
#include "dash/ExecutionPolicy.h"
#include "dash/Init.h"
#include "dash/Matrix.h"
#include "dash/Pattern.h"
#include "dash/View.h"
#include "dash/algorithm/Copy.h"
#include "support/Runner.h"
#include "support/Workers.h"

/// \file
/// Compares global ranges with vectors that contain the same elements.

using index_t = dash::default_index_t;

/// A generator of the same numbers on all units.
inline std::mt19937& common_random() {
  static std::mt19937 random(dash::test::seed());
  return random;
}
inline long random_up_to(long last) {
  return std::uniform_int_distribution<long>(0, last)(common_random());
}

template <class T>
std::vector<T> random_values(std::size_t n, long last) {
  std::vector<T> values(n);
  for (T& value : values)
    value = static_cast<T>(random_up_to(last));
  return values;
}

/// Random numbers of both signs, with absolute values up to `most`.
inline std::vector<int> signed_values(std::size_t n, long most) {
  std::vector<int> values(n);
  for (int& value : values)
    value = static_cast<int>(random_up_to(2 * most) - most);
  return values;
}

/// An element with several members.
struct Sample {
  int key;
  short weights[3];
  friend bool operator==(const Sample&, const Sample&) = default;
  friend auto operator<=>(const Sample&, const Sample&) = default;
};

template <class T>
T sample_of(long number) {
  return static_cast<T>(number);
}
template <>
inline Sample sample_of<Sample>(long number) {
  return {static_cast<int>(number), {static_cast<short>(number % 5), 1, 2}};
}

template <class T>
std::vector<T> samples(std::size_t n) {
  std::vector<T> values;
  for (std::size_t i = 0; i < n; ++i)
    values.push_back(sample_of<T>(random_up_to(60)));
  return values;
}

/// Assigns values to the elements of a range; each unit assigns its own elements.
template <class It, class T>
void assign(const It& first, const std::vector<T>& values) {
  first.team().barrier();
  for (std::size_t i = 0; i < values.size(); ++i) {
    const It element = first + static_cast<index_t>(i);
    if (element.is_local()) *element.local() = values[i];
  }
  first.team().barrier();
}

template <class It>
auto values_of(const It& first, const It& last) {
  std::vector<typename It::value_type> values(static_cast<std::size_t>(last - first),
                                              typename It::value_type{});
  dash::copy(first, last, values.data());
  first.team().barrier();
  return values;
}

/// Number of the caller's elements of a range that differ from the values.
template <class It, class T>
int differing(const It& first, const std::vector<T>& values) {
  int count = 0;
  for (std::size_t i = 0; i < values.size(); ++i) {
    const It element = first + static_cast<index_t>(i);
    if (element.is_local() && !(*element.local() == values[i])) ++count;
  }
  first.team().barrier();
  return count;
}

inline const std::vector<dash::Distribution>& distributions() {
  static const std::vector<dash::Distribution> all = {dash::BLOCKED, dash::CYCLIC,
                                                      dash::BLOCKCYCLIC(3), dash::BLOCKCYCLIC(11)};
  return all;
}

/// Calls f(first, last) for arrays with the given number of elements, and for random parts of them.
template <class T, class F>
void for_each_array(std::size_t n, F f) {
  for (const auto& distribution : distributions()) {
    dash::Array<T> array(n, distribution);
    f(array.begin(), array.end());
    const long end = random_up_to(static_cast<long>(n));
    const long begin = random_up_to(end);
    f(array.begin() + begin, array.begin() + end);
    f(array.begin() + begin, array.begin() + begin);
  }
}

/// Calls f(array, begin, end) for arrays of a model's values, and for several parts of them.
template <class F>
void for_each_range(const std::vector<int>& model, F f) {
  const auto size = static_cast<index_t>(model.size());
  for (const auto& distribution : {dash::BLOCKED, dash::CYCLIC, dash::BLOCKCYCLIC(40)}) {
    dash::Array<int> array(model.size(), distribution);
    for (const auto& [begin, end] : std::vector<std::pair<index_t, index_t>>{
             {0, size}, {13, size - 600}, {size - 1, size}, {77, 99}, {500, 500}, {1, size - 1}}) {
      assign(array.begin(), model);
      f(array, begin, end);
    }
  }
}

/// Calls f(first, last) for two-dimensional matrices of both storage orders, boxes of them, and
/// strided views.
template <class T, class F>
void for_each_matrix(F f) {
  const dash::TeamSpec<2> grid(dash::Team::All());
  dash::Matrix<T, 2> tiled(dash::SizeSpec<2>(13, 17),
                           dash::DistributionSpec<2>(dash::TILE(4), dash::TILE(5)),
                           dash::Team::All(), grid);
  f(tiled.begin(), tiled.end());
  f(tiled.begin() + 5, tiled.end() - 9);
  const auto box = tiled.template sub<0>(2, 9).template sub<1>(3, 11);
  f(box.begin(), box.end());
  f(box.begin() + 7, box.end() - 3);
  const auto strided = tiled | dash::sub<0>(1, 12) | dash::template strided<1>(3);
  f(strided.begin(), strided.end());
  using Columns = dash::TilePattern<2, dash::COL_MAJOR>;
  dash::Matrix<T, 2, index_t, Columns> columns(
      Columns(dash::SizeSpec<2>(12, 10), dash::DistributionSpec<2>(dash::TILE(3), dash::TILE(5)),
              grid, dash::Team::All()));
  f(columns.begin() + 1, columns.end());
}

/// Calls f(policy) for all policies, for the parallel ones with one worker and with several.
template <class F>
void for_each_policy(F f) {
  f(dash::seq);
  f(dash::par);
  f(dash::par_unseq);
  f(dash::par_node);
  for (const int number : {2, 3}) {
    const Workers several(number);
    f(dash::par);
    f(dash::par_node);
  }
}
