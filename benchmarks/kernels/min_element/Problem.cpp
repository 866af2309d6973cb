#include "Problem.h"

#include <algorithm>

namespace min_element {

Value element(const Problem& problem, std::size_t index) {
  const std::size_t place = problem.place();
  if (index == place || (index > place && index + 1 == problem.elements()))
    return problem.minimum();
  return static_cast<Value>((static_cast<std::uint32_t>(index) * 2654435761U) >> 1);
}

void fill(const Problem& problem, std::size_t first, std::span<Value> elements) {
  for (Value& value : elements)
    value = element(problem, first++);
}

Minimum minimum_of(std::span<const Value> elements, std::size_t first) {
  // The place is looked for only in the piece that has the minimum, so that the loop over a piece has
  // no place to keep.
  constexpr std::size_t piece = 4096;
  Minimum minimum = none;
  std::size_t begin_of_minimum = 0;
  for (std::size_t begin = 0; begin < elements.size(); begin += piece) {
    const auto part = elements.subspan(begin, std::min(piece, elements.size() - begin));
    Value least = part.front();
    for (const Value value : part)
      least = std::min(least, value);
    if (least < minimum.value || begin == 0) {
      minimum.value = least;
      begin_of_minimum = begin;
    }
  }
  if (elements.empty()) return none;
  const auto found = std::find(elements.begin() + static_cast<std::ptrdiff_t>(begin_of_minimum),
                               elements.end(), minimum.value);
  minimum.place = first + static_cast<std::size_t>(found - elements.begin());
  return minimum;
}

std::uint64_t sum_of(std::span<const Value> elements) {
  std::uint64_t sum = 0;
  constexpr std::size_t piece = 4096;
  for (std::size_t begin = 0; begin < elements.size(); begin += piece) {
    // 32 bits are enough for what is added up: the bits above are added by themselves.
    std::uint32_t of_piece = 0;
    for (const Value value : elements.subspan(begin, std::min(piece, elements.size() - begin)))
      of_piece += static_cast<std::uint32_t>(value);
    sum += of_piece;
  }
  return sum;
}

}  // namespace min_element
