#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

namespace min_element {

using Value = int;

/// The elements of a distributed array: random numbers, and the minimum at one index and again at
/// the last one.
struct Problem {
  int log_elements = 24;
  std::size_t moves = 0;  ///< how often the minimum has been moved to another index

  std::size_t elements() const { return std::size_t{1} << log_elements; }
  /// The index of the first minimum.
  std::size_t minimum_index() const {
    return (elements() / 8 * 5 + elements() / 16 + moves * (elements() / 4 + 1)) % elements();
  }
  Value minimum() const { return -log_elements; }
};

/// The element at an index: the minimum, or a number that is not negative.
Value element(const Problem& problem, std::size_t index);

/// Sets elements to those of the problem. \param first  index of elements.front()
void fill(const Problem& problem, std::size_t first, std::span<Value> elements);

struct Minimum {
  Value value;
  std::uint64_t index;

  bool operator==(const Minimum&) const = default;
};

/// Whether a is less, or equal with a smaller index.
constexpr bool is_before(const Minimum& a, const Minimum& b) {
  return a.value < b.value || (a.value == b.value && a.index < b.index);
}

/// The minimum of an empty range; all other minima are before it.
inline constexpr Minimum none{INT32_MAX, UINT64_MAX};

/// The first minimum of a range of elements. \param first  index of elements.front()
Minimum minimum_of(std::span<const Value> elements, std::size_t first);

/// A simple loop that reads the elements. \returns a checksum of them
std::uint64_t sum_of(std::span<const Value> elements);

}  // namespace min_element
