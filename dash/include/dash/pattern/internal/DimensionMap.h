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
#include "dash/internal/util/FastDivisor.h"

namespace dash::internal {

/// Distribution of the indices of one dimension to the units of that dimension.
///
/// With B the block size, NB the number of blocks and U the number of units: index g is in block
/// g / B, that block belongs to unit (g / B) % U and is its block number (g / B) / U.
///
/// Avoids division instructions: all divisors are known when the map is constructed, see
/// FastDivisor. AxisMap extends it for linear indices of several dimensions.
template <typename Index>
class DimensionMap {
 public:
  using Size = std::make_unsigned_t<Index>;
  using Divisor = IndexDivisor<Index>;
  struct Location {
    Index unit;
    Index local;
  };
  /// The location of an index in terms of blocks.
  struct BlockLocation {
    Index unit;
    Index block;        ///< among all blocks
    Index local_block;  ///< among those of the unit
    Index phase;        ///< of the index in its block
  };

  /// An empty dimension.
  constexpr DimensionMap() = default;

  /// \param extent  number of indices  \param units  number of units in this dimension
  /// \param max_dividend  the largest index that will be divided
  constexpr DimensionMap(Index extent, const Distribution& distribution, Index units,
                         std::uint64_t max_dividend = FastDivisor::largest)
      : _units(units), _extent(extent) {
    _blocksize = distribution.max_blocksize_in_range(extent, units);
    _nblocks = _blocksize > 0 ? ceil_div(extent, _blocksize) : 0;
    _underfill = _nblocks > 0 ? _blocksize - (extent - (_nblocks - 1) * _blocksize) : 0;
    if (_units > 0) {
      _full_rounds = _nblocks / _units;
      _rest_blocks = _nblocks % _units;
    }
    if (_units > 1 && _nblocks > _units) {
      _kind = _blocksize == 1 ? Kind::single_cyclic : Kind::cyclic;
    } else if (_units > 1 && _nblocks > 1) {
      _kind = std::has_single_bit(to_unsigned(_blocksize)) ? Kind::shifted : Kind::blocked;
      if (_kind == Kind::shifted) {
        _shift = std::countr_zero(to_unsigned(_blocksize));
        _mask = _blocksize - 1;
      }
    }
    _by_units = Divisor(_units, max_dividend);
    _by_blocksize = Divisor(_blocksize, max_dividend);
    _last_owner = _nblocks == 0 ? -1 : (_nblocks - 1) % std::max<Index>(_units, 1);
  }

  constexpr Index extent() const { return _extent; }
  constexpr Index blocksize() const { return _blocksize; }
  constexpr Index nblocks() const { return _nblocks; }
  constexpr Index units() const { return _units; }
  /// Number of indices by which the last block is smaller than the others.
  constexpr Index underfill() const { return _underfill; }

  /// Whether all indices belong to the first unit.
  constexpr bool is_whole() const { return _kind == Kind::whole; }

  constexpr Index block_at(Index g) const { return divide_by_blocksize(g); }
  constexpr Index unit_at(Index g) const { return location(g).unit; }

  /// The owner of index g and the index in its memory.
  template <class Division = AnyDivision>
  constexpr Location location(Index g) const {
    return is_shifted() ? shifted_location(g) : divided_location<Division>(g);
  }
  /// Whether the location is computed by a shift and a mask.
  constexpr bool is_shifted() const { return _kind <= Kind::shifted; }
  /// \pre is_shifted()
  constexpr Location shifted_location(Index g) const {
    return {static_cast<Index>(to_unsigned(g) >> _shift), g & _mask};
  }
  /// The location for every kind of distribution.
  template <class Division>
  constexpr Location divided_location(Index g) const {
    if (_kind == Kind::single_cyclic) return owner_of_block<Division>(g);
    const Index block = Division::divide(_by_blocksize, g);
    if (_kind == Kind::blocked) return {block, g - block * _blocksize};
    const Index round = Division::divide(_by_units, block);
    return {block - round * _units, g - (block - round) * _blocksize};
  }

  /// The location in terms of blocks. Branch-free: if a unit has all blocks, there is one unit; if
  /// it has one block, there is one round.
  template <class Division = AnyDivision>
  constexpr BlockLocation block_location(Index g) const {
    const Index block = Division::divide(_by_blocksize, g);
    const auto [unit, local_block] = owner_of_block<Division>(block);
    return {unit, block, local_block, g - block * _blocksize};
  }

  /// The owner of a block and the index of the block among the owner's blocks.
  template <class Division = AnyDivision>
  constexpr Location owner_of_block(Index block) const {
    const Index round = Division::divide(_by_units, block);
    return {block - round * _units, round};
  }

  /// The index at a location: the inverse of location().
  template <class Division = AnyDivision>
  constexpr Index global(Index unit, Index local) const {
    if (_kind == Kind::whole) return local;
    if (_kind == Kind::single_cyclic) return local * _units + unit;
    if (_kind != Kind::cyclic) return unit * _blocksize + local;
    const Index round = Division::divide(_by_blocksize, local);
    return (round * (_units - 1) + unit) * _blocksize + local;
  }
  /// The index of a block from its unit and its index among the unit's blocks.
  constexpr Index global_block(Index unit, Index local_block) const {
    return local_block * _units + unit;
  }

  constexpr Index block_extent(Index block) const {
    return _blocksize - (is_last(block) ? _underfill : 0);
  }

  /// Number of indices of a unit.
  constexpr Index local_extent(Index unit) const {
    return static_cast<Index>(full_extent(local_blocks(unit)) -
                              static_cast<Size>(unit == _last_owner ? _underfill : 0));
  }

  /// Number of blocks of a unit.
  constexpr Index local_blocks(Index unit) const {
    return _full_rounds + static_cast<Index>(unit < _rest_blocks);
  }

  /// Upper bound of the number of indices of a unit, counting full blocks.
  constexpr Size local_capacity() const {
    return full_extent(_full_rounds + (_rest_blocks > 0 ? 1 : 0));
  }

  constexpr Index block_end(Index block) const { return block * _blocksize + block_extent(block); }

  /// The end of the indices that are contiguous, from g on, in the owner's memory.
  constexpr Index contiguous_end(Index g) const {
    return _kind == Kind::whole ? _extent : block_end(divide_by_blocksize(g));
  }

  /// The distance, in blocks, from a block to the first block at or after it that a unit owns; the
  /// result may be past the last block.
  constexpr Index blocks_ahead(Index unit, Index block) const {
    if (_kind == Kind::whole) return unit == 0 ? 0 : _nblocks;
    const Index ahead = unit - owner_of_block(block).unit;
    return ahead < 0 ? ahead + _units : ahead;
  }
  /// Distance between consecutive blocks of a unit, in blocks.
  constexpr Index block_stride() const { return _kind == Kind::whole ? 1 : _units; }

  /// Whether a unit owns any of the indices first ... last - 1.
  constexpr bool owns_any(Index unit, Index first, Index last) const {
    first = std::max<Index>(first, 0);
    last = std::min(last, _extent);
    if (first >= last) return false;
    const Index block = block_at(first);
    return blocks_ahead(unit, block) <= block_at(last - 1) - block;
  }

  /// Calls fn(begin, end) for each part of the indices first ... last - 1 in every `stride`-th
  /// block, starting `ahead` blocks after the block of the first index.
  /// \pre first < last
  template <class Fn>
  constexpr void for_each_part(Index first, Index last, Index ahead, Index stride, Fn fn) const {
    // Counts down, because the number of a block past the last one might overflow Index.
    const Index last_block = block_at(last - 1);
    for (Index remaining = last_block - block_at(first) - ahead; remaining >= 0;
         remaining -= stride) {
      const Index block = last_block - remaining;
      fn(std::max(first, block * _blocksize), std::min(last, block_end(block)));
    }
  }

  constexpr Index divide_by_blocksize(Index index) const { return _by_blocksize.divide(index); }
  constexpr const Divisor& by_blocksize() const { return _by_blocksize; }
  constexpr bool needs_no_shift() const {
    return _by_blocksize.needs_no_shift() && _by_units.needs_no_shift();
  }

  constexpr bool is_last(Index block) const { return block == _nblocks - 1; }

  /// Units fall into three classes with equal numbers of indices: the units before the owner of the
  /// last block, that owner, and the units after it.
  static constexpr std::size_t shares = 3;
  constexpr std::size_t share_index(Index unit) const {
    return static_cast<std::size_t>(unit >= _last_owner) +
           static_cast<std::size_t>(unit > _last_owner);
  }
  /// Selects the value of the class of a unit, branch-free. Count should be small enough for
  /// registers.
  template <class Count>
  [[gnu::always_inline]] constexpr Count share_of(Index unit,
                                                  const std::array<Count, shares>& all) const {
    return Count::either(unit < _last_owner, all[0],
                         Count::either(unit == _last_owner, all[1], all[2]));
  }
  /// A unit of a class; if the class is empty, the result is not a valid unit.
  constexpr Index unit_with(std::size_t share) const {
    return _last_owner - 1 + static_cast<Index>(share);
  }

 protected:
  constexpr const Divisor& by_units() const { return _by_units; }

 private:
  enum class Kind : unsigned char {
    whole,         ///< one unit has all indices
    shifted,       ///< at most one block for each unit, whose size is a power of two
    blocked,       ///< at most one block for each unit, of another size
    cyclic,        ///< more blocks than units
    single_cyclic  ///< more blocks than units, of one index each
  };

  /// Number of indices of full blocks, which might overflow Index.
  constexpr Size full_extent(Index blocks) const {
    return static_cast<Size>(blocks) * static_cast<Size>(_blocksize);
  }

  // Members that location() reads come first. The kinds `whole` and `shifted` use the shift and the
  // mask.
  Kind _kind = Kind::whole;
  int _shift = std::numeric_limits<std::uint64_t>::digits - 1;
  Index _mask = -1;
  Divisor _by_blocksize;
  Divisor _by_units;
  Index _blocksize = 0;
  Index _units = 0;
  Index _nblocks = 0;
  Index _last_owner = -1;
  Index _underfill = 0;
  Index _full_rounds = 0;
  Index _rest_blocks = 0;
  Index _extent = 0;
};

/// A number together with the divisor for division by it.
template <typename Index>
struct DivisorCount {
  Index count = 0;
  IndexDivisor<Index> by;

  constexpr DivisorCount() = default;
  constexpr DivisorCount(Index n, std::uint64_t max_dividend) : count(n), by(n, max_dividend) {}

  /// Selects one of two, branch-free.
  [[gnu::always_inline]] static constexpr DivisorCount either(bool first, const DivisorCount& a,
                                                              const DivisorCount& b) noexcept {
    DivisorCount result;
    result.count = internal::either(first, a.count, b.count);
    result.by = IndexDivisor<Index>::either(first, a.by, b.by);
    return result;
  }
};

/// A dimension of a multi-dimensional map: linear indices are divided by its numbers, too.
template <typename Index>
class AxisMap : public DimensionMap<Index> {
  using Base = DimensionMap<Index>;

 public:
  using typename Base::Divisor;
  using Count = DivisorCount<Index>;

  constexpr AxisMap() = default;
  constexpr AxisMap(Index extent, const Distribution& distribution, Index units,
                    std::uint64_t max_dividend = FastDivisor::largest)
      : Base(extent, distribution, units, max_dividend),
        _nblocks(Base::nblocks(), max_dividend),
        _extent(extent, max_dividend),
        _block_extents{Count(Base::blocksize(), max_dividend),
                       Count(Base::blocksize() - Base::underfill(), max_dividend)} {
    for (std::size_t share = 0; share < Base::shares; ++share) {
      const Index unit = Base::unit_with(share);
      _local_extents[share] = Count(Base::local_extent(unit), max_dividend);
      _local_blocks[share] = Count(Base::local_blocks(unit), max_dividend);
    }
  }

  constexpr bool needs_no_shift() const {
    bool result =
        Base::needs_no_shift() && _nblocks.by.needs_no_shift() && _extent.by.needs_no_shift();
    for (const Count& each : _block_extents)
      result = result && each.by.needs_no_shift();
    for (std::size_t share = 0; share < Base::shares; ++share) {
      result = result && _local_extents[share].by.needs_no_shift() &&
               _local_blocks[share].by.needs_no_shift();
    }
    return result;
  }

  /// \name Numbers with divisors. Branch-free, because the unit or block is unpredictable
  /// @{
  constexpr const Count& extents() const { return _extent; }
  constexpr const Count& blocks() const { return _nblocks; }
  constexpr Count local_extents(Index unit) const { return Base::share_of(unit, _local_extents); }
  constexpr Count blocks_of(Index unit) const { return Base::share_of(unit, _local_blocks); }
  constexpr Count extents_of(Index block) const {
    return Count::either(Base::is_last(block), _block_extents[1], _block_extents[0]);
  }
  constexpr const Divisor& by_units() const { return Base::by_units(); }
  constexpr Index local_extent(Index unit) const {
    return _local_extents[Base::share_index(unit)].count;
  }
  constexpr Index block_extent(Index block) const { return extents_of(block).count; }
  /// @}

 private:
  Count _nblocks;
  Count _extent;
  std::array<Count, 2> _block_extents{};  // of full blocks, and of the last block
  std::array<Count, Base::shares> _local_extents{};
  std::array<Count, Base::shares> _local_blocks{};
};

}  // namespace dash::internal
