#pragma once

#include <iosfwd>

#include "dash/Types.h"
#include "dash/core/Export.h"

namespace dash {

namespace internal {

[[noreturn]] DASH_API void throw_undefined_distribution();
[[noreturn]] DASH_API void throw_block_size(const char* distribution, long long blocksize);

/// "BLOCKED", "TILE", ...; without the block size.
DASH_API const char* distribution_name(DistributionType type) noexcept;

template <class I>
constexpr I ceil_div(I a, I b) {
  return a / b + (a % b != 0 ? 1 : 0);
}

}  // namespace internal

/// How the elements of one dimension are distributed over the units of that dimension.
///
///  | value          | blocks                                  | distributed               |
///  | -------------- | --------------------------------------- | ------------------------- |
///  | NONE           | one, the whole range                    | to the first unit         |
///  | BLOCKED        | one per unit; equal sizes but the last  | in order                  |
///  | CYCLIC         | single elements                         | round-robin               |
///  | BLOCKCYCLIC(b) | of b elements                           | round-robin               |
///  | TILE(b)        | of b elements, see TILE()               | round-robin               |
/// \ingroup patterns
class Distribution {
 public:
  /// The kind of distribution; NONE, BLOCKED, CYCLIC, TILE() and BLOCKCYCLIC() have different
  /// kinds.
  internal::DistributionType type;
  /// Elements of a block if the distribution specifies it; otherwise 0 or 1.
  default_size_t blocksz;

  /// Undefined: describes no distribution.
  constexpr Distribution() noexcept : type(internal::DIST_UNDEFINED), blocksz(0) {}
  /// Used by the library; see NONE, BLOCKED, CYCLIC, TILE() and BLOCKCYCLIC().
  constexpr Distribution(internal::DistributionType dist_type, int blocksize) noexcept
      : type(dist_type), blocksz(static_cast<default_size_t>(blocksize)) {}

  /// Elements of the largest block if `range` elements are distributed to `num_units` units.
  /// \throws exception::InvalidArgument if the distribution is undefined
  template <class IndexType, class SizeType>
  constexpr IndexType max_blocksize_in_range(IndexType range, SizeType num_units) const {
    const auto block = static_cast<IndexType>(blocksz);
    switch (type) {
      case internal::DIST_NONE:
        return range;
      case internal::DIST_BLOCKED:
        return num_units == 0 ? 0 : internal::ceil_div(range, static_cast<IndexType>(num_units));
      case internal::DIST_CYCLIC:
        return 1;
      case internal::DIST_BLOCKCYCLIC:
      case internal::DIST_TILE:
        return range < block ? range : block;
      case internal::DIST_UNDEFINED:
        break;
    }
    internal::throw_undefined_distribution();
  }

  /// Coordinate of the block that holds the element at `local_index` of the unit at `unit_coord`.
  /// \throws exception::InvalidArgument if the distribution is undefined
  template <class IndexType, class SizeType>
  constexpr IndexType local_index_to_block_coord(IndexType unit_coord, IndexType local_index,
                                                 SizeType num_units) const {
    const auto units = static_cast<IndexType>(num_units);
    switch (type) {
      case internal::DIST_NONE:
        return 0;
      case internal::DIST_BLOCKED:
        return unit_coord;
      case internal::DIST_CYCLIC:
        return unit_coord + local_index * units;
      case internal::DIST_BLOCKCYCLIC:
      case internal::DIST_TILE:
        return local_index / static_cast<IndexType>(blocksz) * units + unit_coord;
      case internal::DIST_UNDEFINED:
        break;
    }
    internal::throw_undefined_distribution();
  }

  friend constexpr bool operator==(const Distribution&, const Distribution&) noexcept = default;

  template <class Char, class Traits>
  friend std::basic_ostream<Char, Traits>& operator<<(std::basic_ostream<Char, Traits>& os,
                                                      const Distribution& distribution) {
    os << "Distribution(" << internal::distribution_name(distribution.type);
    if (distribution.type == internal::DIST_TILE ||
        distribution.type == internal::DIST_BLOCKCYCLIC) {
      os << '(' << distribution.blocksz << ')';
    }
    return os << ')';
  }
};

/// One block, the whole range, which belongs to the first unit of the dimension.
/// \ingroup patterns
inline constexpr Distribution NONE{internal::DIST_NONE, 0};
/// One block for each unit of the dimension; all blocks have the same size, except the last ones.
/// \ingroup patterns
inline constexpr Distribution BLOCKED{internal::DIST_BLOCKED, 0};
/// Blocks of one element, distributed round-robin.
/// \ingroup patterns
inline constexpr Distribution CYCLIC{internal::DIST_CYCLIC, 1};

/// Like BLOCKCYCLIC(), but each block is contiguous in memory in patterns with blocked layout.
/// \throws exception::InvalidArgument if blocksize < 1
/// \ingroup patterns
constexpr Distribution TILE(int blocksize) {
  if (blocksize < 1) internal::throw_block_size("TILE", blocksize);
  return Distribution(internal::DIST_TILE, blocksize);
}

/// Blocks of `blocksize` elements, distributed round-robin.
/// \throws exception::InvalidArgument if blocksize < 1
/// \ingroup patterns
constexpr Distribution BLOCKCYCLIC(int blocksize) {
  if (blocksize < 1) internal::throw_block_size("BLOCKCYCLIC", blocksize);
  return Distribution(internal::DIST_BLOCKCYCLIC, blocksize);
}

}  // namespace dash
