#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <memory>
#include <type_traits>
#include <utility>
#include <vector>

#include "dash/Types.h"
#include "dash/pattern/PatternProperties.h"
#include "dash/view/internal/IndexMap.h"
#include "dash/view/internal/LocalPart.h"
#include "dash/view/internal/Sources.h"

namespace dash::internal {

/// Whether the blocks of a pattern have irregular sizes, beyond smaller last blocks of a dimension:
/// CSR and load balanced patterns, in which each unit has one block.
template <class Pattern>
inline constexpr bool has_irregular_blocks =
    Pattern::ndim() == 1 &&
    pattern_partitioning_traits<Pattern>::type::minimal&& pattern_partitioning_traits<
        Pattern>::type::unbalanced;

/// Sources whose elements are in blocks, of all units or of one.
template <class Source>
inline constexpr bool is_global_source = false;
template <class It>
inline constexpr bool is_global_source<GlobalSource<It>> = true;
template <class Source>
inline constexpr bool is_unit_source = false;
template <class T, class Pattern, dim_t K>
inline constexpr bool is_unit_source<LocalSource<T, Pattern, K>> = true;
template <class It, dim_t K>
inline constexpr bool is_unit_source<RemoteSource<It, K>> = true;

/// One dimension of the blocks that contain elements of a view. The n-th of these blocks has the
/// view's indices begin(n) ... begin(n + 1) - 1 and the number block(n) in the dimension.
template <class Index>
class RegularBlocks {
 public:
  RegularBlocks() = default;
  /// \param base, extent, stride  selection of the view in this dimension
  RegularBlocks(Index base, Index extent, Index stride, Index blocksize)
      : _base(base), _extent(extent), _stride(stride), _blocksize(blocksize) {
    if (extent == 0 || blocksize == 0) return;
    _first = base / blocksize;
    const Index last = (base + (extent - 1) * stride) / blocksize;
    // A step not smaller than a block selects elements of a different block each time.
    _count = stride < blocksize ? last - _first + 1 : extent;
  }

  Index count() const { return _count; }
  Index block(Index n) const {
    return _stride < _blocksize ? _first + n : (_base + n * _stride) / _blocksize;
  }
  Index begin(Index n) const {
    if (_stride >= _blocksize) return n;
    const Index distance = (_first + n) * _blocksize - _base;
    return distance <= 0 ? 0 : std::min(_extent, (distance + _stride - 1) / _stride);
  }

 private:
  Index _base = 0;
  Index _extent = 0;
  Index _stride = 1;
  Index _blocksize = 0;
  Index _first = 0;
  Index _count = 0;
};

/// The same for irregular blocks, as a list.
template <class Index>
class ListedBlocks {
 public:
  ListedBlocks() = default;
  /// \param next_block  for the n-th of `extent` indices: {number of its block, index past the
  ///         block}
  template <class NextBlock>
  ListedBlocks(Index extent, NextBlock next_block) {
    auto blocks = std::make_shared<std::vector<Block>>();
    for (Index n = 0; n < extent;) {
      const auto [number, end] = next_block(n);
      if (blocks->empty() || blocks->back().number != number) blocks->push_back({n, number});
      n = end;
    }
    _count = static_cast<Index>(blocks->size());
    blocks->push_back({extent, 0});
    _blocks = std::move(blocks);
  }

  Index count() const { return _count; }
  Index block(Index n) const { return (*_blocks)[static_cast<std::size_t>(n)].number; }
  Index begin(Index n) const { return (*_blocks)[static_cast<std::size_t>(n)].begin; }

 private:
  struct Block {
    Index begin;
    Index number;
  };

  std::shared_ptr<const std::vector<Block>> _blocks;
  Index _count = 0;
};

/// The blocks that contain elements of a map to linear indices in the memory of a unit.
template <class Source, class Map>
auto blocks_of_list(const Source& source, const Map& map) {
  using Index = typename Map::index_type;
  return ListedBlocks<Index>(map.size(), [&](Index n) {
    const auto& pattern = source.pattern();
    const Index global = pattern.global(source.unit(), map.coordinate(0, n));
    const Index number = pattern.local_block_at(pattern.coords(global)).index;
    return std::pair<Index, Index>(number, n + 1);
  });
}

/// The blocks that contain elements of a map, in a pattern with one irregular block for each unit.
template <class Source, class Map>
auto irregular_blocks(const Source& source, const Map& map) {
  using Index = typename Map::index_type;
  return ListedBlocks<Index>(map.size(), [&](Index n) {
    if constexpr (is_unit_source<Source>) {
      return std::pair<Index, Index>(0, map.size());
    } else {
      const auto& pattern = source.pattern();
      const Index at = map.coordinate(0, n);
      const Index number = pattern.block_at({{at}});
      // The number of list elements in a block is not known without reading the list.
      if constexpr (Map::spacing == Spacing::listed) return std::pair<Index, Index>(number, n + 1);
      const Index end = pattern.block(number).range(0).end;
      return std::pair<Index, Index>(number, n + (end - at + map.stride(0) - 1) / map.stride(0));
    }
  });
}

/// The blocks that contain elements of a map, in one dimension of the source.
template <class Source, class Map>
auto blocks_in_dimension(const Source& source, const Map& map, std::size_t k) {
  using Index = typename Map::index_type;
  using Pattern = typename Source::pattern_type;
  if constexpr (Source::ndim < Pattern::ndim()) {
    return blocks_of_list(source, map);
  } else if constexpr (has_irregular_blocks<Pattern>) {
    return irregular_blocks(source, map);
  } else {
    const bool empty = map.size() == 0;
    const auto [extent, stride] = map.progression(k);
    const Index blocksize =
        empty ? 0 : static_cast<Index>(source.pattern().blocksize(static_cast<dim_t>(k)));
    if constexpr (Map::spacing == Spacing::listed) {
      return ListedBlocks<Index>(empty ? 0 : extent, [&](Index n) {
        return std::pair<Index, Index>(map.coordinate_in(k, n) / blocksize, n + 1);
      });
    } else {
      return RegularBlocks<Index>(map.base()[k], empty ? 0 : extent, stride, blocksize);
    }
  }
}

/// The blocks that contain elements of a view, in the order of the pattern's grid of blocks.
template <class Source, class Map>
class BlockGrid {
  static constexpr std::size_t K = static_cast<std::size_t>(Map::origin_ndim);
  using Pattern = typename Source::pattern_type;
  using Dimension = decltype(blocks_in_dimension(std::declval<const Source&>(),
                                                 std::declval<const Map&>(), std::size_t{}));

 public:
  using index_type = typename Map::index_type;

  BlockGrid() = default;
  BlockGrid(const Source& source, const Map& map) {
    _count = 1;
    for (std::size_t k = 0; k < K; ++k) {
      _dims[k] = blocks_in_dimension(source, map, k);
      _count *= _dims[k].count();
    }
  }

  index_type count() const { return _count; }

  /// The part of the map in the n-th block.
  Map part(const Map& map, index_type n) const {
    const auto coords = coords_of(n);
    Map result = map;
    for (std::size_t m = 0; m < static_cast<std::size_t>(Map::ndim); ++m) {
      const auto& dim = _dims[map.dim(m)];
      const auto c = coords[map.dim(m)];
      const auto end = c + 1 < dim.count() ? dim.begin(c + 1) : map.extent(m);
      result = result.sub(m, dim.begin(c), end);
    }
    return result;
  }

  /// Number of the n-th block among the blocks of the pattern, or of the unit.
  index_type number(const Source& source, index_type n) const {
    auto coords = coords_of(n);
    for (std::size_t k = 0; k < K; ++k)
      coords[k] = _dims[k].block(coords[k]);
    if constexpr (K == 1) {
      return coords[0];
    } else if constexpr (is_global_source<Source>) {
      return source.pattern().blockspec().at(coords);
    } else if (source.unit() == source.pattern().team().myid()) {
      return source.pattern().local_blockspec().at(coords);
    } else {
      return source.pattern().local_blockspec(source.unit()).at(coords);
    }
  }

 private:
  std::array<index_type, K> coords_of(index_type n) const {
    std::array<index_type, K> coords{};
    for (std::size_t i = 0; i < K; ++i) {
      const std::size_t k = Pattern::memory_order() == ROW_MAJOR ? K - 1 - i : i;
      coords[k] = n % _dims[k].count();
      n /= _dims[k].count();
    }
    return coords;
  }

  std::array<Dimension, K> _dims;
  index_type _count = 0;
};

}  // namespace dash::internal
