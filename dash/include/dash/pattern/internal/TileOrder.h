#pragma once

#include <algorithm>
#include <array>
#include <cstddef>

#include "dash/pattern/internal/GridMapping.h"

namespace dash::internal {

/// The axes of a whole range that is cut into tiles.
template <class Range>
struct WholeAxes {
  using Index = typename Range::Index;
  const Range& range;

  constexpr Index extent(std::size_t d) const { return range.dim(d).extent(); }
  constexpr Index divide_by_extent(std::size_t d, Index index) const {
    return range.dim(d).divide_by_extent(index);
  }
  constexpr Index tiles(std::size_t d) const { return range.dim(d).nblocks(); }
  constexpr Index divide_by_tiles(std::size_t d, Index index) const {
    return range.dim(d).divide_by_nblocks(index);
  }
  constexpr Index block(std::size_t, Index tile) const { return tile; }
};

/// The axes of what one unit of a grid has of it.
template <class Range>
struct LocalAxes {
  using Index = typename Range::Index;
  const Range& range;
  const typename Range::Coords& unit;

  constexpr Index extent(std::size_t d) const { return range.dim(d).local_extent(unit[d]); }
  constexpr Index divide_by_extent(std::size_t d, Index index) const {
    return range.dim(d).divide_by_local_extent(unit[d], index);
  }
  constexpr Index tiles(std::size_t d) const { return range.dim(d).local_blocks(unit[d]); }
  constexpr Index divide_by_tiles(std::size_t d, Index index) const {
    return range.dim(d).divide_by_local_blocks(unit[d], index);
  }
  constexpr Index block(std::size_t d, Index tile) const {
    return range.dim(d).global_block(unit[d], tile);
  }
};

/// Linear indices of elements that lie tile by tile, the tiles in canonical order and so the elements
/// of each. The last tile of a dimension may be smaller; there are no gaps.
///
/// With tile numbers t, tile extents h, the full tile extent B and extents E, all by dimension from
/// the outermost one on, the tile of an element begins at
///
///     t0 B0 E1 E2 ... + h0 (t1 B1 E2 ... + h1 (t2 B2 ... + ...)):
///
/// in dimension d there are t_d slabs before it, each B_d thick, as long as the range in the
/// dimensions further in, and as thick as the tile in those further out.
template <class Range>
struct TileOrder {
  using Index = typename Range::Index;
  using Coords = typename Range::Coords;
  static constexpr std::size_t N = Range::N;

  struct Tile {
    Coords block;  ///< in the grid of the axes
    Coords phase;  ///< of the element in the tile
  };

  /// Number of elements of a tile in each dimension.
  template <class Axes>
  static constexpr Coords extents(const Axes& axes, const Coords& tile) {
    Coords result{};
    for (std::size_t d = 0; d < N; ++d)
      result[d] = axes.range.dim(d).block_extent(axes.block(d, tile[d]));
    return result;
  }

  /// Elements before a tile.
  template <class Axes>
  static constexpr Index begin(const Axes& axes, const Coords& tile, const Coords& extents) {
    Index result = 0;
    Index within = 1;
    for (std::size_t i = N; i-- > 0;) {
      const auto d = Range::order(i);
      result = tile[d] * axes.range.dim(d).blocksize() * within + extents[d] * result;
      within *= axes.extent(d);
    }
    return result;
  }

  static constexpr Index phase(const Coords& phase, const Coords& extents) {
    Index result = phase[Range::order(0)];
    for_each_dim<N - 1>([&](std::size_t i) {
      const auto d = Range::order(i + 1);
      result = result * extents[d] + phase[d];
    });
    return result;
  }

  template <class Axes>
  static constexpr Index index(const Axes& axes, const Tile& at) {
    if (axes.range.has_full_blocks()) {
      Index tile = at.block[Range::order(0)];
      Index in_tile = at.phase[Range::order(0)];
      for_each_dim<N - 1>([&](std::size_t i) {
        const auto d = Range::order(i + 1);
        tile = tile * axes.tiles(d) + at.block[d];
        in_tile = in_tile * axes.range.dim(d).blocksize() + at.phase[d];
      });
      return tile * axes.range.block_volume() + in_tile;
    }
    const auto tile_extents = extents(axes, at.block);
    return begin(axes, at.block, tile_extents) + phase(at.phase, tile_extents);
  }

  /// The inverse of index().
  template <class Axes>
  static constexpr Tile tile(const Axes& axes, Index index) {
    return axes.range.has_full_blocks() ? full_tile(axes, index) : any_tile(axes, index);
  }

  /// Coordinates in a tile of its index-th element.
  static constexpr Coords phase_coords(const Range& range, const Coords& block, Index index) {
    Coords result{};
    for_each_dim<N - 1>([&](std::size_t i) {
      const auto d = Range::order(N - 1 - i);
      const Index above = range.dim(d).divide_by_block_extent(block[d], index);
      result[d] = index - above * range.dim(d).block_extent(block[d]);
      index = above;
    });
    result[Range::order(0)] = index;
    return result;
  }

  /// The tile of an element.
  static constexpr Tile tile_of(const Range& range, const Coords& coords) {
    Tile at{};
    for_each_dim<N>([&](std::size_t d) {
      at.block[d] = range.dim(d).block_at(coords[d]);
      at.phase[d] = coords[d] - at.block[d] * range.dim(d).blocksize();
    });
    return at;
  }
  static constexpr Coords coords_of(const Range& range, const Tile& at) {
    Coords result{};
    for_each_dim<N>(
        [&](std::size_t d) { result[d] = at.block[d] * range.dim(d).blocksize() + at.phase[d]; });
    return result;
  }

  /// Elements from one on that are consecutive in a box and in the element's tile.
  static constexpr Index length_in(const Range& range, const Coords& coords,
                                   const typename Range::View& view) {
    Index stride = 1;
    Index within_stride = 0;
    std::size_t i = N - 1;
    for (; i > 0; --i) {
      // Rows of the box that are rows of the tile follow each other in both.
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

 private:
  template <class Axes>
  static constexpr Tile full_tile(const Axes& axes, Index index) {
    Tile at{};
    Index tile = axes.range.divide_by_block_volume(index);
    index -= tile * axes.range.block_volume();
    for_each_dim<N - 1>([&](std::size_t i) {
      const auto d = Range::order(N - 1 - i);
      const Index above = axes.divide_by_tiles(d, tile);
      at.block[d] = tile - above * axes.tiles(d);
      tile = above;
      const auto& dim = axes.range.dim(d);
      const Index rows = dim.divide_by_blocksize(index);
      at.phase[d] = index - rows * dim.blocksize();
      index = rows;
    });
    at.block[Range::order(0)] = tile;
    at.phase[Range::order(0)] = index;
    return at;
  }

  template <class Axes>
  static constexpr Tile any_tile(const Axes& axes, Index index) {
    std::array<Index, N> within{};  // elements of a slab one element thick
    within[N - 1] = 1;
    for (std::size_t i = N - 1; i > 0; --i)
      within[i - 1] = within[i] * axes.extent(Range::order(i));
    Tile at{};
    Coords full{};  // block numbers in the whole range
    Index thickness = 1;
    for (std::size_t i = 0; i < N; ++i) {
      const auto d = Range::order(i);
      Index slabs = index;
      for (std::size_t inner = N; --inner > i;)
        slabs = axes.divide_by_extent(Range::order(inner), slabs);
      for (std::size_t outer = 0; outer < i; ++outer)
        slabs = axes.range.dim(Range::order(outer))
                    .divide_by_block_extent(full[Range::order(outer)], slabs);
      const auto& dim = axes.range.dim(d);
      at.block[d] = dim.divide_by_blocksize(slabs);
      index -= at.block[d] * dim.blocksize() * within[i] * thickness;
      full[d] = axes.block(d, at.block[d]);
      thickness *= dim.block_extent(full[d]);
    }
    at.phase = phase_coords(axes.range, full, index);
    return at;
  }
};

}  // namespace dash::internal
