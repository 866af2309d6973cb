#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>

#include "dash/pattern/internal/GridMapping.h"

namespace dash::internal {

/// Numbers of elements of rows of tiles in two dimensions, which serve as divisors of linear
/// indices. They need fewer multiplications than a division for each dimension.
template <class Range>
class TileRows {
  using Index = typename Range::Index;
  using Count = DivisorCount<Index>;

 public:
  constexpr TileRows() = default;
  constexpr TileRows(const Range& range, std::uint64_t max_dividend) {
    const auto& outer = range.dim(Range::order(0));
    const auto& inner = range.dim(Range::order(1));
    // If there is only one tile, its underfill does not matter, and might overflow Index.
    const Index height = std::min(outer.blocksize(), outer.extent());
    const Index width = std::min(inner.blocksize(), inner.extent());
    _row = Count(height * inner.extent(), max_dividend);
    _tiles = {Count(height * width, max_dividend),
              Count((outer.blocksize() - outer.underfill()) * width, max_dividend)};
    for (std::size_t share = 0; share < _local_rows.size(); ++share)
      _local_rows[share] = Count(height * inner.local_extent(inner.unit_with(share)), max_dividend);
  }
  constexpr bool needs_no_shift() const {
    bool result = _row.by.needs_no_shift();
    for (const Count& each : _tiles)
      result = result && each.by.needs_no_shift();
    for (const Count& each : _local_rows)
      result = result && each.by.needs_no_shift();
    return result;
  }

  /// The number for a row of full tiles in the range; or for a unit's part of it, by the unit's
  /// coordinate in the inner dimension.
  constexpr const Count& row() const { return _row; }
  constexpr Count local_row(const Range& range, Index unit) const {
    return range.dim(Range::order(1)).share_of(unit, _local_rows);
  }
  /// The number for a tile of a row other than the last.
  constexpr Count tile_in(const Range& range, Index row) const {
    return Count::either(range.dim(Range::order(0)).is_last(row), _tiles[1], _tiles[0]);
  }

 private:
  Count _row;
  std::array<Count, 2> _tiles;  // of full rows, and of the last row
  std::array<Count, Range::Dimension::shares> _local_rows;
};
template <class Range>
struct NoTileRows {
  constexpr NoTileRows() = default;
  constexpr NoTileRows(const Range&, std::uint64_t) {}
  constexpr bool needs_no_shift() const { return true; }
};

/// The axes of a complete tiled range.
template <class Range>
struct WholeAxes {
  using Index = typename Range::Index;
  const Range& range;

  constexpr auto extents(std::size_t d) const { return range.dim(d).extents(); }
  constexpr auto tiles(std::size_t d) const { return range.dim(d).blocks(); }
  constexpr Index block(std::size_t, Index tile) const { return tile; }
};

/// The axes of one unit's part of a tiled range.
template <class Range>
struct LocalAxes {
  using Index = typename Range::Index;
  const Range& range;
  const typename Range::Coords& unit;

  constexpr auto extents(std::size_t d) const { return range.dim(d).local_extents(unit[d]); }
  constexpr auto tiles(std::size_t d) const { return range.dim(d).blocks_of(unit[d]); }
  constexpr Index block(std::size_t d, Index tile) const {
    return range.dim(d).global_block(unit[d], tile);
  }
};

/// Linear indices of elements stored tile by tile, where the tiles, and the elements of each tile,
/// are in canonical order. The last tile of a dimension may be smaller; there are no gaps.
///
/// With tile numbers t, tile extents h, the full tile extent B and extents E, all by dimension, the
/// outermost first, a tile begins at
///
///     t0 B0 E1 E2 ... + h0 (t1 B1 E2 ... + h1 (t2 B2 ... + ...)):
///
/// in dimension d, t_d layers precede it. Each is B_d thick, as long as the range in the inner
/// dimensions, and as thick as the tile in the outer dimensions.
template <class Range>
struct TileOrder {
  using Index = typename Range::Index;
  using Coords = typename Range::Coords;
  static constexpr std::size_t N = Range::N;

  struct Tile {
    Coords block;  ///< in the grid of the axes
    Coords phase;  ///< of the element in the tile
  };
  /// An element, by its tile and its index in the tile.
  struct TilePosition {
    Coords block;  ///< of its tile, in the grid of the axes
    Index number;  ///< index of the element in the tile
  };

  /// Number of elements of a tile in each dimension.
  template <class Axes>
  static constexpr Coords extents(const Axes& axes, const Coords& tile) {
    Coords result{};
    for_each_dim<N>(
        [&](std::size_t d) { result[d] = axes.range.dim(d).block_extent(axes.block(d, tile[d])); });
    return result;
  }

  /// Number of elements before a tile.
  template <class Axes>
  static constexpr Index begin(const Axes& axes, const Coords& tile, const Coords& extents) {
    Index result = tile[Range::contiguous] * axes.range.dim(Range::contiguous).blocksize();
    if constexpr (N > 1) {
      Index within = 1;
      for_each_dim<N - 1>([&](std::size_t i) {
        const auto d = Range::order(N - 2 - i);
        within *= axes.extents(Range::order(N - 1 - i)).count;
        result = tile[d] * axes.range.dim(d).blocksize() * within + extents[d] * result;
      });
    }
    return result;
  }
  /// \overload for ranges of full tiles only
  template <class Axes>
  static constexpr Index begin_full(const Axes& axes, const Coords& tile) {
    Index number = tile[Range::order(0)];
    if constexpr (N > 1) {
      for_each_dim<N - 1>([&](std::size_t i) {
        const auto d = Range::order(i + 1);
        number = number * axes.tiles(d).count + tile[d];
      });
    }
    return number * axes.range.block_volume();
  }

  /// Index of an element in its tile.
  static constexpr Index phase(const Coords& phase, const Coords& extents) {
    Index result = phase[Range::order(0)];
    for_each_dim<N - 1>([&](std::size_t i) {
      const auto d = Range::order(i + 1);
      result = result * extents[d] + phase[d];
    });
    return result;
  }
  static constexpr Index phase_full(const Range& range, const Coords& phase) {
    Index result = phase[Range::order(0)];
    for_each_dim<N - 1>([&](std::size_t i) {
      const auto d = Range::order(i + 1);
      result = result * range.dim(d).blocksize() + phase[d];
    });
    return result;
  }

  template <class Axes>
  static constexpr Index index(const Axes& axes, const Tile& at) {
    if (axes.range.has_full_blocks()) {
      return begin_full(axes, at.block) + phase_full(axes.range, at.phase);
    }
    const auto tile_extents = extents(axes, at.block);
    return begin(axes, at.block, tile_extents) + phase(at.phase, tile_extents);
  }

  /// The inverse of begin() and begin_full().
  template <class Division, class Axes>
  static constexpr TilePosition tile_position(const Axes& axes, Index index) {
    return axes.range.has_full_blocks() ? full_tile_position<Division>(axes, index)
                                        : any_tile_position<Division>(axes, index);
  }
  /// The inverse of begin_full().
  template <class Division, class Axes>
  static constexpr TilePosition full_tile_position(const Axes& axes, Index index) {
    TilePosition tile_position{};
    Index tile = axes.range.template divide_by_block_volume<Division>(index);
    tile_position.number = index - tile * axes.range.block_volume();
    if constexpr (N > 1) {
      for_each_dim<N - 1>([&](std::size_t i) {
        const auto d = Range::order(N - 1 - i);
        const auto tiles = axes.tiles(d);
        const Index above = Division::divide(tiles.by, tile);
        tile_position.block[d] = tile - above * tiles.count;
        tile = above;
      });
    }
    tile_position.block[Range::order(0)] = tile;
    return tile_position;
  }

  /// The inverse of begin() for partially filled tiles, too.
  template <class Division, class Axes>
  static constexpr TilePosition any_tile_position(const Axes& axes, Index index) {
    TilePosition tile_position{};
    if constexpr (N == 1) {
      tile_position.block[0] = axes.range.dim(0).divide_by_blocksize(index);
      tile_position.number = index - tile_position.block[0] * axes.range.dim(0).blocksize();
    } else {
      Coords within{};  // elements of a layer of thickness one
      within[N - 1] = 1;
      for_each_dim<N - 1>([&](std::size_t i) {
        within[N - 2 - i] = within[N - 1 - i] * axes.extents(Range::order(N - 1 - i)).count;
      });
      Coords full{};  // block numbers in the whole range
      Index thickness = 1;
      for_each_dim<N>([&](std::size_t i) {
        const auto d = Range::order(i);
        const auto& dim = axes.range.dim(d);
        Index layers = index;
        for (std::size_t inner = N; --inner > i;)
          layers = Division::divide(axes.extents(Range::order(inner)).by, layers);
        layers = Division::divide(dim.by_blocksize(), layers);
        for (std::size_t outer = 0; outer < i; ++outer) {
          const auto e = Range::order(outer);
          layers = Division::divide(axes.range.dim(e).extents_of(full[e]).by, layers);
        }
        tile_position.block[d] = layers;
        index -= layers * dim.blocksize() * within[i] * thickness;
        full[d] = axes.block(d, layers);
        thickness *= dim.block_extent(full[d]);
      });
      tile_position.number = index;
    }
    return tile_position;
  }

  /// Coordinates of an element in its tile, from its index in the tile. \param block  tile in the
  /// whole range
  template <class Division = AnyDivision>
  static constexpr Coords phase_coords(const Range& range, const Coords& block, Index index) {
    Coords result{};
    if constexpr (N > 1) {
      for_each_dim<N - 1>([&](std::size_t i) {
        const auto d = Range::order(N - 1 - i);
        const auto extents = range.dim(d).extents_of(block[d]);
        const Index above = Division::divide(extents.by, index);
        result[d] = index - above * extents.count;
        index = above;
      });
    }
    result[Range::order(0)] = index;
    return result;
  }
  /// \overload for full tiles
  template <class Division>
  static constexpr Coords phase_coords_full(const Range& range, Index index) {
    Coords result{};
    for_each_dim<N - 1>([&](std::size_t i) {
      const auto d = Range::order(N - 1 - i);
      const Index above = Division::divide(range.dim(d).by_blocksize(), index);
      result[d] = index - above * range.dim(d).blocksize();
      index = above;
    });
    result[Range::order(0)] = index;
    return result;
  }

  /// The inverse of index(): the tile in the whole range, and the coordinates in it.
  template <class Division = AnyDivision, class Axes>
  static constexpr Tile tile(const Axes& axes, Index index) {
    const auto at = tile_position<Division>(axes, index);
    const auto block = whole(axes, at.block);
    return {block, phase_coords<Division>(axes.range, block, at.number)};
  }
  template <class Axes>
  static constexpr Coords whole(const Axes& axes, const Coords& block) {
    Coords result{};
    for_each_dim<N>([&](std::size_t d) { result[d] = axes.block(d, block[d]); });
    return result;
  }

  /// The tile of an element.
  template <class Division = AnyDivision>
  static constexpr Tile tile_of(const Range& range, const Coords& coords) {
    Tile at{};
    for_each_dim<N>([&](std::size_t d) {
      at.block[d] = Division::divide(range.dim(d).by_blocksize(), coords[d]);
      at.phase[d] = coords[d] - at.block[d] * range.dim(d).blocksize();
    });
    return at;
  }
  static constexpr Coords coords_of(const Range& range, const Coords& block, const Coords& phase) {
    Coords result{};
    for_each_dim<N>(
        [&](std::size_t d) { result[d] = block[d] * range.dim(d).blocksize() + phase[d]; });
    return result;
  }
  static constexpr Coords coords_of(const Range& range, const Tile& at) {
    return coords_of(range, at.block, at.phase);
  }

  /// Number of elements, starting with one, that are consecutive in a box and in the element's
  /// tile.
  static constexpr Index length_in(const Range& range, const Coords& coords,
                                   const typename Range::View& view) {
    Index stride = 1;
    Index within_stride = 0;
    std::size_t i = N - 1;
    for (; i > 0; --i) {
      // Rows of the box that are complete rows of the tile are adjacent in both.
      const auto d = Range::order(i);
      const Index block = range.dim(d).block_at(coords[d]);
      const Index block_begin = block * range.dim(d).blocksize();
      const Index extent = range.dim(d).block_extent(block);
      if (view.offsets()[d] != block_begin || static_cast<Index>(view.extents()[d]) != extent)
        break;
      within_stride += (coords[d] - block_begin) * stride;
      stride *= extent;
    }
    const auto d = Range::order(i);
    const auto& dim = range.dim(d);
    const Index block = dim.block_at(coords[d]);
    const Index end = std::min(block * dim.blocksize() + dim.block_extent(block),
                               view.range(static_cast<dim_t>(d)).end);
    return (end - coords[d]) * stride - within_stride;
  }
};

}  // namespace dash::internal
