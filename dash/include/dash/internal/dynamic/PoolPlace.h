#pragma once

#include <cstddef>
#include <cstdint>

#include "dash/dart/Access.h"
#include "dash/dart/if/dart_globmem.h"

namespace dash::internal {

/// Memory that a unit has allocated by itself (dart_memalloc), named in one word, so that one atomic
/// operation replaces the name. It goes with a number below 64, mostly the logarithm of its size.
class PoolPlace {
 public:
  /// Names nothing.
  constexpr PoolPlace() noexcept = default;
  explicit constexpr PoolPlace(std::uint64_t word) noexcept : _word(word) {}
  PoolPlace(const dart_gptr_t& gptr, unsigned number) noexcept
      : _word((gptr.addr_or_offs.offset / granule + 1) << 30 |
              static_cast<std::uint64_t>(gptr.unitid) << 6 | number) {}

  constexpr std::uint64_t word() const noexcept { return _word; }
  explicit constexpr operator bool() const noexcept { return _word != 0; }
  friend constexpr bool operator==(PoolPlace a, PoolPlace b) noexcept = default;

  constexpr unsigned number() const noexcept { return static_cast<unsigned>(_word & 63); }
  /// The unit that has allocated it, by its global id.
  constexpr int unit() const noexcept { return static_cast<int>(_word >> 6 & 0xffffff); }

  /// \pre names something; the unit is on the caller's node
  char* address() const noexcept {
    const dart::Segment& pool = dart::segment_table[DART_SEGMENT_LOCAL];
    return pool.base + static_cast<std::uint64_t>(pool.slots[unit()]) * pool.stride + offset();
  }
  /// Byte `nbytes` of it.
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

  std::uint64_t _word = 0;  // offset in granules plus one, 34 bits; unit, 24; number, 6
};

}  // namespace dash::internal
