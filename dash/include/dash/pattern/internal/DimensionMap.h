#pragma once

#include <algorithm>
#include <cstdint>
#include <type_traits>

#include "dash/Distribution.h"
#include "dash/Types.h"
#include "dash/internal/FastDivisor.h"

namespace dash::internal {

/// How the indices of one dimension are dealt to the units of that dimension.
///
/// With B the block size, NB the number of blocks and U the number of units: index g is in block
/// g / B, that block belongs to unit (g / B) % U and is its block number (g / B) / U.
template <typename Index>
class DimensionMap {
 public:
  struct Place {
    Index unit;
    Index local;
  };

  /// An empty dimension.
  constexpr DimensionMap() = default;

  /// \param extent  number of indices  \param units  number of units in this dimension
  DimensionMap(Index extent, const Distribution& distribution, Index units)
      : _units(units), _extent(extent) {
    _blocksize = distribution.max_blocksize_in_range(extent, units);
    _nblocks = _blocksize > 0 ? ceil_div(extent, _blocksize) : 0;
    _underfill = _nblocks * _blocksize - extent;
    if (_units > 0) {
      _full_rounds = _nblocks / _units;
      _rest_blocks = _nblocks % _units;
      _by_units = FastDivisor(to_unsigned(_units));
    }
    if (_blocksize > 0) _by_blocksize = FastDivisor(to_unsigned(_blocksize));
    if (_extent > 0) _by_extent = FastDivisor(to_unsigned(_extent));
    _kind = _units <= 1 || _nblocks <= 1 ? Kind::whole
            : _nblocks <= _units         ? Kind::blocked
                                         : Kind::cyclic;
  }

  Index extent() const { return _extent; }
  Index blocksize() const { return _blocksize; }
  Index nblocks() const { return _nblocks; }
  Index units() const { return _units; }
  /// Indices that the last block lacks.
  Index underfill() const { return _underfill; }

  /// All indices belong to the first unit.
  bool is_whole() const { return _kind == Kind::whole; }

  Index block_at(Index g) const { return _blocksize > 0 ? divide(_by_blocksize, g) : 0; }
  Index unit_at(Index g) const { return place(g).unit; }

  /// The owner of index g and the index in its memory.
  Place place(Index g) const {
    if (_kind == Kind::whole) return {0, g};
    const Index block = divide(_by_blocksize, g);
    if (_kind == Kind::blocked) return {block, g - block * _blocksize};
    const Index round = divide(_by_units, block);
    return {block - round * _units, g - (block - round) * _blocksize};
  }

  /// The index at a place: the inverse of place().
  Index global(Index unit, Index local) const {
    if (_kind == Kind::whole) return local;
    const Index round = divide(_by_blocksize, local);
    return (round * (_units - 1) + unit) * _blocksize + local;
  }

  /// Number of indices of a unit.
  Index local_extent(Index unit) const {
    if (_nblocks == 0) return 0;
    const Index last = _rest_blocks == 0 ? _units - 1 : _rest_blocks - 1;
    return local_blocks(unit) * _blocksize - (unit == last ? _underfill : 0);
  }

  /// Number of blocks of a unit.
  Index local_blocks(Index unit) const { return _full_rounds + (unit < _rest_blocks ? 1 : 0); }

  /// The most indices that a unit can have, counting full blocks.
  Index local_capacity() const { return (_full_rounds + (_rest_blocks > 0 ? 1 : 0)) * _blocksize; }

  /// Where the indices that are contiguous in the owner's memory from g on end.
  Index run_end(Index g) const {
    if (_kind == Kind::whole) return _extent;
    return std::min(_extent, (divide(_by_blocksize, g) + 1) * _blocksize);
  }

  /// Whether a unit owns any of the indices first ... last - 1.
  bool owns_any(Index unit, Index first, Index last) const {
    first = std::max<Index>(first, 0);
    last = std::min(last, _extent);
    for (Index g = first; g < last; g = run_end(g)) {
      if (unit_at(g) == unit) return true;
      // One round of the units has all of them.
      if (g - first > _units * _blocksize) return false;
    }
    return false;
  }

  /// index / extent() without a division, for linear indices in canonical order.
  Index divide_by_extent(Index index) const { return divide(_by_extent, index); }

 private:
  enum class Kind : unsigned char { whole, blocked, cyclic };

  static std::uint64_t to_unsigned(Index value) {
    return static_cast<std::uint64_t>(static_cast<std::make_unsigned_t<Index>>(value));
  }
  static Index divide(const FastDivisor& divisor, Index value) {
    return static_cast<Index>(divisor.divide(to_unsigned(value)));
  }

  // What place() reads comes first, in one cache line.
  FastDivisor _by_blocksize;
  FastDivisor _by_units;
  Index _blocksize = 0;
  Index _units = 0;
  Kind _kind = Kind::whole;
  FastDivisor _by_extent;
  Index _extent = 0;
  Index _nblocks = 0;
  Index _full_rounds = 0;
  Index _rest_blocks = 0;
  Index _underfill = 0;
};

}  // namespace dash::internal
