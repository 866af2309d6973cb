#pragma once

/// \file
/// Comparison of a global range with a vector that models it.

#include <cstddef>
#include <random>
#include <utility>
#include <vector>

#include "dash/Array.h"
#include "dash/Team.h"
#include "dash/Types.h"
#include "dash/algorithm/Copy.h"

namespace dash::test {

/// Stores the elements of a model in a range; each unit stores its local elements.
template <class GlobIt, class T>
void store(const GlobIt& first, const std::vector<T>& model) {
  for (std::size_t i = 0; i < model.size(); ++i) {
    const auto it = first + static_cast<dash::default_index_t>(i);
    if (it.is_local()) *it.local() = model[i];
  }
  first.team().barrier();
}

/// Number of the caller's elements of a range that differ from the model.
template <class GlobIt, class T>
int differing(const GlobIt& first, const std::vector<T>& model) {
  int count = 0;
  for (std::size_t i = 0; i < model.size(); ++i) {
    const auto it = first + static_cast<dash::default_index_t>(i);
    if (it.is_local() && !(*it.local() == model[i])) ++count;
  }
  first.team().barrier();
  return count;
}

/// Returns all elements of a range on each unit.
template <class GlobIt>
auto elements_of(const GlobIt& first, const GlobIt& last) {
  std::vector<typename GlobIt::value_type> elements(static_cast<std::size_t>(last - first));
  dash::copy(first, last, elements.data());
  first.team().barrier();
  return elements;
}

inline std::vector<int> random_values(std::size_t size, int most, std::mt19937& random) {
  std::vector<int> values(size);
  for (int& value : values)
    value = std::uniform_int_distribution<int>(-most, most)(random);
  return values;
}

/// Calls fn(array, begin, end) for arrays with the elements of the model, for all kinds of distributions and
/// several subranges.
template <class Fn>
void for_each_range(const std::vector<int>& model, Fn fn) {
  const auto size = static_cast<dash::default_index_t>(model.size());
  for (const auto& distribution : {dash::BLOCKED, dash::CYCLIC, dash::BLOCKCYCLIC(40)}) {
    dash::Array<int> array(model.size(), distribution);
    for (const auto& [begin, end] :
         std::vector<std::pair<dash::default_index_t, dash::default_index_t>>{
             {0, size}, {13, size - 600}, {size - 1, size}, {77, 99}, {500, 500}, {1, size - 1}}) {
      store(array.begin(), model);
      fn(array, begin, end);
    }
  }
}

}  // namespace dash::test
