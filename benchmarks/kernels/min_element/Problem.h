#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

namespace min_element {

using Value = int;

/// Elements of a distributed array: random ones, but for the minimum at one place and again behind it.
struct Problem {
  int log_elements = 24;
  std::size_t moves = 0;  ///< of the minimum to another place

  std::size_t elements() const { return std::size_t{1} << log_elements; }
  /// Where the minimum is first.
  std::size_t place() const {
    return (elements() / 8 * 5 + elements() / 16 + moves * (elements() / 4 + 1)) % elements();
  }
  Value minimum() const { return -log_elements; }
};

/// The element of an index: 0 or more, or the minimum.
Value element(const Problem& problem, std::size_t index);

/// Sets elements. \param first  index of the first of them
void fill(const Problem& problem, std::size_t first, std::span<Value> elements);

struct Minimum {
  Value value;
  std::uint64_t place;

  bool operator==(const Minimum&) const = default;
};

/// What is less, or as small and before.
constexpr bool is_before(const Minimum& a, const Minimum& b) {
  return a.value < b.value || (a.value == b.value && a.place < b.place);
}

/// What comes of no elements: behind all others.
inline constexpr Minimum none{INT32_MAX, UINT64_MAX};

/// The first minimum of a part. \param first  index of its first element
Minimum minimum_of(std::span<const Value> elements, std::size_t first);

/// A plain loop over the elements: their sum, modulo 2^64.
std::uint64_t sum_of(std::span<const Value> elements);

}  // namespace min_element
