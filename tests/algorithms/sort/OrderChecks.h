#pragma once

#include <algorithm>
#include <atomic>
#include <compare>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <list>
#include <random>
#include <type_traits>
#include <utility>
#include <vector>

#include "algorithms/call/RangeModel.h"
#include "dash/Team.h"
#include "dash/algorithm/Copy.h"
#include "dash/algorithm/Histogram.h"
#include "dash/algorithm/NthElement.h"
#include "dash/algorithm/Partition.h"
#include "dash/algorithm/Sort.h"
#include "dash/algorithm/Unique.h"
#include "support/Catch.h"

/// \file
/// Checks algorithms that reorder or count the elements of a range against those of the standard
/// library. All elements are distinct, so that elements with equal keys can be distinguished.

/// An over-aligned element that is not default constructible.
struct alignas(32) Wide {
  Wide(int of_key, int of_number) : key(of_key), number(of_number) {}
  int key;
  int number;
  friend auto operator<=>(const Wide&, const Wide&) = default;

  /// Counts the elements at misaligned addresses that the functions below have seen.
  static inline std::atomic<int> misplaced = 0;
  void look() const {
    const void* volatile address = this;  // volatile, so that the compiler cannot assume alignment
    if (reinterpret_cast<std::uintptr_t>(address) % alignof(Wide) != 0) ++misplaced;
  }
};

/// \param number  of the element, less than 2^16
template <class T>
T element_of(int key, int number) {
  if constexpr (std::is_same_v<T, double>) {
    return key + number * 30011 % 65536 / 65536.0;  // all distinct, since the factor is odd
  } else if constexpr (std::is_same_v<T, Sample>) {
    return {key, {static_cast<short>(number / 256), static_cast<short>(number % 256), 7}};
  } else {
    return T(key, number);
  }
}

// Functions instead of distinct types, so that each algorithm is compiled only once per kind of
// range.
template <class T>
int key_of(const T& element) {
  if constexpr (std::is_same_v<T, double>) {
    return static_cast<int>(element);
  } else {
    if constexpr (std::is_same_v<T, Wide>) element.look();
    return element.key;
  }
}
template <class T>
bool is_less(const T& a, const T& b) {
  return a < b;
}
template <class T>
bool is_more(const T& a, const T& b) {
  return b < a;
}
template <class T>
bool is_key_less(const T& a, const T& b) {
  return key_of(a) < key_of(b);
}
template <class T>
bool is_key_same(const T& a, const T& b) {
  return key_of(a) == key_of(b);
}
template <class T>
bool is_low(const T& element) {
  return key_of(element) % 8 < 3;
}

/// Like std::stable_sort, but aligns the elements: std::stable_sort ignores their alignment.
template <class T>
std::vector<T> stable_sorted(const std::vector<T>& values) {
  std::list<T> sorted(values.begin(), values.end());
  sorted.sort(&is_key_less<T>);
  return {sorted.begin(), sorted.end()};
}
/// Like std::stable_partition, but aligns the elements.
template <class T>
std::vector<T> stable_parted(const std::vector<T>& values) {
  std::vector<T> partitioned;
  std::copy_if(values.begin(), values.end(), std::back_inserter(partitioned), &is_low<T>);
  std::remove_copy_if(values.begin(), values.end(), std::back_inserter(partitioned), &is_low<T>);
  return partitioned;
}

/// The expected elements of a container, and of a range of it.
template <class T>
class OrderModel {
 public:
  /// \param seed  the same on all units of the container's team
  template <class Container, class It>
  OrderModel(Container& container, const It& first, const It& last, unsigned seed)
      : _team(container.team()), _random(seed) {
    auto it = container.begin();
    for (std::size_t i = 0; i < container.size(); ++i, ++it) {
      if (it.is_local()) _own.emplace_back(static_cast<std::size_t>(it.gpos()), it.local());
    }
    for (It of_range = first; of_range != last; ++of_range)
      _positions.push_back(static_cast<std::size_t>(of_range.gpos()));
    _size = container.size();
  }

  long random_up_to(long last) { return std::uniform_int_distribution<long>(0, last)(_random); }

  /// Assigns new values to all elements.
  /// \returns the values of the range
  /// \collective over the container's team
  std::vector<T> begin_with() {
    const int most = std::vector<int>{0, 7, 200}[static_cast<std::size_t>(random_up_to(2))];
    _all.clear();
    for (std::size_t i = 0; i < _size; ++i)
      _all.push_back(element_of<T>(static_cast<int>(random_up_to(most)), static_cast<int>(i)));
    std::shuffle(_all.begin(), _all.end(), _random);
    _team.barrier();
    for (const auto& [place, element] : _own)
      *element = _all[place];
    _team.barrier();
    std::vector<T> values;
    for (const std::size_t place : _positions)
      values.push_back(_all[place]);
    return values;
  }

  /// Number of the caller's elements that differ from the expected ones.
  /// \param values  expected values at the begin of the range; the elements of the range after them
  ///                are not checked, and elements outside of the range must be unchanged
  /// \collective over the container's team
  int wrong(const std::vector<T>& values) {
    std::vector<T> expected = _all;
    std::vector<bool> is_known(_size, true);
    for (std::size_t i = 0; i < _positions.size(); ++i) {
      if (i < values.size()) {
        expected[_positions[i]] = values[i];
      } else {
        is_known[_positions[i]] = false;
      }
    }
    int count = 0;
    for (const auto& [place, element] : _own)
      count += is_known[place] && !(*element == expected[place]) ? 1 : 0;
    _team.barrier();
    return count;
  }

 private:
  dash::Team& _team;
  std::mt19937 _random;
  std::vector<std::pair<std::size_t, T*>> _own;  // the caller's elements, by their global indices
  std::vector<std::size_t> _positions;           // global indices of the range's elements
  std::size_t _size;
  std::vector<T> _all;
};

template <class Policy, class It, class T>
void check_sorting(const Policy& policy, const It& first, const It& last, OrderModel<T>& model) {
  for (const auto before : {&is_less<T>, &is_more<T>}) {
    auto values = model.begin_with();
    dash::sort(policy, first, last, before);
    std::sort(values.begin(), values.end(), before);
    CHECK(model.wrong(values) == 0);
  }
  const auto values = model.begin_with();
  dash::stable_sort(policy, first, last, &key_of<T>);
  CHECK(model.wrong(stable_sorted(values)) == 0);
}

template <class Policy, class It, class T>
void check_grouping(const Policy& policy, const It& first, const It& last, OrderModel<T>& model) {
  auto values = model.begin_with();
  values.erase(std::unique(values.begin(), values.end(), &is_key_same<T>), values.end());
  const auto kept = dash::unique(policy, first, last, &is_key_same<T>);
  CHECK(kept - first == static_cast<index_t>(values.size()));
  CHECK(model.wrong(values) == 0);

  // Both keep the order, including dash::partition.
  values = model.begin_with();
  auto split = dash::stable_partition(policy, first, last, &is_low<T>) - first;
  CHECK(split == std::count_if(values.begin(), values.end(), &is_low<T>));
  CHECK(model.wrong(stable_parted(values)) == 0);
  values = model.begin_with();
  split = dash::partition(policy, first, last, &is_low<T>) - first;
  CHECK(split == std::count_if(values.begin(), values.end(), &is_low<T>));
  CHECK(model.wrong(stable_parted(values)) == 0);
}

template <class Policy, class It, class T>
void check_nth_element(const Policy& policy, const It& first, const It& last,
                       OrderModel<T>& model) {
  for (const auto before : {&is_less<T>, &is_more<T>}) {
    auto values = model.begin_with();
    if (values.empty()) {
      CHECK_FALSE(dash::nth_element(policy, first, first, last, before).has_value());
      continue;
    }
    const index_t nth = model.random_up_to(last - first - 1);
    const auto value = dash::nth_element(policy, first, first + nth, last, before);
    std::vector<T> found = values;
    dash::copy(first, last, found.data());
    CHECK(model.wrong(found) == 0);
    std::nth_element(values.begin(), values.begin() + nth, values.end(), before);
    REQUIRE(value.has_value());
    CHECK(*value == values[static_cast<std::size_t>(nth)]);
    CHECK(*value == found[static_cast<std::size_t>(nth)]);
    // All elements are distinct, so the sets of elements before and after nth equal those of
    // std::nth_element.
    for (auto* const partitioned : {&values, &found}) {
      std::sort(partitioned->begin(), partitioned->begin() + nth);
      std::sort(partitioned->begin() + nth, partitioned->end());
    }
    CHECK(found == values);
  }
}

template <class Policy, class It, class T>
void check_histogram(const Policy& policy, const It& first, const It& last, OrderModel<T>& model) {
  const auto values = model.begin_with();
  const auto in_bins = [&](const auto& is_in) {
    std::vector<std::size_t> counts;
    for (int bin = 0; bin < 5; ++bin)
      counts.push_back(static_cast<std::size_t>(std::count_if(
          values.begin(), values.end(), [&](const T& value) { return is_in(bin, value); })));
    return counts;
  };
  CHECK(dash::histogram(policy, first, last, 5, &key_of<T>) ==
        in_bins([](int bin, const T& value) { return key_of(value) == bin; }));
  std::vector<T> edges;
  for (const int key : {1, 2, 3, 10, 11, 300})
    edges.push_back(element_of<T>(key, 0));
  const auto is_between = [&](int bin, const T& value) {
    const auto edge = edges.begin() + bin;
    return *edge <= value && value < *(edge + 1);
  };
  CHECK(dash::histogram(policy, first, last, edges) == in_bins(is_between));
  if constexpr (std::is_arithmetic_v<T>) {
    edges = {2, 4, 6, 8, 10, 12};
    CHECK(dash::histogram(policy, first, last, 5, 2, 12) == in_bins(is_between));
  }
  CHECK(model.wrong(values) == 0);
}

/// Runs all checks on a range of a container.
/// \param seed  the same on all units of the container's team
template <class Policy, class Container, class It>
void check_order(const Policy& policy, Container& container, const It& first, const It& last,
                 unsigned seed) {
  INFO(last - first << " of " << container.size() << " elements, seed " << seed);
  OrderModel<typename It::value_type> model(container, first, last, seed);
  check_sorting(policy, first, last, model);
  check_grouping(policy, first, last, model);
  check_nth_element(policy, first, last, model);
  check_histogram(policy, first, last, model);
}
