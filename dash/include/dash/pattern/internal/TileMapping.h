#pragma once

#include <cstddef>

#include "dash/pattern/internal/GridMapping.h"
#include "dash/pattern/internal/TileOrder.h"

namespace dash::internal {

/// Tiles dealt to a grid of units. The elements of a tile are contiguous in memory, and the linear
/// global index goes tile by tile, too.
template <dim_t NumDimensions, MemArrange Arrangement, typename IndexType>
class TileMapping : public GridMapping<NumDimensions, Arrangement, IndexType> {
  using Base = GridMapping<NumDimensions, Arrangement, IndexType>;
  using Range = BlockedRange<NumDimensions, Arrangement, IndexType>;
  using Order = TileOrder<Range>;
  using Whole = WholeAxes<Range>;
  using Local = LocalAxes<Range>;

 public:
  using Base::N;
  using Base::order;
  using typename Base::Coords;
  using typename Base::Index;
  using typename Base::Place;
  using typename Base::Run;
  using typename Base::Unit;
  using typename Base::View;

  using Base::Base;
  constexpr TileMapping() = default;

  constexpr Place place(const Coords& coords) const {
    Coords unit{};
    typename Order::Tile at{};
    for_each_dim<N>([&](std::size_t d) {
      const auto in_dim = _dims[d].block_place(coords[d]);
      unit[d] = in_dim.unit;
      at.block[d] = in_dim.local_block;
      at.phase[d] = in_dim.phase;
    });
    return {this->unit_of(unit), Order::index(Local{*this, unit}, at)};
  }
  constexpr Index local_at(const Unit& unit, const Coords& local_coords) const {
    // Tiles are of the same extents in local coordinates.
    return Order::index(Local{*this, unit}, Order::tile_of(*this, local_coords));
  }
  constexpr Coords coords_of_local(const Unit& unit, Index local_index) const {
    const Local axes{*this, unit};
    auto at = Order::tile(axes, local_index);
    for_each_dim<N>([&](std::size_t d) { at.block[d] = axes.block(d, at.block[d]); });
    return Order::coords_of(*this, at);
  }

  constexpr Index global_at(const Coords& coords) const {
    return Order::index(Whole{*this}, Order::tile_of(*this, coords));
  }
  constexpr Coords coords(Index global_index) const {
    return Order::coords_of(*this, Order::tile(Whole{*this}, global_index));
  }

  /// \overload by the linear global index: where all tiles are full, the place in a tile is the same
  /// in the range and in memory
  constexpr Place place(Index global_index) const {
    if (!this->has_full_blocks()) return place(coords(global_index));
    Index tile = this->divide_by_block_volume(global_index);
    const Index in_tile = global_index - tile * this->block_volume();
    Coords unit{};
    Coords local{};
    for_each_dim<N>([&](std::size_t i) {
      const auto d = order(N - 1 - i);
      const Index above = i + 1 < N ? _dims[d].divide_by_nblocks(tile) : 0;
      const auto in_dim = _dims[d].owner_of_block(tile - above * _dims[d].nblocks());
      unit[d] = in_dim.unit;
      local[d] = in_dim.local;
      tile = above;
    });
    Index local_tile = local[order(0)];
    for_each_dim<N - 1>([&](std::size_t i) {
      const auto d = order(i + 1);
      local_tile = local_tile * _dims[d].local_blocks(unit[d]) + local[d];
    });
    return {this->unit_of(unit), local_tile * this->block_volume() + in_tile};
  }
  constexpr Index global_of_local(const Unit& unit, Index local_index) const {
    if (!this->has_full_blocks()) return global_at(coords_of_local(unit, local_index));
    Index local_tile = this->divide_by_block_volume(local_index);
    const Index in_tile = local_index - local_tile * this->block_volume();
    Coords tile{};
    for_each_dim<N>([&](std::size_t i) {
      const auto d = order(N - 1 - i);
      const Index above = i + 1 < N ? _dims[d].divide_by_local_blocks(unit[d], local_tile) : 0;
      tile[d] = _dims[d].global_block(unit[d], local_tile - above * _dims[d].local_blocks(unit[d]));
      local_tile = above;
    });
    Index number = tile[order(0)];
    for_each_dim<N - 1>([&](std::size_t i) {
      const auto d = order(i + 1);
      number = number * _dims[d].nblocks() + tile[d];
    });
    return number * this->block_volume() + in_tile;
  }

  constexpr Run run_at(Index global_index) const {
    const Whole axes{*this};
    const auto at = Order::tile(axes, global_index);
    const auto begin = place(Order::coords_of(*this, at));
    // Up to the end of the slab of tiles in the first dimension, from the contiguous one on, that is
    // not one unit's as a whole.
    auto slab = at.block;
    Index length = 1;
    std::size_t i = N - 1;
    for (; i > 0 && _dims[order(i)].is_whole(); --i) {
      slab[order(i)] = 0;
      length *= _dims[order(i)].extent();
    }
    for (std::size_t outer = 0; outer <= i; ++outer) {
      const auto d = order(outer);
      length *= _dims[d].block_extent(slab[d]);
    }
    const Index slab_begin = Order::begin(axes, slab, Order::extents(axes, at.block));
    return {begin.unit, begin.index, slab_begin + length - global_index};
  }
  constexpr Run run_in(const Coords& at, const View& view) const {
    const auto begin = place(at);
    return {begin.unit, begin.index, Order::length_in(*this, at, view)};
  }

 protected:
  using Base::_dims;
};

}  // namespace dash::internal
