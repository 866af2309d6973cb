#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <vector>

namespace dash::dart {

/// Ids 1 ... 32767 of teams or segments. Serial numbers map to the ids cyclically, so that all
/// units use the least recently used free id first, except for ids that are recycled.
/// \threads externally synchronized
class IdPool {
 public:
  static constexpr std::uint64_t num_ids = std::numeric_limits<std::int16_t>::max();
  static constexpr std::uint64_t none = std::numeric_limits<std::uint64_t>::max();

  static std::int16_t id_of(std::uint64_t serial) noexcept {
    return static_cast<std::int16_t>(1 + serial % num_ids);
  }

  IdPool() { _recycled.reserve(max_recycled); }

  /// The first serial number from `at_least` on whose id is free.
  std::uint64_t find(std::uint64_t at_least) const noexcept {
    const std::uint64_t begin = at_least < _next ? _next : at_least;
    for (std::uint64_t serial = begin; serial < begin + num_ids; ++serial) {
      if (!is_used(id_of(serial))) return serial;
    }
    return none;
  }
  /// A serial number of the id that was recycled last, otherwise find(0).
  std::uint64_t find_recycled() noexcept {
    while (!_recycled.empty() && is_used(_recycled.back()))
      _recycled.pop_back();
    return _recycled.empty() ? find(0) : static_cast<std::uint64_t>(_recycled.back() - 1);
  }

  bool is_used(std::int16_t id) const noexcept { return _used[index(id)]; }
  /// Distinguishes the next use of an id from earlier ones, up to 255 of them: 1 to 255.
  std::uint8_t next_generation(std::int16_t id) const noexcept {
    return static_cast<std::uint8_t>(_generations[index(id)] % 255 + 1);
  }

  void take(std::uint64_t serial, std::uint8_t generation = 0) noexcept {
    _used[index(id_of(serial))] = true;
    _generations[index(id_of(serial))] = generation;
    _next = std::max(_next, serial + 1);
  }
  void release(std::int16_t id) noexcept { _used[index(id)] = false; }
  /// Releases an id that find_recycled() may return next.
  void recycle(std::int16_t id) noexcept {
    release(id);
    if (_recycled.size() == max_recycled) forget_recycled();
    _recycled.push_back(id);  // within the capacity
  }
  /// The recycled ids become the most recently used ones.
  void forget_recycled() noexcept { _recycled.clear(); }

 private:
  static constexpr std::size_t max_recycled = 1024;

  static std::size_t index(std::int16_t id) noexcept { return static_cast<std::size_t>(id); }

  std::vector<bool> _used = std::vector<bool>(num_ids + 1);
  std::vector<std::uint8_t> _generations =
      std::vector<std::uint8_t>(num_ids + 1);  // of the last use
  std::vector<std::int16_t> _recycled;         // some of them may be used again
  std::uint64_t _next = 0;
};

}  // namespace dash::dart
