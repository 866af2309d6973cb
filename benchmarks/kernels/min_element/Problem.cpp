#include "Problem.h"

#include <algorithm>

namespace min_element {

Value element(const Problem& problem, std::size_t index) {
  const std::size_t minimum = problem.minimum_index();
  if (index == minimum || (index > minimum && index + 1 == problem.elements()))
    return problem.minimum();
  return static_cast<Value>((static_cast<std::uint32_t>(index) * 2654435761U) >> 1);
}

void fill(const Problem& problem, std::size_t first, std::span<Value> elements) {
  for (Value& value : elements)
    value = element(problem, first++);
}

Minimum minimum_of(std::span<const Value> elements, std::size_t first) {
  // Find the chunk with the minimum first, and the index within that chunk afterwards: the loop
  // over all elements then computes only values and vectorizes better.
  constexpr std::size_t chunk_size = 4096;
  Minimum minimum = none;
  std::size_t begin_of_minimum = 0;
  for (std::size_t begin = 0; begin < elements.size(); begin += chunk_size) {
    const auto part = elements.subspan(begin, std::min(chunk_size, elements.size() - begin));
    Value smallest = part.front();
    for (const Value value : part)
      smallest = std::min(smallest, value);
    if (smallest < minimum.value || begin == 0) {
      minimum.value = smallest;
      begin_of_minimum = begin;
    }
  }
  if (elements.empty()) return none;
  const auto found = std::find(elements.begin() + static_cast<std::ptrdiff_t>(begin_of_minimum),
                               elements.end(), minimum.value);
  minimum.index = first + static_cast<std::size_t>(found - elements.begin());
  return minimum;
}

std::uint64_t sum_of(std::span<const Value> elements) {
  std::uint64_t sum = 0;
  constexpr std::size_t chunk_size = 4096;
  for (std::size_t begin = 0; begin < elements.size(); begin += chunk_size) {
    // Sum a chunk modulo 2^32, which vectorizes better, and the sums of chunks modulo 2^64.
    std::uint32_t chunk_sum = 0;
    for (const Value value : elements.subspan(begin, std::min(chunk_size, elements.size() - begin)))
      chunk_sum += static_cast<std::uint32_t>(value);
    sum += chunk_sum;
  }
  return sum;
}

}  // namespace min_element
