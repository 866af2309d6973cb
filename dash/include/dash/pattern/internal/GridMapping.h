#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <type_traits>

#include "dash/Cartesian.h"
#include "dash/Distribution.h"
#include "dash/internal/util/FastDivisor.h"
#include "dash/pattern/internal/DimensionMap.h"
#include "dash/pattern/internal/MappingTypes.h"

namespace dash::internal {

/// The blocks of a range that is divided in each dimension into blocks of equal extent, except for
/// the last. Base class of mappings of blocks and tiles, independent of the owners of the blocks.
template <dim_t NumDimensions, MemArrange Arrangement, typename IndexType>
class BlockedRange : public MappingTypes<NumDimensions, Arrangement, IndexType> {
 public:
  using Types = MappingTypes<NumDimensions, Arrangement, IndexType>;
  using typename Types::Coords;
  using typename Types::Extents;
  using typename Types::Index;
  using typename Types::Size;
  using typename Types::View;
  using Types::N;
  using Types::order;
  /// In one dimension, linear indices are not divided by row lengths.
  using Dimension = std::conditional_t<N == 1, DimensionMap<IndexType>, AxisMap<IndexType>>;

  constexpr BlockedRange() = default;
  constexpr BlockedRange(const Extents& extents, const std::array<Distribution, N>& distributions,
                         const Extents& units) {
    const auto max_dividend = max_dividend_of(extents);
    for (std::size_t d = 0; d < N; ++d) {
      _dims[d] = Dimension(static_cast<Index>(extents[d]), distributions[d],
                           static_cast<Index>(units[d]), max_dividend);
      _has_full_blocks = _has_full_blocks && _dims[d].underfill() == 0;
      _needs_no_shift = _needs_no_shift && _dims[d].needs_no_shift();
      _is_shifted = _is_shifted && _dims[d].is_shifted();
    }
  }

  constexpr const Dimension& dim(std::size_t d) const { return _dims[d]; }

  /// Whether all blocks have the same size.
  constexpr bool has_full_blocks() const { return _has_full_blocks; }
  /// Whether coordinates are mapped to locations by shifts and masks.
  constexpr bool is_shifted() const { return _is_shifted; }
  constexpr Extents nblocks() const {
    Extents result{};
    for (std::size_t d = 0; d < N; ++d)
      result[d] = static_cast<Size>(_dims[d].nblocks());
    return result;
  }
  constexpr Index blocksize(std::size_t d) const { return _dims[d].blocksize(); }
  constexpr Index underfill(std::size_t d) const { return _dims[d].underfill(); }
  /// Number of elements of a full block.
  constexpr Size max_blocksize() const {
    Extents sizes{};
    for (std::size_t d = 0; d < N; ++d)
      sizes[d] = static_cast<Size>(_dims[d].blocksize());
    return product(sizes);
  }

  /// Coordinates of an element's block in the grid of blocks.
  constexpr Coords block_at(const Coords& coords) const {
    Coords result{};
    for (std::size_t d = 0; d < N; ++d)
      result[d] = _dims[d].block_at(coords[d]);
    return result;
  }
  /// The elements of a block.
  constexpr View block(const Coords& block_coords) const {
    Coords offsets{};
    Extents extents{};
    for (std::size_t d = 0; d < N; ++d) {
      offsets[d] = block_coords[d] * _dims[d].blocksize();
      extents[d] = static_cast<Size>(_dims[d].block_extent(block_coords[d]));
    }
    return View(offsets, extents);
  }

 protected:
  /// Twice the size, so that indices slightly outside of the range are divided correctly, too.
  static constexpr std::uint64_t max_dividend_of(const Extents& extents) {
    const std::uint64_t size = product(extents);
    return size > FastDivisor::largest / 2 ? FastDivisor::largest : 2 * size;
  }
  /// Calls fn(division) with the fastest division policy that all divisors support: one predictable
  /// branch instead of a shift for each quotient.
  template <class Fn>
  [[gnu::always_inline]] constexpr auto divide_fast(const Fn& fn) const {
    if constexpr (N > 1) {
      if (_needs_no_shift) [[likely]]
        return fn(ShiftlessDivision{});
    }
    return fn(AnyDivision{});
  }

  std::array<Dimension, N> _dims;
  bool _needs_no_shift = true;

 private:
  bool _is_shifted = true;
  bool _has_full_blocks = true;
};

/// A BlockedRange whose linear indices proceed block by block.
template <dim_t NumDimensions, MemArrange Arrangement, typename IndexType>
class TiledRange : public BlockedRange<NumDimensions, Arrangement, IndexType> {
  using Base = BlockedRange<NumDimensions, Arrangement, IndexType>;

 public:
  using typename Base::Extents;
  using typename Base::Index;

  constexpr TiledRange() = default;
  constexpr TiledRange(const Extents& extents,
                       const std::array<Distribution, Base::N>& distributions, const Extents& units)
      : Base(extents, distributions, units),
        _volume(static_cast<Index>(Base::max_blocksize()), Base::max_dividend_of(extents)) {
    Base::_needs_no_shift = Base::_needs_no_shift && _volume.by.needs_no_shift();
  }

  /// Number of elements of a full block.
  constexpr Index block_volume() const { return _volume.count; }
  template <class Division>
  constexpr Index divide_by_block_volume(Index index) const {
    return Division::divide(_volume.by, index);
  }

 private:
  DivisorCount<IndexType> _volume;
};

/// Blocks distributed to a grid of units, dimension by dimension. The elements of a unit form a box
/// of local coordinates, whose order in each dimension is that of the global coordinates.
/// \tparam Range  BlockedRange or TiledRange
template <dim_t NumDimensions, MemArrange Arrangement, typename IndexType,
          template <dim_t, MemArrange, typename> class Range>
class GridMapping : public Range<NumDimensions, Arrangement, IndexType> {
  using Base = Range<NumDimensions, Arrangement, IndexType>;

 public:
  using Types = typename Base::Types;
  using Base::N;
  using Base::order;
  using typename Types::ContiguousBlock;
  using typename Types::Coords;
  using typename Types::Extents;
  using typename Types::Index;
  using typename Types::LocalCoords;
  using typename Types::Location;
  using typename Types::Size;
  using typename Types::View;
  /// A unit, given by its coordinates in the grid.
  using Unit = Coords;

  /// A unit's elements of a box form a box of local coordinates.
  static constexpr bool has_local_boxes = true;

  using Base::Base;
  constexpr GridMapping() = default;

  constexpr Index num_units() const {
    Index units = 1;
    for (const auto& dim : _dims)
      units *= dim.units();
    return units;
  }
  /// \pre 0 <= unit < num_units()
  constexpr Unit locate(Index unit) const {
    Coords coords{};
    if constexpr (N > 1) {
      for_each_dim<N - 1>([&](std::size_t i) {
        const std::size_t d = N - 1 - i;
        const Index above = _dims[d].by_units().divide(unit);
        coords[d] = unit - above * _dims[d].units();
        unit = above;
      });
    }
    coords[0] = unit;
    return coords;
  }
  constexpr Index unit_of(const Unit& unit_coords) const {
    Index unit = 0;
    for_each_dim<N>([&](std::size_t d) { unit = unit * _dims[d].units() + unit_coords[d]; });
    return unit;
  }

  constexpr Index unit_at(const Coords& coords) const {
    Coords unit_coords{};
    for_each_dim<N>([&](std::size_t d) { unit_coords[d] = _dims[d].unit_at(coords[d]); });
    return unit_of(unit_coords);
  }
  constexpr LocalCoords local_coords(const Coords& coords) const {
    Coords unit_coords{};
    Coords local{};
    for (std::size_t d = 0; d < N; ++d) {
      const auto location = _dims[d].location(coords[d]);
      unit_coords[d] = location.unit;
      local[d] = location.local;
    }
    return {unit_of(unit_coords), local};
  }
  constexpr Coords global(const Unit& unit, const Coords& local_coords) const {
    Coords result{};
    for (std::size_t d = 0; d < N; ++d)
      result[d] = _dims[d].global(unit[d], local_coords[d]);
    return result;
  }

  constexpr Extents local_extents(const Unit& unit) const {
    Extents extents{};
    for (std::size_t d = 0; d < N; ++d)
      extents[d] = static_cast<Size>(_dims[d].local_extent(unit[d]));
    return extents;
  }
  constexpr Size local_size(const Unit& unit) const { return product(local_extents(unit)); }
  constexpr Size local_capacity() const {
    Extents capacity{};
    for (std::size_t d = 0; d < N; ++d)
      capacity[d] = _dims[d].local_capacity();
    return product(capacity);
  }

  constexpr Extents local_blocks(const Unit& unit) const {
    Extents blocks{};
    for (std::size_t d = 0; d < N; ++d)
      blocks[d] = static_cast<Size>(_dims[d].local_blocks(unit[d]));
    return blocks;
  }
  /// Index of an element's block among the blocks of its unit.
  constexpr Index local_block_at(const Coords& coords) const {
    Coords unit{};
    Coords local{};
    for (std::size_t d = 0; d < N; ++d) {
      const auto location = _dims[d].block_location(coords[d]);
      unit[d] = location.unit;
      local[d] = location.local_block;
    }
    return Types::canonical(local, local_blocks(unit));
  }
  /// Coordinates of a unit's block in the grid of all blocks.
  constexpr Coords block_of(const Unit& unit, Index local_block) const {
    auto coords = local_block_coords(unit, local_block);
    for (std::size_t d = 0; d < N; ++d)
      coords[d] = _dims[d].global_block(unit[d], coords[d]);
    return coords;
  }
  /// Local coordinates of the first element of a unit's block.
  constexpr Coords local_block_offsets(const Unit& unit, Index local_block) const {
    auto coords = local_block_coords(unit, local_block);
    for (std::size_t d = 0; d < N; ++d)
      coords[d] *= _dims[d].blocksize();
    return coords;
  }

  /// Whether a unit owns any element of a box.
  constexpr bool owns_any(const Unit& unit, const View& view) const {
    for (std::size_t d = 0; d < N; ++d) {
      const auto range = view.range(static_cast<dim_t>(d));
      if (!_dims[d].owns_any(unit[d], range.begin, range.end)) return false;
    }
    return true;
  }

  /// Calls fn(begin, end) for each part of a row that a unit owns. The row consists of the elements
  /// with the coordinates `row`, except in the contiguous dimension, where they range from `begin`
  /// to `end`.
  /// \pre begin < end
  template <class Fn>
  constexpr void for_each_part_of_row(const Unit& unit, const Coords& row, Index begin, Index end,
                                      Fn fn) const {
    for (std::size_t i = 0; i + 1 < N; ++i) {
      if (_dims[order(i)].unit_at(row[order(i)]) != unit[order(i)]) return;
    }
    const auto& dim = _dims[Types::contiguous];
    dim.for_each_part(begin, end, dim.blocks_ahead(unit[Types::contiguous], dim.block_at(begin)),
                      dim.block_stride(), fn);
  }

 protected:
  using Base::_dims;

 private:
  constexpr Coords local_block_coords(const Unit& unit, Index local_block) const {
    return CartesianIndexSpace<NumDimensions, Arrangement, IndexType>(local_blocks(unit))
        .coords(local_block);
  }
};

}  // namespace dash::internal
