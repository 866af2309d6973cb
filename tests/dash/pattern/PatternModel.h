#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <map>
#include <set>
#include <utility>
#include <vector>

#include "dash/Distribution.h"
#include "dash/Types.h"
#include "dash/ViewSpec.h"

/// \file
/// The reference for mappings of index spaces to units, computed directly, element by element.

namespace dash::test {

using index_t = default_index_t;

/// Counts mismatches instead of asserting each comparison: an exhaustive test makes millions of
/// comparisons.
struct Mismatches {
  std::size_t checked = 0;
  std::size_t failed = 0;
  void operator()(bool ok) {
    ++checked;
    failed += ok ? 0 : 1;
  }
};

enum class Kind { block, tile, diagonal, sequential };

/// All elements in the order of the linear global index, and the memory of all units, filled by
/// distributing tile after tile.
template <dim_t N, MemArrange Order>
class Model {
 public:
  using Coords = std::array<index_t, N>;

  struct Element {
    Coords coords;
    Coords tile;
    index_t unit;
    index_t index;  // in the unit's memory
  };

  Model(Kind kind, Coords extents, const std::array<Distribution, N>& dists, Coords grid)
      : _extents(extents), _grid(grid) {
    Coords tiles{};
    for (std::size_t d = 0; d < N; ++d) {
      _blocksize[d] = dists[d].max_blocksize_in_range(extents[d], grid[d]);
      for (index_t g = 0; g < extents[d]; ++g)
        tiles[d] = g / _blocksize[d] + 1;
    }
    _tiles = tiles;
    if (kind == Kind::block) {
      fill_canonical();
      return;
    }
    std::map<index_t, index_t> next;
    index_t number = 0;
    for_each_coords({}, tiles, [&](const Coords& tile) {
      const index_t unit = kind == Kind::tile         ? grid_owner(tile)
                           : kind == Kind::sequential ? number % num_units()
                                                      : sum(tile) % num_units();
      ++number;
      Coords begin{};
      Coords size{};
      for (std::size_t d = 0; d < N; ++d) {
        begin[d] = tile[d] * _blocksize[d];
        size[d] = std::min(_blocksize[d], extents[d] - begin[d]);
      }
      for_each_coords(begin, size, [&](const Coords& coords) {
        elements.push_back({coords, tile, unit, next[unit]++});
      });
    });
  }

  index_t num_units() const {
    index_t units = 1;
    for (const index_t extent : _grid)
      units *= extent;
    return units;
  }
  const Coords& tiles() const { return _tiles; }
  const Coords& blocksizes() const { return _blocksize; }

  /// Enumerates coordinates in canonical order.
  template <class Fn>
  static void for_each_coords(const Coords& begin, const Coords& size, Fn fn) {
    index_t count = 1;
    for (const index_t extent : size)
      count *= extent;
    for (index_t i = 0; i < count; ++i) {
      index_t rest = i;
      Coords coords = begin;
      for (std::size_t k = N; k-- > 0;) {
        const std::size_t d = Order == ROW_MAJOR ? k : N - 1 - k;
        coords[d] += rest % size[d];
        rest /= size[d];
      }
      fn(coords);
    }
  }

  static index_t linear(const Coords& coords, const Coords& extents) {
    index_t index = 0;
    for (std::size_t i = 0; i < N; ++i) {
      const std::size_t d = Order == ROW_MAJOR ? i : N - 1 - i;
      index = index * extents[d] + coords[d];
    }
    return index;
  }

  std::vector<Element> elements;

 private:
  static index_t sum(const Coords& tile) {
    index_t result = 0;
    for (const index_t c : tile)
      result += c;
    return result;
  }
  index_t grid_owner(const Coords& tile) const {
    index_t unit = 0;
    for (std::size_t d = 0; d < N; ++d)
      unit = unit * _grid[d] + tile[d] % _grid[d];
    return unit;
  }

  /// A unit's memory is the range without the elements of other units.
  void fill_canonical() {
    std::map<index_t, index_t> next;
    for_each_coords({}, _extents, [&](const Coords& coords) {
      Coords tile{};
      for (std::size_t d = 0; d < N; ++d)
        tile[d] = coords[d] / _blocksize[d];
      const index_t unit = grid_owner(tile);
      elements.push_back({coords, tile, unit, next[unit]++});
    });
  }

  Coords _extents;
  Coords _grid;
  Coords _blocksize{};
  Coords _tiles{};
};

/// Compares a mapping with the model for each element.
template <class Mapping, class ModelType>
void check_elements(const Mapping& mapping, const ModelType& model, Mismatches& same) {
  std::set<std::pair<index_t, index_t>> locations;
  std::map<index_t, index_t> sizes;
  index_t index = 0;
  for (const auto& element : model.elements) {
    const auto& coords = element.coords;
    const auto unit = mapping.locate(element.unit);
    same(mapping.unit_at(coords) == element.unit);
    const auto location = mapping.location(coords);
    same(location.unit == element.unit && location.index == element.index);
    same(locations.emplace(location.unit, location.index).second);
    same(mapping.global_at(coords) == index && mapping.coords(index) == coords);
    same(mapping.coords_of_local(unit, element.index) == coords);
    const auto by_index = mapping.location(index);
    same(by_index.unit == element.unit && by_index.index == element.index);
    same(mapping.global_of_local(unit, element.index) == index);

    const auto local = mapping.local_coords(coords);
    same(local.unit == element.unit && mapping.global(unit, local.coords) == coords);
    same(mapping.local_at(unit, local.coords) == element.index);
    const auto extents = mapping.local_extents(unit);
    for (std::size_t d = 0; d < extents.size(); ++d)
      same(local.coords[d] >= 0 && local.coords[d] < static_cast<index_t>(extents[d]));
    ++sizes[element.unit];
    ++index;
  }
  same(mapping.num_units() == model.num_units());
  for (index_t unit = 0; unit < model.num_units(); ++unit) {
    const auto size = static_cast<index_t>(mapping.local_size(mapping.locate(unit)));
    same(size == sizes[unit] && size <= static_cast<index_t>(mapping.local_capacity()));
  }
}

/// Checks that blocks are those of the model, that each element is in its block, and that the
/// blocks of each unit are numbered in order.
template <class Mapping, class ModelType>
void check_blocks(const Mapping& mapping, const ModelType& model, Mismatches& same) {
  std::map<index_t, std::map<index_t, std::set<index_t>>> blocks;  // unit, number, block
  for (const auto& element : model.elements) {
    const auto unit = mapping.locate(element.unit);
    same(mapping.block_at(element.coords) == element.tile);
    const auto block = mapping.block(element.tile);
    const auto number = mapping.local_block_at(element.coords);
    const auto offsets = mapping.local_block_offsets(unit, number);
    same(mapping.block_of(unit, number) == element.tile);
    const auto local = mapping.local_coords(element.coords).coords;
    for (std::size_t d = 0; d < offsets.size(); ++d) {
      const auto in_block = element.coords[d] - block.offsets()[d];
      same(in_block >= 0 && in_block < static_cast<index_t>(block.extents()[d]));
      same(local[d] == offsets[d] + in_block);
    }
    blocks[element.unit][number].insert(model.linear(element.tile, model.tiles()));
  }
  for (const auto& [unit, numbers] : blocks) {
    index_t expected = 0;
    index_t previous = -1;
    for (const auto& [number, in_number] : numbers) {
      same(number == expected++ && in_number.size() == 1 && *in_number.begin() > previous);
      previous = *in_number.begin();
    }
    index_t count = 1;
    for (const auto extent : mapping.local_blocks(mapping.locate(unit)))
      count *= static_cast<index_t>(extent);
    same(count == expected);
  }
}

/// Checks that contiguous blocks are contiguous in the range and in one unit's memory.
template <class Mapping, class ModelType>
void check_contiguous_blocks(const Mapping& mapping, const ModelType& model, Mismatches& same) {
  const auto size = static_cast<index_t>(model.elements.size());
  for (index_t index = 0; index < size; ++index) {
    const auto block = mapping.contiguous_block_at(index);
    same(block.length >= 1 && index + block.length <= size);
    const auto end = std::min(index + block.length, size);
    for (index_t i = index; i < end; ++i) {
      const auto& element = model.elements[static_cast<std::size_t>(i)];
      same(element.unit == block.unit && element.index == block.index + i - index);
    }
  }
}

/// Checks that contiguous blocks in a box, and the parts of its rows, match its elements.
template <class Mapping, class ModelType, class Coords>
void check_box(const Mapping& mapping, const ModelType& /*model*/, const Coords& begin,
               const Coords& size, Mismatches& same) {
  typename Mapping::Extents extents{};
  for (std::size_t d = 0; d < size.size(); ++d)
    extents[d] = static_cast<std::size_t>(size[d]);
  const typename Mapping::View view(begin, extents);
  std::vector<typename Mapping::Location> locations;
  std::vector<Coords> coords;
  ModelType::for_each_coords(begin, size, [&](const Coords& at) {
    coords.push_back(at);
    locations.push_back(mapping.location(at));
  });
  const auto count = static_cast<index_t>(locations.size());
  for (index_t first = 0; first < count; ++first) {
    const auto block = mapping.contiguous_block_in(coords[static_cast<std::size_t>(first)], view);
    same(block.length >= 1 && first + block.length <= count);
    for (index_t i = first; i < std::min(first + block.length, count); ++i) {
      const auto& location = locations[static_cast<std::size_t>(i)];
      same(location.unit == block.unit && location.index == block.index + i - first);
    }
  }
  constexpr auto row_dim = Mapping::contiguous;
  for (index_t unit = 0; unit < mapping.num_units(); ++unit) {
    const auto self = mapping.locate(unit);
    std::vector<Coords> parts;
    auto rows = size;
    rows[row_dim] = 1;
    ModelType::for_each_coords(begin, rows, [&](Coords row) {
      mapping.for_each_part_of_row(self, row, begin[row_dim], begin[row_dim] + size[row_dim],
                                   [&](index_t part_begin, index_t part_end) {
                                     for (row[row_dim] = part_begin; row[row_dim] < part_end;
                                          ++row[row_dim])
                                       parts.push_back(row);
                                   });
    });
    std::vector<Coords> owned;
    for (std::size_t i = 0; i < locations.size(); ++i) {
      if (locations[i].unit == unit) owned.push_back(coords[i]);
    }
    same(parts == owned);
    same(mapping.owns_any(self, view) == !owned.empty());
  }
}

}  // namespace dash::test
