#pragma once

#include <cstdint>
#include <limits>
#include <vector>

namespace dash::dart {

/// Ids 1 ... 32767 of teams or segments. Serial numbers map to the ids cyclically, so that all
/// units reuse the least recently used free id first.
/// \threads externally synchronized
class IdPool {
 public:
  static constexpr std::uint64_t num_ids = std::numeric_limits<std::int16_t>::max();
  static constexpr std::uint64_t none = std::numeric_limits<std::uint64_t>::max();

  static std::int16_t id_of(std::uint64_t serial) noexcept {
    return static_cast<std::int16_t>(1 + serial % num_ids);
  }

  /// The first serial number from `at_least` on whose id is free.
  std::uint64_t find(std::uint64_t at_least) const noexcept {
    const std::uint64_t begin = at_least < _next ? _next : at_least;
    for (std::uint64_t serial = begin; serial < begin + num_ids; ++serial) {
      if (!is_used(id_of(serial))) return serial;
    }
    return none;
  }

  bool is_used(std::int16_t id) const noexcept { return _used[static_cast<std::size_t>(id)]; }

  void take(std::uint64_t serial) noexcept {
    _used[static_cast<std::size_t>(id_of(serial))] = true;
    _next = serial + 1;
  }
  void release(std::int16_t id) noexcept { _used[static_cast<std::size_t>(id)] = false; }

 private:
  std::vector<bool> _used = std::vector<bool>(num_ids + 1);
  std::uint64_t _next = 0;
};

}  // namespace dash::dart
