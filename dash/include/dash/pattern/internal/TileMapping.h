#pragma once

#include <array>
#include <cstddef>
#include <type_traits>

#include "dash/pattern/internal/GridMapping.h"
#include "dash/pattern/internal/TileOrder.h"

namespace dash::internal {

/// Tiles distributed to a grid of units. The elements of a tile are contiguous in memory, and the
/// linear global index also proceeds tile by tile.
template <dim_t NumDimensions, MemArrange Arrangement, typename IndexType>
class TileMapping : public GridMapping<NumDimensions, Arrangement, IndexType, TiledRange> {
  using Base = GridMapping<NumDimensions, Arrangement, IndexType, TiledRange>;
  using Range = TiledRange<NumDimensions, Arrangement, IndexType>;
  using Order = TileOrder<Range>;
  using Whole = WholeAxes<Range>;
  using Local = LocalAxes<Range>;
  using TilePosition = typename Order::TilePosition;

 public:
  using Base::N;
  using Base::order;
  using typename Base::ContiguousBlock;
  using typename Base::Coords;
  using typename Base::Index;
  using typename Base::Location;
  using typename Base::Unit;
  using typename Base::View;

  constexpr TileMapping() = default;
  constexpr TileMapping(const typename Base::Extents& extents,
                        const std::array<Distribution, N>& distributions,
                        const typename Base::Extents& units)
      : Base(extents, distributions, units), _rows(*this, Base::max_dividend_of(extents)) {
    _needs_no_shift = _needs_no_shift && _rows.needs_no_shift();
  }

  constexpr Location location(const Coords& coords) const {
    return this->divide_fast([&](auto by) { return location_with<decltype(by)>(coords); });
  }
  constexpr Index local_at(const Unit& unit, const Coords& local_coords) const {
    // Tiles have the same extents in local coordinates.
    return Order::index(Local{*this, unit}, Order::tile_of(*this, local_coords));
  }
  constexpr Coords coords_of_local(const Unit& unit, Index local_index) const {
    return this->divide_fast(
        [&](auto by) { return coords_of_local_with<decltype(by)>(unit, local_index); });
  }

  constexpr Index global_at(const Coords& coords) const {
    return Order::index(Whole{*this}, Order::tile_of(*this, coords));
  }
  constexpr Coords coords(Index global_index) const {
    return this->divide_fast([&](auto by) {
      return Order::coords_of(*this,
                              Order::template tile<decltype(by)>(Whole{*this}, global_index));
    });
  }

  /// \overload by the linear global index. Does not compute coordinates, because the index of an
  ///         element within its tile is the same in the range and in memory.
  constexpr Location location(Index global_index) const {
    return this->divide_fast([&](auto by) { return location_with<decltype(by)>(global_index); });
  }
  constexpr Index global_of_local(const Unit& unit, Index local_index) const {
    return this->divide_fast(
        [&](auto by) { return global_of_local_with<decltype(by)>(unit, local_index); });
  }

  constexpr ContiguousBlock contiguous_block_at(Index global_index) const {
    const Whole axes{*this};
    const auto at = Order::tile(axes, global_index);
    const auto begin = location(Order::coords_of(*this, at));
    // The contiguous block ends with a layer of tiles: starting with the contiguous dimension, in
    // the first dimension that is distributed.
    auto layer = at.block;
    Index length = 1;
    std::size_t i = N - 1;
    for (; i > 0 && _dims[order(i)].is_whole(); --i) {
      layer[order(i)] = 0;
      length *= _dims[order(i)].extent();
    }
    for (std::size_t outer = 0; outer <= i; ++outer) {
      const auto d = order(outer);
      length *= _dims[d].block_extent(layer[d]);
    }
    const Index layer_begin = Order::begin(axes, layer, Order::extents(axes, at.block));
    return {begin.unit, begin.index, layer_begin + length - global_index};
  }
  constexpr ContiguousBlock contiguous_block_in(const Coords& at, const View& view) const {
    const auto begin = location(at);
    return {begin.unit, begin.index, Order::length_in(*this, at, view)};
  }

 protected:
  using Base::_dims;
  using Base::_needs_no_shift;

 private:
  template <class Division>
  [[gnu::always_inline]] constexpr Location location_with(const Coords& coords) const {
    Coords unit{};
    Coords block{};
    typename Order::Tile at{};
    for_each_dim<N>([&](std::size_t d) {
      const auto in_dim = _dims[d].template block_location<Division>(coords[d]);
      unit[d] = in_dim.unit;
      block[d] = in_dim.block;
      at.block[d] = in_dim.local_block;
      at.phase[d] = in_dim.phase;
    });
    return {this->unit_of(unit), begin_of_local(unit, at.block, block) +
                                     Order::phase(at.phase, Order::extents(Whole{*this}, block))};
  }

  template <class Division>
  [[gnu::always_inline]] constexpr Location location_with(Index global_index) const {
    const auto position = tile_position_in_range<Division>(global_index);
    Coords unit{};
    Coords local{};
    for_each_dim<N>([&](std::size_t d) {
      const auto in_dim = _dims[d].template owner_of_block<Division>(position.block[d]);
      unit[d] = in_dim.unit;
      local[d] = in_dim.local;
    });
    return {this->unit_of(unit), begin_of_local(unit, local, position.block) + position.number};
  }
  template <class Division>
  [[gnu::always_inline]] constexpr Index global_of_local_with(const Unit& unit,
                                                              Index local_index) const {
    const auto position = tile_position_of_local<Division>(unit, local_index);
    return begin_in_range(position.block) + position.number;
  }
  template <class Division>
  [[gnu::always_inline]] constexpr Coords coords_of_local_with(const Unit& unit,
                                                               Index local_index) const {
    const auto position = tile_position_of_local<Division>(unit, local_index);
    return Order::coords_of(
        *this, position.block,
        Order::template phase_coords<Division>(*this, position.block, position.number));
  }

  /// The tile of an element and the index of the element in the tile, from the element's linear
  /// global index, or from its index in its owner's memory.
  template <class Division>
  [[gnu::always_inline]] constexpr TilePosition tile_position_in_range(Index index) const {
    if constexpr (N == 2) {
      const auto row = _rows.row();
      const Index outer = Division::divide(row.by, index);
      return tile_position_in_row<Division>(outer, index - outer * row.count,
                                            [](Index inner) { return inner; });
    } else {
      return Order::template tile_position<Division>(Whole{*this}, index);
    }
  }
  template <class Division>
  [[gnu::always_inline]] constexpr TilePosition tile_position_of_local(const Unit& unit,
                                                                       Index index) const {
    const Local axes{*this, unit};
    if constexpr (N == 2) {
      const auto row = _rows.local_row(*this, unit[order(1)]);
      const Index outer = Division::divide(row.by, index);
      return tile_position_in_row<Division>(
          axes.block(order(0), outer), index - outer * row.count,
          [&](Index inner) { return axes.block(order(1), inner); });
    } else {
      auto position = Order::template tile_position<Division>(axes, index);
      position.block = Order::whole(axes, position.block);
      return position;
    }
  }
  template <class Division, class InRange>
  [[gnu::always_inline]] constexpr TilePosition tile_position_in_row(
      Index row, Index index, const InRange& in_range) const {
    const auto tile = _rows.tile_in(*this, row);
    const Index inner = Division::divide(tile.by, index);
    TilePosition position{};
    position.block[order(0)] = row;
    position.block[order(1)] = in_range(inner);
    position.number = index - inner * tile.count;
    return position;
  }

  /// Number of elements before a tile, in the range or in its owner's memory. \param local
  /// coordinates of the tile among those of its owner
  [[gnu::always_inline]] constexpr Index begin_in_range(const Coords& block) const {
    if constexpr (N == 2) {
      return block[order(0)] * _rows.row().count +
             block[order(1)] * _rows.tile_in(*this, block[order(0)]).count;
    } else {
      return Order::begin(Whole{*this}, block, Order::extents(Whole{*this}, block));
    }
  }
  [[gnu::always_inline]] constexpr Index begin_of_local(const Unit& unit, const Coords& local,
                                                        const Coords& block) const {
    if constexpr (N == 2) {
      return local[order(0)] * _rows.local_row(*this, unit[order(1)]).count +
             local[order(1)] * _rows.tile_in(*this, block[order(0)]).count;
    } else {
      return Order::begin(Local{*this, unit}, local, Order::extents(Whole{*this}, block));
    }
  }

  [[no_unique_address]] std::conditional_t<N == 2, TileRows<Range>, NoTileRows<Range>> _rows;
};

}  // namespace dash::internal
