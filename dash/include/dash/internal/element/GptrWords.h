#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <type_traits>

#include "dash/dart/Access.h"
#include "dash/dart/if/dart_globmem.h"

namespace dash::internal {

/// A global pointer as two words, which the compiler keeps in registers. A field of bits that is set
/// goes through memory, and the load of the whole then waits until all stores before it are done.
struct GptrWords {
  /// Unit in the lowest 24 bits, flags in 8, then segment and team in 16 each.
  std::uint64_t place = 0;
  std::uint64_t offset = 0;

  constexpr GptrWords() noexcept = default;
  constexpr GptrWords(std::uint64_t its_place, std::uint64_t its_offset) noexcept
      : place(its_place), offset(its_offset) {}
  explicit constexpr GptrWords(const dart_gptr_t& gptr) noexcept {
    if (std::is_constant_evaluated()) {
      place = static_cast<std::uint16_t>(gptr.teamid);
      place = (place << 16) | static_cast<std::uint16_t>(gptr.segid);
      place = (place << 8) | gptr.flags;
      place = (place << 24) | (static_cast<std::uint64_t>(gptr.unitid) & unit_bits);
      offset = gptr.addr_or_offs.offset;
    } else {
      std::memcpy(this, &gptr, sizeof gptr);
    }
  }

  constexpr std::int32_t unit() const noexcept {
    return static_cast<std::int32_t>(static_cast<std::uint32_t>(place) << 8) >> 8;
  }
  constexpr std::int16_t segment() const noexcept { return static_cast<std::int16_t>(place >> 32); }
  constexpr std::int16_t team() const noexcept { return static_cast<std::int16_t>(place >> 48); }
  constexpr bool is_null() const noexcept {
    return unit() < 0 && segment() == DART_SEGMENT_LOCAL && team() == DART_TEAM_NULL && offset == 0;
  }

  constexpr void set_unit(std::int32_t unit) noexcept {
    place = (place & ~unit_bits) | (static_cast<std::uint64_t>(unit) & unit_bits);
  }
  constexpr dart_gptr_t gptr() const noexcept {
    if (!std::is_constant_evaluated()) return std::bit_cast<dart_gptr_t>(*this);
    return {unit(), static_cast<unsigned>(place >> 24) & 0xFF, segment(), team(), {offset}};
  }

  /// The flags of the user's do not count.
  friend constexpr bool operator==(GptrWords a, GptrWords b) noexcept {
    return ((a.place ^ b.place) & ~flag_bits) == 0 && a.offset == b.offset;
  }

 private:
  static constexpr std::uint64_t unit_bits = (1U << 24) - 1;
  static constexpr std::uint64_t flag_bits = std::uint64_t{0xFF} << 24;
};
static_assert(sizeof(GptrWords) == sizeof(dart_gptr_t));

/// dart::uncounted_address() of what the words name.
inline void* uncounted_address(GptrWords words, std::size_t nbytes) noexcept {
  const auto& segment = dart::segment_table[static_cast<std::uint16_t>(words.segment())];
  if (!dart::has_bytes(segment, words.unit(), words.offset, nbytes)) return nullptr;
  return dart::uncounted_address(segment, words.team(), words.unit(), words.offset);
}

}  // namespace dash::internal
