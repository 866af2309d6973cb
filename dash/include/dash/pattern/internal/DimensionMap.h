#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <type_traits>

#include "dash/Distribution.h"
#include "dash/Types.h"
#include "dash/internal/FastDivisor.h"

namespace dash::internal {

/// How the indices of one dimension are dealt to the units of that dimension.
///
/// With B the block size, NB the number of blocks and U the number of units: index g is in block
/// g / B, that block belongs to unit (g / B) % U and is its block number (g / B) / U.
///
/// No function divides: whatever is divided by is known when the map is made.
template <typename Index>
class DimensionMap {
 public:
  using Size = std::make_unsigned_t<Index>;
  struct Place {
    Index unit;
    Index local;
  };
  /// The same by blocks.
  struct BlockPlace {
    Index unit;
    Index block;        ///< among all blocks
    Index local_block;  ///< among those of the unit
    Index phase;        ///< of the index in its block
  };

  /// An empty dimension.
  constexpr DimensionMap() = default;

  /// \param extent  number of indices  \param units  number of units in this dimension
  constexpr DimensionMap(Index extent, const Distribution& distribution, Index units)
      : _units(units), _extent(extent) {
    _blocksize = distribution.max_blocksize_in_range(extent, units);
    _nblocks = _blocksize > 0 ? ceil_div(extent, _blocksize) : 0;
    _underfill = _nblocks > 0 ? _blocksize - (extent - (_nblocks - 1) * _blocksize) : 0;
    if (_units > 0) {
      _full_rounds = _nblocks / _units;
      _rest_blocks = _nblocks % _units;
    }
    if (_units > 1 && _nblocks > _units) {
      _kind = Kind::cyclic;
    } else if (_units > 1 && _nblocks > 1) {
      _kind = std::has_single_bit(to_unsigned(_blocksize)) ? Kind::shifted : Kind::blocked;
      if (_kind == Kind::shifted) {
        _shift = std::countr_zero(to_unsigned(_blocksize));
        _mask = _blocksize - 1;
      }
    }
    _by_units = Divisor(_units);
    _by_nblocks = Divisor(_nblocks);
    _by_extent = Divisor(_extent);
    _by_block_extent = {Divisor(_blocksize), Divisor(_blocksize - _underfill)};
    _last_owner = _nblocks == 0 ? -1 : (_nblocks - 1) % std::max<Index>(_units, 1);
    for (std::size_t i = 0; i < _local_extent.size(); ++i) {
      const Index unit = _last_owner - 1 + static_cast<Index>(i);
      _local_extent[i] =
          static_cast<Index>(full_extent(local_blocks(unit)) -
                             static_cast<Size>(unit == _last_owner ? _underfill : 0));
      _by_local_extent[i] = Divisor(_local_extent[i]);
      _by_local_blocks[i] = Divisor(local_blocks(unit));
    }
  }

  constexpr Index extent() const { return _extent; }
  constexpr Index blocksize() const { return _blocksize; }
  constexpr Index nblocks() const { return _nblocks; }
  constexpr Index units() const { return _units; }
  /// Indices that the last block lacks.
  constexpr Index underfill() const { return _underfill; }

  /// All indices belong to the first unit.
  constexpr bool is_whole() const { return _kind == Kind::whole; }

  constexpr Index block_at(Index g) const { return divide_by_blocksize(g); }
  constexpr Index unit_at(Index g) const { return place(g).unit; }

  /// The owner of index g and the index in its memory.
  constexpr Place place(Index g) const {
    if (_kind <= Kind::shifted) [[likely]] {
      return {static_cast<Index>(to_unsigned(g) >> _shift), g & _mask};
    }
    const Index block = divide_by_blocksize(g);
    if (_kind == Kind::blocked) return {block, g - block * _blocksize};
    const Index round = _by_units.divide(block);
    return {block - round * _units, g - (block - round) * _blocksize};
  }

  constexpr BlockPlace block_place(Index g) const {
    const Index block = divide_by_blocksize(g);
    const auto [unit, local_block] = owner_of_block(block);
    return {unit, block, local_block, g - block * _blocksize};
  }

  /// The owner of a block and the block's number among the owner's.
  constexpr Place owner_of_block(Index block) const {
    if (_kind == Kind::whole) return {0, block};
    if (_kind != Kind::cyclic) return {block, 0};
    const Index round = _by_units.divide(block);
    return {block - round * _units, round};
  }

  /// The index at a place: the inverse of place().
  constexpr Index global(Index unit, Index local) const {
    if (_kind == Kind::whole) return local;
    if (_kind != Kind::cyclic) return unit * _blocksize + local;
    const Index round = divide_by_blocksize(local);
    return (round * (_units - 1) + unit) * _blocksize + local;
  }
  /// A block by its number among those of its unit.
  constexpr Index global_block(Index unit, Index local_block) const {
    return _kind == Kind::whole ? local_block : local_block * _units + unit;
  }

  constexpr Index block_extent(Index block) const {
    return _blocksize - (is_last(block) ? _underfill : 0);
  }

  /// Number of indices of a unit.
  constexpr Index local_extent(Index unit) const { return _local_extent[share_of(unit)]; }

  /// Number of blocks of a unit.
  constexpr Index local_blocks(Index unit) const {
    return _full_rounds + static_cast<Index>(unit < _rest_blocks);
  }

  /// The most indices that a unit can have, counting full blocks.
  constexpr Size local_capacity() const {
    return full_extent(_full_rounds + (_rest_blocks > 0 ? 1 : 0));
  }

  constexpr Index block_end(Index block) const { return block * _blocksize + block_extent(block); }

  /// Where the indices that are contiguous in the owner's memory from g on end.
  constexpr Index run_end(Index g) const {
    return _kind == Kind::whole ? _extent : block_end(divide_by_blocksize(g));
  }

  /// How many blocks ahead of one the first is, from that one on, that a unit owns; it may be behind
  /// the last.
  constexpr Index blocks_ahead(Index unit, Index block) const {
    if (_kind == Kind::whole) return unit == 0 ? 0 : _nblocks;
    const Index ahead = unit - owner_of_block(block).unit;
    return ahead < 0 ? ahead + _units : ahead;
  }
  /// Blocks from one block of a unit to its next.
  constexpr Index block_stride() const { return _kind == Kind::whole ? 1 : _units; }

  /// Whether a unit owns any of the indices first ... last - 1.
  constexpr bool owns_any(Index unit, Index first, Index last) const {
    first = std::max<Index>(first, 0);
    last = std::min(last, _extent);
    if (first >= last) return false;
    const Index block = block_at(first);
    return blocks_ahead(unit, block) <= block_at(last - 1) - block;
  }

  /// Calls fn(begin, end) for the parts of the indices first ... last - 1 that are in every
  /// `stride`-th block, from the one on that is so many ahead of that of the first index.
  /// \pre first < last
  template <class Fn>
  constexpr void for_each_part(Index first, Index last, Index ahead, Index stride, Fn fn) const {
    // Counted down, as a block behind the last might be no Index.
    const Index last_block = block_at(last - 1);
    for (Index left = last_block - block_at(first) - ahead; left >= 0; left -= stride) {
      const Index block = last_block - left;
      fn(std::max(first, block * _blocksize), std::min(last, block_end(block)));
    }
  }

  /// \name Quotients of linear indices, by what the names say
  /// @{
  constexpr Index divide_by_extent(Index index) const { return _by_extent.divide(index); }
  constexpr Index divide_by_local_extent(Index unit, Index index) const {
    return _by_local_extent[share_of(unit)].divide(index);
  }
  constexpr Index divide_by_nblocks(Index index) const { return _by_nblocks.divide(index); }
  constexpr Index divide_by_local_blocks(Index unit, Index index) const {
    return _by_local_blocks[share_of(unit)].divide(index);
  }
  constexpr Index divide_by_blocksize(Index index) const {
    return _by_block_extent[0].divide(index);
  }
  constexpr Index divide_by_block_extent(Index block, Index index) const {
    return _by_block_extent[is_last(block) ? 1 : 0].divide(index);
  }
  constexpr Index divide_by_units(Index index) const { return _by_units.divide(index); }
  /// @}

 private:
  using Divisor = IndexDivisor<Index>;
  enum class Kind : unsigned char {
    whole,    ///< one unit has all
    shifted,  ///< a block for each unit, of a size that is a power of two
    blocked,  ///< of another size
    cyclic    ///< more blocks than units
  };

  constexpr bool is_last(Index block) const { return block + 1 == _nblocks; }

  /// Of so many full blocks, which need not fit an Index.
  constexpr Size full_extent(Index blocks) const {
    return static_cast<Size>(blocks) * static_cast<Size>(_blocksize);
  }

  /// Units have one of three shares: those before the one with the last block, that one, and those
  /// behind it. Without branches, since which unit it is cannot be foreseen.
  constexpr std::size_t share_of(Index unit) const {
    return static_cast<std::size_t>(unit >= _last_owner) +
           static_cast<std::size_t>(unit > _last_owner);
  }

  // What place() reads comes first. An index is shifted and masked to unit and local index, unless it
  // takes divisions.
  Kind _kind = Kind::whole;
  int _shift = std::numeric_limits<std::uint64_t>::digits - 1;
  Index _mask = -1;
  std::array<Divisor, 2> _by_block_extent{};  // of blocks, and of the last one
  Divisor _by_units;
  Index _blocksize = 0;
  Index _units = 0;
  Index _nblocks = 0;
  Index _last_owner = -1;
  Index _underfill = 0;
  Index _full_rounds = 0;
  Index _rest_blocks = 0;
  std::array<Index, 3> _local_extent{};
  std::array<Divisor, 3> _by_local_extent{};
  std::array<Divisor, 3> _by_local_blocks{};
  Divisor _by_nblocks;
  Divisor _by_extent;
  Index _extent = 0;
};

}  // namespace dash::internal
