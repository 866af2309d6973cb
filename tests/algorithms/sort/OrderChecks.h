#pragma once

#include <algorithm>
#include <atomic>
#include <catch2/catch.hpp>
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

/// \file
/// What brings the elements of a range in an order, and counts them, against the twins of the standard
/// library. No element is equal to another one, so that it shows which of those with one key is where.

/// Of over-aligned memory, and not made from nothing.
struct alignas(32) Wide {
  Wide(int of_key, int of_number) : key(of_key), number(of_number) {}
  int key;
  int number;
  friend auto operator<=>(const Wide&, const Wide&) = default;

  /// Of all that the functions below have seen, those that are not where they may be.
  static inline std::atomic<int> misplaced = 0;
  void look() const {
    const void* volatile address = this;  // of which the compiler knows nothing
    if (reinterpret_cast<std::uintptr_t>(address) % alignof(Wide) != 0) ++misplaced;
  }
};

/// \param number  of the element, less than 2^16
template <class T>
T element_of(int key, int number) {
  if constexpr (std::is_same_v<T, double>) {
    return key + number * 30011 % 65536 / 65536.0;  // no two are the same, as the factor is odd
  } else if constexpr (std::is_same_v<T, Sample>) {
    return {key, {static_cast<short>(number / 256), static_cast<short>(number % 256), 7}};
  } else {
    return T(key, number);
  }
}

// Functions and no types of their own: each algorithm is compiled once for a kind of range.
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

/// As by std::stable_sort, which has no regard for the alignment of elements.
template <class T>
std::vector<T> stable_sorted(const std::vector<T>& values) {
  std::list<T> sorted(values.begin(), values.end());
  sorted.sort(&is_key_less<T>);
  return {sorted.begin(), sorted.end()};
}
/// As by std::stable_partition, which neither has.
template <class T>
std::vector<T> stable_parted(const std::vector<T>& values) {
  std::vector<T> parted;
  std::copy_if(values.begin(), values.end(), std::back_inserter(parted), &is_low<T>);
  std::remove_copy_if(values.begin(), values.end(), std::back_inserter(parted), &is_low<T>);
  return parted;
}

/// What the elements of a container are to be, of which a range has some.
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
      _places.push_back(static_cast<std::size_t>(of_range.gpos()));
    _size = container.size();
  }

  long random_up_to(long last) { return std::uniform_int_distribution<long>(0, last)(_random); }

  /// New values for all elements. \returns those of the range
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
    for (const std::size_t place : _places)
      values.push_back(_all[place]);
    return values;
  }

  /// How many of the caller's elements are not what they should be.
  /// \param values  those at the begin of the range; of those behind them nothing is known, and what
  ///                is not in the range is as it was
  /// \collective over the container's team
  int wrong(const std::vector<T>& values) {
    std::vector<T> expected = _all;
    std::vector<bool> is_known(_size, true);
    for (std::size_t i = 0; i < _places.size(); ++i) {
      if (i < values.size()) {
        expected[_places[i]] = values[i];
      } else {
        is_known[_places[i]] = false;
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
  std::vector<std::size_t> _places;              // global indices of the range's elements
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

  // Both keep the order, dash::partition as well.
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
    // There are no equal ones: what is in front of it, and what behind, are the same as std's.
    for (auto* const parted : {&values, &found}) {
      std::sort(parted->begin(), parted->begin() + nth);
      std::sort(parted->begin() + nth, parted->end());
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

/// All of them on a range of a container.
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
