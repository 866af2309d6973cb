#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <vector>

#include "dash/Distribution.h"
#include "dash/internal/util/FastDivisor.h"
#include "dash/pattern/internal/MappingTypes.h"

namespace dash::internal {

/// One range of consecutive indices for each unit, with arbitrary sizes.
///
/// The index space is divided into about as many equal intervals as there are units. The owner of
/// an index is searched among the units whose ranges overlap its interval, so that ranges of
/// similar sizes need a few steps regardless of the number of units.
template <MemArrange Arrangement, typename IndexType>
class RangesMapping : public MappingTypes<1, Arrangement, IndexType> {
 public:
  using Types = MappingTypes<1, Arrangement, IndexType>;
  using typename Types::ContiguousBlock;
  using typename Types::Coords;
  using typename Types::Extents;
  using typename Types::Index;
  using typename Types::LocalCoords;
  using typename Types::Location;
  using typename Types::Size;
  using typename Types::View;
  using Unit = Index;

  static constexpr bool has_local_boxes = true;

  constexpr RangesMapping() = default;
  /// \pre the sum of the sizes does not overflow Index
  constexpr explicit RangesMapping(const std::vector<Size>& sizes) {
    for (const Size size : sizes) {
      _begin.push_back(_begin.back() + static_cast<Index>(size));
      _largest = std::max(_largest, static_cast<Index>(size));
    }
    const Index interval_size = std::max<Index>(extent() / std::max<Index>(num_units(), 1), 1);
    _by_interval = IndexDivisor<IndexType>(interval_size);
    const Index num_intervals = ceil_div(extent(), interval_size);
    Index unit = 0;
    for (Index i = 0; i < num_intervals; ++i) {
      while (at(unit + 1) <= i * interval_size)
        ++unit;
      _owner.push_back(unit);
    }
    _owner.push_back(num_units() - 1);
  }

  friend constexpr bool operator==(const RangesMapping& a, const RangesMapping& b) {
    return a._begin == b._begin;
  }

  constexpr Index num_units() const { return static_cast<Index>(_begin.size()) - 1; }
  constexpr Unit locate(Index unit) const { return unit; }

  constexpr Index unit_at(const Coords& coords) const {
    const Index g = coords[0];
    const auto interval = static_cast<std::size_t>(_by_interval.divide(g));
    Index unit = _owner[interval];
    if (g < at(unit + 1)) return unit;
    // All ranges after that of the first unit of the next interval begin after g.
    const auto first = _begin.begin() + unit + 1;
    const auto last = _begin.begin() + _owner[interval + 1] + 1;
    return static_cast<Index>(std::upper_bound(first, last, g) - _begin.begin()) - 1;
  }
  constexpr Location location(const Coords& coords) const {
    const Index unit = unit_at(coords);
    return {unit, coords[0] - at(unit)};
  }
  constexpr Location location(Index global_index) const { return location(Coords{{global_index}}); }
  constexpr Index global_of_local(Unit unit, Index local_index) const {
    return at(unit) + local_index;
  }
  constexpr LocalCoords local_coords(const Coords& coords) const {
    const auto [unit, index] = location(coords);
    return {unit, {{index}}};
  }
  constexpr Coords global(Unit unit, const Coords& local_coords) const {
    return {{at(unit) + local_coords[0]}};
  }
  constexpr Index local_at(Unit, const Coords& local_coords) const { return local_coords[0]; }
  constexpr Coords coords_of_local(Unit unit, Index local_index) const {
    return {{at(unit) + local_index}};
  }
  constexpr Index global_at(const Coords& coords) const { return coords[0]; }
  constexpr Coords coords(Index global_index) const { return {{global_index}}; }

  constexpr Extents local_extents(Unit unit) const {
    return {{static_cast<Size>(at(unit + 1) - at(unit))}};
  }
  constexpr Size local_size(Unit unit) const { return local_extents(unit)[0]; }
  constexpr Size local_capacity() const { return static_cast<Size>(_largest); }

  // Each unit has one block, which may be empty.

  constexpr Extents nblocks() const { return {{static_cast<Size>(num_units())}}; }
  constexpr Index blocksize(std::size_t) const { return _largest; }
  constexpr Size max_blocksize() const { return static_cast<Size>(_largest); }
  constexpr Index underfill(std::size_t) const {
    return num_units() > 0 ? _largest - static_cast<Index>(local_size(num_units() - 1)) : 0;
  }
  constexpr Coords block_at(const Coords& coords) const { return {{unit_at(coords)}}; }
  constexpr View block(const Coords& block_coords) const {
    return View({{at(block_coords[0])}}, local_extents(block_coords[0]));
  }
  constexpr Extents local_blocks(Unit) const { return {{1}}; }
  constexpr Index local_block_at(const Coords&) const { return 0; }
  constexpr Coords block_of(Unit unit, Index) const { return {{unit}}; }
  constexpr Coords local_block_offsets(Unit, Index) const { return {{0}}; }

  constexpr bool owns_any(Unit unit, const View& view) const {
    return std::max(view.range(0).begin, at(unit)) < std::min(view.range(0).end, at(unit + 1));
  }
  /// As in GridMapping.
  template <class Fn>
  constexpr void for_each_part_of_row(Unit unit, const Coords&, Index begin, Index end,
                                      Fn fn) const {
    begin = std::max(begin, at(unit));
    end = std::min(end, at(unit + 1));
    if (begin < end) fn(begin, end);
  }

  constexpr ContiguousBlock contiguous_block_at(Index global_index) const {
    const auto begin = location(global_index);
    return {begin.unit, begin.index, at(begin.unit + 1) - global_index};
  }
  constexpr ContiguousBlock contiguous_block_in(const Coords& coords, const View& view) const {
    auto block = contiguous_block_at(coords[0]);
    block.length = std::min(block.length, view.range(0).end - coords[0]);
    return block;
  }

 private:
  constexpr Index at(Index unit) const { return _begin[static_cast<std::size_t>(unit)]; }
  constexpr Index extent() const { return _begin.back(); }

  std::vector<Index> _begin = std::vector<Index>(1, 0);  // begin of each unit's range, and the end
  std::vector<Index> _owner;  // owner of the first index of each interval, and the last unit
  IndexDivisor<IndexType> _by_interval;
  Index _largest = 0;
};

}  // namespace dash::internal
