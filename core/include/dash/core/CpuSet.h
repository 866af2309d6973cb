#pragma once

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <string>

#include "dash/core/Export.h"

namespace dash::core {

/// A set of processors, identified by their numbers in the operating system. Trivially copyable and of fixed
/// size, so that it can be sent to other units or stored in shared memory.
/// \threads externally synchronized per object
class CpuSet {
 public:
  static constexpr int capacity = 1024;

  /// Visits the members in ascending order.
  class const_iterator {
   public:
    using iterator_category = std::forward_iterator_tag;
    using value_type = int;
    using difference_type = std::ptrdiff_t;
    using pointer = const int*;
    using reference = int;

    constexpr const_iterator() noexcept = default;
    constexpr const_iterator(const CpuSet* set, int cpu) noexcept : _set(set), _cpu(cpu) {}

    constexpr int operator*() const noexcept { return _cpu; }
    constexpr const_iterator& operator++() noexcept {
      _cpu = _set->next(_cpu);
      return *this;
    }
    constexpr const_iterator operator++(int) noexcept {
      const_iterator old = *this;
      ++*this;
      return old;
    }
    friend constexpr bool operator==(const const_iterator& a, const const_iterator& b) noexcept {
      return a._cpu == b._cpu;
    }

   private:
    const CpuSet* _set = nullptr;
    int _cpu = -1;
  };

  constexpr CpuSet() noexcept = default;

  /// The processors [first, last).
  static constexpr CpuSet range(int first, int last) noexcept {
    CpuSet result;
    for (int cpu = first; cpu < last; ++cpu) {
      result.set(cpu);
    }
    return result;
  }

  /// False for numbers outside of [0, capacity).
  constexpr bool test(int cpu) const noexcept {
    return in_range(cpu) && ((_words[word(cpu)] >> bit(cpu)) & 1U) != 0;
  }

  /// \returns false, and changes nothing, if `cpu` is outside of [0, capacity)
  constexpr bool set(int cpu) noexcept {
    if (!in_range(cpu)) {
      return false;
    }
    _words[word(cpu)] |= std::uint64_t{1} << bit(cpu);
    return true;
  }

  constexpr void reset(int cpu) noexcept {
    if (in_range(cpu)) {
      _words[word(cpu)] &= ~(std::uint64_t{1} << bit(cpu));
    }
  }

  constexpr int count() const noexcept {
    int n = 0;
    for (const std::uint64_t w : _words) {
      n += std::popcount(w);
    }
    return n;
  }

  constexpr bool empty() const noexcept { return first() < 0; }

  /// \returns the smallest member, -1 if there is none
  constexpr int first() const noexcept { return next(-1); }

  /// \returns the smallest member above `cpu`, -1 if there is none
  constexpr int next(int cpu) const noexcept {
    const int from = cpu + 1;
    if (!in_range(from)) {
      return -1;
    }
    std::size_t w = word(from);
    std::uint64_t rest = _words[w] & (~std::uint64_t{0} << bit(from));
    while (rest == 0) {
      if (++w == nwords) {
        return -1;
      }
      rest = _words[w];
    }
    return static_cast<int>(w) * 64 + std::countr_zero(rest);
  }

  constexpr const_iterator begin() const noexcept { return {this, first()}; }
  constexpr const_iterator end() const noexcept { return {this, -1}; }

  constexpr CpuSet& operator&=(const CpuSet& other) noexcept {
    for (std::size_t w = 0; w < nwords; ++w) {
      _words[w] &= other._words[w];
    }
    return *this;
  }
  constexpr CpuSet& operator|=(const CpuSet& other) noexcept {
    for (std::size_t w = 0; w < nwords; ++w) {
      _words[w] |= other._words[w];
    }
    return *this;
  }
  friend constexpr CpuSet operator&(CpuSet a, const CpuSet& b) noexcept { return a &= b; }
  friend constexpr CpuSet operator|(CpuSet a, const CpuSet& b) noexcept { return a |= b; }
  /// The processors of `a` that are not in `b`.
  friend constexpr CpuSet operator-(CpuSet a, const CpuSet& b) noexcept {
    for (std::size_t w = 0; w < nwords; ++w) {
      a._words[w] &= ~b._words[w];
    }
    return a;
  }
  friend constexpr bool operator==(const CpuSet&, const CpuSet&) noexcept = default;

  /// List format of taskset and /proc, for example "0-3,8"; "" for the empty set.
  DASH_API std::string to_string() const;

 private:
  static constexpr std::size_t nwords = capacity / 64;
  static constexpr bool in_range(int cpu) noexcept { return cpu >= 0 && cpu < capacity; }
  static constexpr std::size_t word(int cpu) noexcept { return static_cast<std::size_t>(cpu) / 64; }
  static constexpr unsigned bit(int cpu) noexcept { return static_cast<unsigned>(cpu) % 64U; }

  std::array<std::uint64_t, nwords> _words{};
};

}  // namespace dash::core
