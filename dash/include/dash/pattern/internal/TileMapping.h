#pragma once

#include <array>
#include <cstddef>
#include <type_traits>

#include "dash/pattern/internal/GridMapping.h"
#include "dash/pattern/internal/TileOrder.h"

namespace dash::internal {

/// Tiles dealt to a grid of units. The elements of a tile are contiguous in memory, and the linear
/// global index goes tile by tile, too.
template <dim_t NumDimensions, MemArrange Arrangement, typename IndexType>
class TileMapping : public GridMapping<NumDimensions, Arrangement, IndexType, TiledRange> {
  using Base = GridMapping<NumDimensions, Arrangement, IndexType, TiledRange>;
  using Range = TiledRange<NumDimensions, Arrangement, IndexType>;
  using Order = TileOrder<Range>;
  using Whole = WholeAxes<Range>;
  using Local = LocalAxes<Range>;
  using Spot = typename Order::Spot;

 public:
  using Base::N;
  using Base::order;
  using typename Base::Coords;
  using typename Base::Index;
  using typename Base::Place;
  using typename Base::Run;
  using typename Base::Unit;
  using typename Base::View;

  constexpr TileMapping() = default;
  constexpr TileMapping(const typename Base::Extents& extents,
                        const std::array<Distribution, N>& distributions,
                        const typename Base::Extents& units)
      : Base(extents, distributions, units), _rows(*this, Base::largest_dividend(extents)) {
    _needs_no_shift = _needs_no_shift && _rows.needs_no_shift();
  }

  constexpr Place place(const Coords& coords) const {
    return this->divide_fast([&](auto by) { return place_by<decltype(by)>(coords); });
  }
  constexpr Index local_at(const Unit& unit, const Coords& local_coords) const {
    // Tiles are of the same extents in local coordinates.
    return Order::index(Local{*this, unit}, Order::tile_of(*this, local_coords));
  }
  constexpr Coords coords_of_local(const Unit& unit, Index local_index) const {
    return this->divide_fast(
        [&](auto by) { return coords_of_local_by<decltype(by)>(unit, local_index); });
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

  /// \overload by the linear global index. Not by way of the coordinates, as the number of an element
  /// in its tile is the same in the range and in memory
  constexpr Place place(Index global_index) const {
    return this->divide_fast([&](auto by) { return place_by<decltype(by)>(global_index); });
  }
  constexpr Index global_of_local(const Unit& unit, Index local_index) const {
    return this->divide_fast(
        [&](auto by) { return global_of_local_by<decltype(by)>(unit, local_index); });
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
  using Base::_needs_no_shift;

 private:
  template <class Division>
  [[gnu::always_inline]] constexpr Place place_by(const Coords& coords) const {
    Coords unit{};
    Coords block{};
    typename Order::Tile at{};
    for_each_dim<N>([&](std::size_t d) {
      const auto in_dim = _dims[d].template block_place<Division>(coords[d]);
      unit[d] = in_dim.unit;
      block[d] = in_dim.block;
      at.block[d] = in_dim.local_block;
      at.phase[d] = in_dim.phase;
    });
    return {this->unit_of(unit), begin_of_local(unit, at.block, block) +
                                     Order::phase(at.phase, Order::extents(Whole{*this}, block))};
  }

  template <class Division>
  [[gnu::always_inline]] constexpr Place place_by(Index global_index) const {
    const auto spot = spot_in_range<Division>(global_index);
    Coords unit{};
    Coords local{};
    for_each_dim<N>([&](std::size_t d) {
      const auto in_dim = _dims[d].template owner_of_block<Division>(spot.block[d]);
      unit[d] = in_dim.unit;
      local[d] = in_dim.local;
    });
    return {this->unit_of(unit), begin_of_local(unit, local, spot.block) + spot.number};
  }
  template <class Division>
  [[gnu::always_inline]] constexpr Index global_of_local_by(const Unit& unit,
                                                            Index local_index) const {
    const auto spot = spot_of_local<Division>(unit, local_index);
    return begin_in_range(spot.block) + spot.number;
  }
  template <class Division>
  [[gnu::always_inline]] constexpr Coords coords_of_local_by(const Unit& unit,
                                                             Index local_index) const {
    const auto spot = spot_of_local<Division>(unit, local_index);
    return Order::coords_of(*this, spot.block,
                            Order::template phase_coords<Division>(*this, spot.block, spot.number));
  }

  /// The tile of an element in the range and its number there: by its linear global index, or by
  /// that in its owner's memory.
  template <class Division>
  [[gnu::always_inline]] constexpr Spot spot_in_range(Index index) const {
    if constexpr (N == 2) {
      const auto row = _rows.row();
      const Index outer = Division::divide(row.by, index);
      return spot_in_row<Division>(outer, index - outer * row.count,
                                   [](Index inner) { return inner; });
    } else {
      return Order::template spot<Division>(Whole{*this}, index);
    }
  }
  template <class Division>
  [[gnu::always_inline]] constexpr Spot spot_of_local(const Unit& unit, Index index) const {
    const Local axes{*this, unit};
    if constexpr (N == 2) {
      const auto row = _rows.local_row(*this, unit[order(1)]);
      const Index outer = Division::divide(row.by, index);
      return spot_in_row<Division>(axes.block(order(0), outer), index - outer * row.count,
                                   [&](Index inner) { return axes.block(order(1), inner); });
    } else {
      auto spot = Order::template spot<Division>(axes, index);
      spot.block = Order::whole(axes, spot.block);
      return spot;
    }
  }
  template <class Division, class InRange>
  [[gnu::always_inline]] constexpr Spot spot_in_row(Index row, Index index,
                                                    const InRange& in_range) const {
    const auto tile = _rows.tile_in(*this, row);
    const Index inner = Division::divide(tile.by, index);
    Spot spot{};
    spot.block[order(0)] = row;
    spot.block[order(1)] = in_range(inner);
    spot.number = index - inner * tile.count;
    return spot;
  }

  /// Elements before a tile of the range, in the range and in its owner's memory. \param local  the
  /// tile among those of its owner
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
