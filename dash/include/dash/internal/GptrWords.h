#pragma once

#include <bit>
#include <cstdint>
#include <cstring>

#include "dash/dart/if/dart_globmem.h"

namespace dash::internal {

/// A global pointer as two words, which the compiler keeps in registers. A field of bits that is set
/// goes through memory, and the load of the whole then waits until all stores before it are done.
struct GptrWords {
  std::uint64_t place = 0;  ///< unit in the lowest 24 bits, flags, segment, team
  std::uint64_t offset = 0;

  constexpr GptrWords() noexcept = default;
  constexpr GptrWords(std::uint64_t its_place, std::uint64_t its_offset) noexcept
      : place(its_place), offset(its_offset) {}
  explicit GptrWords(const dart_gptr_t& gptr) noexcept { std::memcpy(this, &gptr, sizeof gptr); }

  void set_unit(std::int32_t unit) noexcept {
    constexpr std::uint64_t unit_bits = (1U << 24) - 1;
    place = (place & ~unit_bits) | (static_cast<std::uint64_t>(unit) & unit_bits);
  }
  dart_gptr_t gptr() const noexcept { return std::bit_cast<dart_gptr_t>(*this); }
};
static_assert(sizeof(GptrWords) == sizeof(dart_gptr_t));

}  // namespace dash::internal
