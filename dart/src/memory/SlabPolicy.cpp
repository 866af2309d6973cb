#include "memory/SlabPolicy.h"

#include <algorithm>

namespace dash::dart {

namespace {

/// The slabs may have this size even if less memory is allocated.
constexpr std::uint64_t smallest_limit = 128 * 1024 * 1024;
constexpr std::uint64_t times_used = 3;
/// A slab has at least this part of all others, so that their number is logarithmic in the memory.
constexpr std::uint64_t smallest_part = 8;

}  // namespace

std::uint64_t SlabPolicy::limit(std::uint64_t peak) noexcept {
  return std::max(smallest_limit, times_used * peak);
}

bool SlabPolicy::has_surplus(std::uint64_t in_use) const noexcept {
  return nbytes > std::max(kept_bytes, times_used * in_use);
}

bool SlabPolicy::must_shrink(std::uint64_t needed, std::uint64_t peak) const noexcept {
  return num_slabs >= max_slabs || nbytes > kept_bytes ||
         nbytes + std::max(nbytes, needed) > limit(peak);
}

std::optional<SlabPolicy::NextSlab> SlabPolicy::next(std::uint64_t needed, std::uint64_t peak,
                                                     std::uint64_t page) const noexcept {
  if (num_slabs >= max_slabs) return std::nullopt;
  const std::uint64_t unused_limit = limit(peak) - std::min(limit(peak), nbytes);
  const std::uint64_t part = nbytes / smallest_part;
  const std::uint64_t least = std::max(needed, part - part % page);
  const std::uint64_t doubled = std::min(nbytes, unused_limit);
  return NextSlab{std::max(least, doubled - doubled % page), least};
}

}  // namespace dash::dart
