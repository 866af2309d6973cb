#pragma once

#include <cstddef>
#include <cstdint>

#include "dash/dart/Access.h"
#include "dash/dart/if/dart_globmem.h"

namespace dash::internal {

/// A pointer to memory that a unit has allocated locally (dart_memalloc), packed in one word so
/// that it can be replaced atomically. Also holds a tag below 64, usually the logarithm of the
/// size.
class PoolPointer {
 public:
  /// The null pointer.
  constexpr PoolPointer() noexcept = default;
  explicit constexpr PoolPointer(std::uint64_t word) noexcept : _word(word) {}
  PoolPointer(const dart_gptr_t& gptr, unsigned tag) noexcept
      : _word((gptr.addr_or_offs.offset / granule + 1) << 30 |
              static_cast<std::uint64_t>(gptr.unitid) << 6 | tag) {}

  constexpr std::uint64_t word() const noexcept { return _word; }
  explicit constexpr operator bool() const noexcept { return _word != 0; }
  friend constexpr bool operator==(PoolPointer a, PoolPointer b) noexcept = default;

  constexpr unsigned tag() const noexcept { return static_cast<unsigned>(_word & 63); }
  /// Global id of the unit that has allocated the memory.
  constexpr int unit() const noexcept { return static_cast<int>(_word >> 6 & 0xffffff); }

  /// \pre not null; the unit is on the caller's node
  char* address() const noexcept {
    const dart::Segment& pool = dart::segment_table[DART_SEGMENT_LOCAL];
    return pool.base + static_cast<std::uint64_t>(pool.slots[unit()]) * pool.stride + offset();
  }
  /// Global pointer to byte `nbytes` of the memory.
  dart_gptr_t gptr(std::uint64_t nbytes = 0) const noexcept {
    dart_gptr_t result = DART_GPTR_NULL;
    result.unitid = unit();
    result.teamid = DART_TEAM_ALL;
    result.addr_or_offs.offset = offset() + nbytes;
    return result;
  }

 private:
  /// The alignment of dart_memalloc.
  static constexpr std::uint64_t granule = 64;
  constexpr std::uint64_t offset() const noexcept { return ((_word >> 30) - 1) * granule; }

  std::uint64_t _word = 0;  // offset in granules plus one, 34 bits; unit, 24; tag, 6
};

}  // namespace dash::internal
