#pragma once

#include <algorithm>
#include <cstddef>
#include <functional>
#include <iterator>
#include <numeric>
#include <utility>
#include <vector>

#include "algorithms/call/RangeModel.h"
#include "dash/algorithm/CopyIf.h"
#include "dash/algorithm/Count.h"
#include "dash/algorithm/Equal.h"
#include "dash/algorithm/Find.h"
#include "dash/algorithm/Histogram.h"
#include "dash/algorithm/IsSorted.h"
#include "dash/algorithm/MinMaxElement.h"
#include "dash/algorithm/Mismatch.h"
#include "dash/algorithm/NthElement.h"
#include "dash/algorithm/Partition.h"
#include "dash/algorithm/Reduce.h"
#include "dash/algorithm/Scan.h"
#include "dash/algorithm/Sort.h"
#include "dash/algorithm/Transform.h"
#include "dash/algorithm/TransformReduce.h"
#include "dash/algorithm/Unique.h"
#include "support/Catch.h"

/// \file
/// Checks all kinds of algorithms on one range against the standard library, for patterns and
/// element types that the tests of the single algorithms do not cover.

struct Key {
  long operator()(double value) const { return static_cast<long>(value); }
  long operator()(const Sample& sample) const { return sample.key; }
};
struct Add {
  double operator()(double a, double b) const { return a + b; }
  Sample operator()(const Sample& a, const Sample& b) const {
    Sample sum{a.key + b.key, {}};
    for (int i = 0; i < 3; ++i)
      sum.weights[i] = static_cast<short>(a.weights[i] + b.weights[i]);
    return sum;
  }
};
struct IsMore {
  template <class T>
  bool operator()(const T& value) const {
    return Key()(value) > 40;
  }
};

/// Checks algorithms that do not modify the range.
/// \param other  a range of the same type, at least as long
template <class In, class Other>
void check_looking(const In& first, const In& last, const Other& other) {
  using T = typename In::value_type;
  const auto model = samples<T>(static_cast<std::size_t>(last - first));
  const auto begin = model.begin();
  const auto end = model.end();
  assign(first, model);
  const T wanted = sample_of<T>(7);
  CHECK(dash::find(first, last, wanted) - first == std::find(begin, end, wanted) - begin);
  CHECK(dash::count_if(first, last, IsMore()) == std::count_if(begin, end, IsMore()));
  CHECK(dash::reduce(first, last, wanted, Add()) == std::accumulate(begin, end, wanted, Add()));
  CHECK(dash::transform_reduce(first, last, 3L, std::plus<>(), Key()) ==
        std::transform_reduce(begin, end, 3L, std::plus<>(), Key()));
  const auto found = dash::minmax_element(first, last);
  const auto [min, max] = std::minmax_element(begin, end);
  CHECK(found.first - first == min - begin);
  CHECK(found.second - first == max - begin);
  CHECK(dash::histogram(first, last, 61, Key())[7] ==
        static_cast<std::size_t>(std::count(begin, end, wanted)));
  for (const bool change : {false, true}) {
    auto changed = model;
    if (change && !model.empty())
      changed[static_cast<std::size_t>(random_up_to(last - first - 1))] = sample_of<T>(100);
    const Other other_last = other + (last - first);
    assign(other, changed);
    CHECK(dash::equal(first, last, other, other_last) == (model == changed));
    CHECK(dash::mismatch(first, last, other, other_last).first - first ==
          std::mismatch(begin, end, changed.begin()).first - begin);
    CHECK(dash::lexicographical_compare(first, last, other, other_last) == (model < changed));
    first.team().barrier();
  }
}

/// Checks algorithms that copy or transform elements from one range to another.
template <class In, class Out>
void check_copies(const In& first, const In& last, const Out& out) {
  using T = typename In::value_type;
  const auto model = samples<T>(static_cast<std::size_t>(last - first));
  const Out out_last = out + (last - first);
  std::vector<T> expected(model.size());
  const auto twice = [](const T& value) { return Add()(value, value); };
  assign(first, model);
  dash::transform(first, last, out, twice);
  std::transform(model.begin(), model.end(), expected.begin(), twice);
  CHECK(values_of(out, out_last) == expected);

  std::vector<T> chosen;
  std::copy_if(model.begin(), model.end(), std::back_inserter(chosen), IsMore());
  const Out chosen_last = dash::copy_if(first, last, out, IsMore());
  REQUIRE(chosen_last - out == static_cast<index_t>(chosen.size()));
  CHECK(values_of(out, chosen_last) == chosen);
}

/// Checks algorithms that write results for one range to another.
template <class In, class Out>
void check_sums(const In& first, const In& last, const Out& out) {
  using T = typename In::value_type;
  const auto model = samples<T>(static_cast<std::size_t>(last - first));
  auto expected = samples<T>(model.size());
  const Out out_last = out + (last - first);
  assign(first, model);
  assign(out, expected);
  dash::transform(first, last, out, out, Add());
  std::transform(model.begin(), model.end(), expected.begin(), expected.begin(), Add());
  CHECK(values_of(out, out_last) == expected);

  dash::inclusive_scan(first, last, out, Add());
  std::inclusive_scan(model.begin(), model.end(), expected.begin(), Add());
  CHECK(values_of(out, out_last) == expected);
}

/// Checks algorithms that modify the range in place.
template <class It>
void check_ordering(const It& first, const It& last) {
  using T = typename It::value_type;
  const auto values = samples<T>(static_cast<std::size_t>(last - first));
  const auto begin_with = [&] {
    assign(first, values);
    return values;
  };
  std::vector<T> model = begin_with();
  dash::exclusive_scan(first, last, first, sample_of<T>(3), Add());
  std::exclusive_scan(values.begin(), values.end(), model.begin(), sample_of<T>(3), Add());
  CHECK(differing(first, model) == 0);

  model = begin_with();
  const auto split = std::stable_partition(model.begin(), model.end(), IsMore());
  CHECK(dash::stable_partition(first, last, IsMore()) - first == split - model.begin());
  CHECK(differing(first, model) == 0);

  model = begin_with();
  dash::sort(first, last);
  std::sort(model.begin(), model.end());
  CHECK(differing(first, model) == 0);
  model = begin_with();
  dash::stable_sort(first, last, [](const T& value) { return IsMore()(value); });
  std::stable_sort(model.begin(), model.end(),
                   [](const T& a, const T& b) { return IsMore()(a) < IsMore()(b); });
  CHECK(differing(first, model) == 0);

  if (!values.empty()) {
    model = begin_with();
    std::sort(model.begin(), model.end());
    const index_t nth = random_up_to(last - first - 1);
    const auto found = dash::nth_element(first, first + nth, last);
    CHECK(found.value() == model[static_cast<std::size_t>(nth)]);
    auto partitioned = values_of(first, last);
    CHECK(partitioned[static_cast<std::size_t>(nth)] == found.value());
    std::sort(partitioned.begin(), partitioned.end());
    CHECK(partitioned == model);
  }
  model = begin_with();
  std::sort(model.begin(), model.end());
  CHECK(dash::is_sorted(first, last) == (values == model));
  assign(first, model);
  CHECK(dash::is_sorted(first, last));
  model.erase(std::unique(model.begin(), model.end()), model.end());
  CHECK(dash::unique(first, last) - first == static_cast<index_t>(model.size()));
  CHECK(differing(first, model) == 0);
}

/// Runs all checks on a container, and on a part of it.
template <class Container>
void check_all(Container& container) {
  dash::Array<typename Container::value_type> other(container.size() + 9, dash::BLOCKCYCLIC(7));
  const auto size = static_cast<long>(container.size());
  for (const bool whole : {true, false}) {
    const long end = whole ? size : random_up_to(size);
    const long begin = whole ? 0 : random_up_to(end);
    INFO("elements " << begin << " to " << end << " of " << size);
    const auto first = container.begin() + begin;
    const auto last = container.begin() + end;
    check_looking(first, last, other.begin() + 4);
    check_copies(first, last, other.begin() + 4);
    check_copies(other.begin(), other.begin() + (last - first), first);
    check_sums(first, last, other.begin() + 4);
    check_ordering(first, last);
  }
}
