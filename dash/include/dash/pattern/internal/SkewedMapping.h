#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>

#include "dash/Distribution.h"
#include "dash/pattern/internal/GridMapping.h"
#include "dash/pattern/internal/SkewedOrder.h"
#include "dash/pattern/internal/TileOrder.h"

namespace dash::internal {

/// Determines the unit that owns the tile at coordinates c, by a number modulo the number of units.
enum class Skew {
  diagonal,    ///< the sum of c
  sequential,  ///< the canonical index of c in the grid of tiles
};

/// Tiles distributed to units cyclically. Memory and the linear global index proceed tile by tile.
///
/// The tiles of a unit do not form a box of the range. Its local coordinates are those of a column:
/// one tile after the other in the outermost dimension, each at a multiple of the tile extent.
template <dim_t NumDimensions, MemArrange Arrangement, typename IndexType, Skew SkewOfTiles>
class SkewedMapping : public TiledRange<NumDimensions, Arrangement, IndexType> {
  using Base = TiledRange<NumDimensions, Arrangement, IndexType>;
  using Order = TileOrder<Base>;
  using Whole = WholeAxes<Base>;
  using Tile = typename Order::Tile;
  static constexpr bool has_unit_steps = SkewOfTiles == Skew::diagonal;
  using Elements = SkewedOrder<NumDimensions, IndexType, has_unit_steps, false>;
  using Tiles = SkewedOrder<NumDimensions, IndexType, has_unit_steps, true>;

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
  using Unit = Index;

  static constexpr bool has_local_boxes = false;

  constexpr SkewedMapping() = default;
  constexpr SkewedMapping(const Extents& extents, const std::array<Distribution, N>& distributions,
                          const Extents& units)
      : Base(extents, distributions, units) {
    const auto nunits = static_cast<Index>(product(units));
    std::array<typename Elements::Axis, N> elements{};
    std::array<typename Tiles::Axis, N> tiles{};
    Index step = 1;
    for (std::size_t i = N; i-- > 0;) {
      const auto& dim = _dims[order(i)];
      step = nunits > 0 ? step % nunits : 0;
      elements[i] = {dim.nblocks(), dim.blocksize(), dim.blocksize() - dim.underfill(), step};
      tiles[i] = {dim.nblocks(), 1, 1, step};
      if constexpr (SkewOfTiles == Skew::sequential) step *= dim.nblocks();
    }
    const auto max_dividend = max_dividend_of(extents, nunits);
    _elements = {elements, nunits, max_dividend};
    _tiles = {tiles, nunits, max_dividend};
    _needs_no_shift = _needs_no_shift && _elements.needs_no_shift() && _tiles.needs_no_shift();
  }

  constexpr Index num_units() const { return _elements.units(); }
  constexpr Unit locate(Index unit) const { return unit; }

  constexpr Index unit_at(const Coords& coords) const {
    return _elements.owner(in_order(this->block_at(coords)));
  }
  constexpr Location location(const Coords& coords) const {
    return this->divide_fast([&](auto by) { return location_with<decltype(by)>(coords); });
  }
  constexpr LocalCoords local_coords(const Coords& coords) const {
    const auto at = Order::tile_of(*this, coords);
    const auto cell = in_order(at.block);
    auto local = at.phase;
    local[order(0)] += _tiles.before(cell) * _dims[order(0)].blocksize();
    return {_tiles.owner(cell), local};
  }
  constexpr Coords global(Unit unit, const Coords& local_coords) const {
    return Order::coords_of(*this, local_tile(unit, local_coords));
  }
  constexpr Index local_at(Unit unit, const Coords& local_coords) const {
    if (this->has_full_blocks()) {
      // A column of full tiles is a canonical array.
      Extents column{};
      for (std::size_t d = 0; d < N; ++d)
        column[d] = static_cast<Size>(_dims[d].blocksize());
      return Types::canonical(local_coords, column);
    }
    const auto at = local_tile(unit, local_coords);
    return _elements.before(in_order(at.block)) + phase(at);
  }
  constexpr Coords coords_of_local(Unit unit, Index local_index) const {
    return this->divide_fast(
        [&](auto by) { return coords_of_local_with<decltype(by)>(unit, local_index); });
  }

  constexpr Index global_at(const Coords& coords) const {
    return Order::index(Whole{*this}, Order::tile_of(*this, coords));
  }
  constexpr Coords coords(Index global_index) const {
    return Order::coords_of(*this, Order::tile(Whole{*this}, global_index));
  }

  /// The extents of the column. If tiles are partially filled, some of its coordinates belong to no
  /// element.
  constexpr Extents local_extents(Unit unit) const {
    Extents extents{};
    const Index ntiles = _tiles.total(unit);
    if (ntiles == 0) return extents;
    const auto last = this->block(in_order(_tiles.find(unit, ntiles - 1).cell));
    if (ntiles == 1) return last.extents();
    for (std::size_t d = 0; d < N; ++d)
      extents[d] = static_cast<Size>(_dims[d].blocksize());
    extents[order(0)] =
        extents[order(0)] * static_cast<Size>(ntiles - 1) + last.extents()[order(0)];
    return extents;
  }
  constexpr Size local_size(Unit unit) const { return static_cast<Size>(_elements.total(unit)); }
  constexpr Size local_capacity() const {
    Index max_dividend = 0;
    for (Index unit = 0; unit < num_units(); ++unit)
      max_dividend = std::max(max_dividend, _tiles.total(unit));
    return static_cast<Size>(max_dividend) * this->max_blocksize();
  }

  constexpr Extents local_blocks(Unit unit) const {
    Extents blocks{};
    blocks.fill(1);
    blocks[order(0)] = static_cast<Size>(_tiles.total(unit));
    return blocks;
  }
  constexpr Index local_block_at(const Coords& coords) const {
    return _tiles.before(in_order(this->block_at(coords)));
  }
  constexpr Coords block_of(Unit unit, Index local_block) const {
    return in_order(_tiles.find(unit, local_block).cell);
  }
  constexpr Coords local_block_offsets(Unit, Index local_block) const {
    Coords offsets{};
    offsets[order(0)] = local_block * _dims[order(0)].blocksize();
    return offsets;
  }

  constexpr bool owns_any(Unit unit, const View& view) const {
    Coords begin{};
    Extents counts{};
    for (std::size_t d = 0; d < N; ++d) {
      const Index first = std::max<Index>(view.offsets()[d], 0);
      const Index last = std::min(view.range(static_cast<dim_t>(d)).end, _dims[d].extent());
      if (first >= last) return false;
      begin[d] = _dims[d].block_at(first);
      // A number of consecutive tiles equal to the number of units covers all residues.
      counts[d] =
          static_cast<Size>(std::min(_dims[d].block_at(last - 1) - begin[d] + 1, num_units()));
    }
    const CartesianIndexSpace<NumDimensions, Arrangement, IndexType> tiles(counts);
    for (Index i = 0; i < static_cast<Index>(tiles.size()); ++i) {
      auto tile = tiles.coords(i);
      for (std::size_t d = 0; d < N; ++d)
        tile[d] += begin[d];
      if (_tiles.owner(in_order(tile)) == unit) return true;
    }
    return false;
  }

  /// See GridMapping.
  template <class Fn>
  constexpr void for_each_part_of_row(Unit unit, const Coords& row, Index begin, Index end,
                                      Fn fn) const {
    const auto& dim = _dims[Types::contiguous];
    const Index residue = _tiles.residue_in_row(unit, in_order(this->block_at(row)));
    const Index ahead = residue - _tiles.modulo_units(dim.block_at(begin));
    dim.for_each_part(begin, end, ahead < 0 ? ahead + num_units() : ahead, num_units(), fn);
  }

  /// \overload by the linear global index. If all tiles are full, the index within a tile is the
  ///         same in the range and in memory.
  constexpr Location location(Index global_index) const {
    if (!this->has_full_blocks()) return location(coords(global_index));
    return this->divide_fast(
        [&](auto by) { return full_location_with<decltype(by)>(global_index); });
  }
  constexpr Index global_of_local(Unit unit, Index local_index) const {
    if (!this->has_full_blocks()) return global_at(coords_of_local(unit, local_index));
    return this->divide_fast(
        [&](auto by) { return full_global_with<decltype(by)>(unit, local_index); });
  }

  constexpr ContiguousBlock contiguous_block_at(Index global_index) const {
    const auto at = Order::tile(Whole{*this}, global_index);
    const auto cell = in_order(at.block);
    const Index in_tile = phase(at);
    const Index before = _elements.before(cell);
    // A single unit stores all elements in the order of the range.
    Index length = num_units() == 1 ? _elements.total(0) - before : 1;
    if (num_units() > 1) {
      for (const Index extent : Order::extents(Whole{*this}, at.block))
        length *= extent;
    }
    return {_elements.owner(cell), before + in_tile, length - in_tile};
  }
  constexpr ContiguousBlock contiguous_block_in(const Coords& at, const View& view) const {
    const auto begin = location(at);
    return {begin.unit, begin.index, Order::length_in(*this, at, view)};
  }

 protected:
  using Base::_dims;

 private:
  using Base::_needs_no_shift;

  template <class Division>
  [[gnu::always_inline]] constexpr Location location_with(const Coords& coords) const {
    const auto at = Order::template tile_of<Division>(*this, coords);
    const auto cell = in_order(at.block);
    const Index owner = _tiles.template owner<Division>(cell);
    if (this->has_full_blocks()) {
      return {owner, _tiles.template before<Division>(cell) * this->block_volume() +
                         Order::phase_full(*this, at.phase)};
    }
    return {owner, _elements.template before<Division>(cell) + phase(at)};
  }
  template <class Division>
  [[gnu::always_inline]] constexpr Coords coords_of_local_with(Unit unit, Index local_index) const {
    if (this->has_full_blocks()) {
      const Index number = this->template divide_by_block_volume<Division>(local_index);
      const auto tile = in_order(_tiles.template find<Division>(unit, number).cell);
      return Order::coords_of(*this, tile,
                              Order::template phase_coords_full<Division>(
                                  *this, local_index - number * this->block_volume()));
    }
    const auto found = _elements.template find<Division>(unit, local_index);
    const auto tile = in_order(found.cell);
    return Order::coords_of(*this, tile,
                            Order::template phase_coords<Division>(*this, tile, found.rest));
  }
  template <class Division>
  [[gnu::always_inline]] constexpr Location full_location_with(Index global_index) const {
    const Index tile = this->template divide_by_block_volume<Division>(global_index);
    const auto cell = cell_of<Division>(tile);
    return {_tiles.template owner<Division>(cell),
            global_index + (_tiles.template before<Division>(cell) - tile) * this->block_volume()};
  }
  template <class Division>
  [[gnu::always_inline]] constexpr Index full_global_with(Unit unit, Index local_index) const {
    const Index local_tile = this->template divide_by_block_volume<Division>(local_index);
    const auto cell = _tiles.template find<Division>(unit, local_tile).cell;
    Index tile = cell[0];
    for_each_dim<N - 1>(
        [&](std::size_t i) { tile = tile * _dims[order(i + 1)].nblocks() + cell[i + 1]; });
    return local_index + (tile - local_tile) * this->block_volume();
  }

  /// The largest dividend: the orders of tiles also divide products of tile coordinates and steps,
  /// where steps are less than the number of units.
  constexpr std::uint64_t max_dividend_of(const Extents& extents, Index nunits) const {
    std::uint64_t max_dividend = Base::max_dividend_of(extents);
    for (const auto& dim : _dims) {
      const std::uint64_t tiles = to_unsigned(dim.nblocks());
      if (tiles > FastDivisor::largest / 2 / (to_unsigned(nunits) + 1)) return FastDivisor::largest;
      max_dividend = std::min(max_dividend + tiles * to_unsigned(nunits), FastDivisor::largest);
    }
    return max_dividend;
  }

  /// Permutes coordinates to axes, the outermost first, and back.
  static constexpr Coords in_order(const Coords& coords) {
    Coords result{};
    for_each_dim<N>([&](std::size_t i) { result[i] = coords[order(i)]; });
    return result;
  }

  /// The coordinates of a tile, from its number in the range.
  template <class Division>
  constexpr Coords cell_of(Index tile) const {
    Coords cell{};
    if constexpr (N > 1) {
      for_each_dim<N - 1>([&](std::size_t i) {
        const std::size_t axis = N - 1 - i;
        const auto tiles = _dims[order(axis)].blocks();
        const Index above = Division::divide(tiles.by, tile);
        cell[axis] = tile - above * tiles.count;
        tile = above;
      });
    }
    cell[0] = tile;
    return cell;
  }

  constexpr Index phase(const Tile& at) const {
    return Order::phase(at.phase, Order::extents(Whole{*this}, at.block));
  }
  constexpr Tile local_tile(Unit unit, const Coords& local_coords) const {
    const Index number = _dims[order(0)].block_at(local_coords[order(0)]);
    Tile at{block_of(unit, number), local_coords};
    at.phase[order(0)] -= number * _dims[order(0)].blocksize();
    return at;
  }

  Elements _elements;
  Tiles _tiles;
};

}  // namespace dash::internal
