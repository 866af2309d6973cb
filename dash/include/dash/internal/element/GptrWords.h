#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <type_traits>

#include "dash/dart/Access.h"
#include "dash/dart/if/dart_globmem.h"

namespace dash::internal {

/// A global pointer as two words, which the compiler can keep in registers. Setting a bit field of
/// dart_gptr_t would write to memory, and loading the complete pointer would then stall until the
/// store is done.
struct GptrWords {
  /// Ids: the unit in the lowest 24 bits, flags in 8 bits, then segment and team in 16 bits each.
  std::uint64_t ids = 0;
  std::uint64_t offset = 0;

  constexpr GptrWords() noexcept = default;
  constexpr GptrWords(std::uint64_t new_ids, std::uint64_t new_offset) noexcept
      : ids(new_ids), offset(new_offset) {}
  explicit constexpr GptrWords(const dart_gptr_t& gptr) noexcept {
    if (std::is_constant_evaluated()) {
      ids = static_cast<std::uint16_t>(gptr.teamid);
      ids = (ids << 16) | static_cast<std::uint16_t>(gptr.segid);
      ids = (ids << 8) | gptr.flags;
      ids = (ids << 24) | (static_cast<std::uint64_t>(gptr.unitid) & unit_bits);
      offset = gptr.addr_or_offs.offset;
    } else {
      std::memcpy(this, &gptr, sizeof gptr);
    }
  }

  constexpr std::int32_t unit() const noexcept {
    return static_cast<std::int32_t>(static_cast<std::uint32_t>(ids) << 8) >> 8;
  }
  constexpr std::int16_t segment() const noexcept { return static_cast<std::int16_t>(ids >> 32); }
  constexpr std::int16_t team() const noexcept { return static_cast<std::int16_t>(ids >> 48); }
  constexpr bool is_null() const noexcept {
    return unit() < 0 && segment() == DART_SEGMENT_LOCAL && team() == DART_TEAM_NULL && offset == 0;
  }

  constexpr void set_unit(std::int32_t unit) noexcept {
    ids = (ids & ~unit_bits) | (static_cast<std::uint64_t>(unit) & unit_bits);
  }
  constexpr dart_gptr_t gptr() const noexcept {
    if (!std::is_constant_evaluated()) return std::bit_cast<dart_gptr_t>(*this);
    return {unit(), static_cast<unsigned>(ids >> 24) & 0xFF, segment(), team(), {offset}};
  }

  constexpr std::uint8_t flags() const noexcept { return static_cast<std::uint8_t>(ids >> 24); }

  /// Ignores the flags.
  friend constexpr bool operator==(GptrWords a, GptrWords b) noexcept {
    return ((a.ids ^ b.ids) & ~flag_bits) == 0 && a.offset == b.offset;
  }

 private:
  static constexpr std::uint64_t unit_bits = (1U << 24) - 1;
  static constexpr std::uint64_t flag_bits = std::uint64_t{0xFF} << 24;
};
static_assert(sizeof(GptrWords) == sizeof(dart_gptr_t));

/// dart::uncounted_address() of the memory that the words refer to.
inline void* uncounted_address(GptrWords words, std::size_t nbytes) noexcept {
  const auto& segment = dart::segment_table[static_cast<std::uint16_t>(words.segment())];
  if (!dart::is_current(segment, words.flags()) ||
      !dart::has_bytes(segment, words.unit(), words.offset, nbytes)) {
    return nullptr;
  }
  return dart::uncounted_address(segment, words.team(), words.unit(), words.offset);
}

}  // namespace dash::internal
