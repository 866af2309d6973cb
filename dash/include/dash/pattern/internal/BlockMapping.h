#pragma once

#include <algorithm>
#include <cstddef>

#include "dash/pattern/internal/GridMapping.h"

namespace dash::internal {

/// Blocks distributed to a grid of units and joined in memory: the elements of a unit are one
/// canonical array, and the linear global index is the canonical index.
template <dim_t NumDimensions, MemArrange Arrangement, typename IndexType>
class BlockMapping : public GridMapping<NumDimensions, Arrangement, IndexType, BlockedRange> {
  using Base = GridMapping<NumDimensions, Arrangement, IndexType, BlockedRange>;

 public:
  using Base::N;
  using Base::order;
  using typename Base::ContiguousBlock;
  using typename Base::Coords;
  using typename Base::Extents;
  using typename Base::Index;
  using typename Base::Location;
  using typename Base::Unit;
  using typename Base::View;

  using Base::Base;
  constexpr BlockMapping() = default;

  constexpr Location location(const Coords& coords) const {
    return this->divide_fast([&](auto by) { return location_with<decltype(by)>(coords); });
  }
  constexpr Index local_at(const Unit& unit, const Coords& local_coords) const {
    Index index = local_coords[order(0)];
    for_each_dim<N - 1>([&](std::size_t i) {
      const auto d = order(i + 1);
      index = index * _dims[d].local_extent(unit[d]) + local_coords[d];
    });
    return index;
  }
  constexpr Coords coords_of_local(const Unit& unit, Index local_index) const {
    return this->divide_fast(
        [&](auto by) { return coords_of_local_with<decltype(by)>(unit, local_index); });
  }

  constexpr Index global_at(const Coords& coords) const {
    Index index = coords[order(0)];
    for_each_dim<N - 1>([&](std::size_t i) {
      const auto d = order(i + 1);
      index = index * _dims[d].extent() + coords[d];
    });
    return index;
  }
  constexpr Coords coords(Index global_index) const {
    return this->divide_fast([&](auto by) { return coords_with<decltype(by)>(global_index); });
  }

  constexpr Location location(Index global_index) const {
    return this->divide_fast([&](auto by) {
      return location_with<decltype(by)>(coords_with<decltype(by)>(global_index));
    });
  }
  constexpr Index global_of_local(const Unit& unit, Index local_index) const {
    return global_at(coords_of_local(unit, local_index));
  }

  constexpr ContiguousBlock contiguous_block_at(Index global_index) const {
    // Dimensions that belong to one unit completely have the same order in memory as in the range.
    // Starting with the contiguous dimension, the contiguous block ends with the pattern block of
    // the first dimension that is distributed.
    const Coords at = coords(global_index);
    Index stride = 1;
    Index within_stride = 0;
    std::size_t i = N - 1;
    for (; i > 0 && _dims[order(i)].is_whole(); --i) {
      within_stride += at[order(i)] * stride;
      stride *= _dims[order(i)].extent();
    }
    const auto d = order(i);
    const auto begin = location(at);
    return {begin.unit, begin.index,
            (_dims[d].contiguous_end(at[d]) - at[d]) * stride - within_stride};
  }

  /// \overload for elements that are also consecutive in a box
  constexpr ContiguousBlock contiguous_block_in(const Coords& at, const View& view) const {
    // Consecutive rows of the box are adjacent in memory only if the box contains the whole
    // dimension and one unit owns it.
    Index stride = 1;
    Index within_stride = 0;
    std::size_t i = N - 1;
    for (; i > 0; --i) {
      const auto d = order(i);
      if (!_dims[d].is_whole() || static_cast<Index>(view.extents()[d]) != _dims[d].extent()) break;
      within_stride += at[d] * stride;
      stride *= _dims[d].extent();
    }
    const auto d = order(i);
    const Index end =
        std::min(_dims[d].contiguous_end(at[d]), view.range(static_cast<dim_t>(d)).end);
    const auto begin = location(at);
    return {begin.unit, begin.index, (end - at[d]) * stride - within_stride};
  }

 protected:
  using Base::_dims;

 private:
  template <class Division>
  [[gnu::always_inline]] constexpr Location location_with(const Coords& coords) const {
    Coords unit{};
    Coords local{};
    const auto map_dimensions = [&](auto location_of) {
      for_each_dim<N>([&](std::size_t d) {
        const auto in_dim = location_of(_dims[d], coords[d]);
        unit[d] = in_dim.unit;
        local[d] = in_dim.local;
      });
    };
    // One branch for all dimensions together.
    if constexpr (N == 1) {
      map_dimensions([](const auto& dim, Index g) { return dim.template location<Division>(g); });
    } else if (this->is_shifted()) {
      map_dimensions([](const auto& dim, Index g) { return dim.shifted_location(g); });
    } else {
      map_dimensions(
          [](const auto& dim, Index g) { return dim.template divided_location<Division>(g); });
    }
    return {this->unit_of(unit), local_at(unit, local)};
  }
  template <class Division>
  [[gnu::always_inline]] constexpr Coords coords_with(Index global_index) const {
    Coords result{};
    if constexpr (N > 1) {
      for_each_dim<N - 1>([&](std::size_t i) {
        const auto d = order(N - 1 - i);
        const auto extents = _dims[d].extents();
        const Index above = Division::divide(extents.by, global_index);
        result[d] = global_index - above * extents.count;
        global_index = above;
      });
    }
    result[order(0)] = global_index;
    return result;
  }
  template <class Division>
  [[gnu::always_inline]] constexpr Coords coords_of_local_with(const Unit& unit,
                                                               Index local_index) const {
    if constexpr (N == 1) {
      return {{_dims[0].template global<Division>(unit[0], local_index)}};
    } else {
      Coords result{};
      for_each_dim<N>([&](std::size_t i) {
        const auto d = order(N - 1 - i);
        const auto extents = _dims[d].local_extents(unit[d]);
        const Index above = i + 1 < N ? Division::divide(extents.by, local_index) : 0;
        const Index local = local_index - above * extents.count;
        result[d] = _dims[d].template global<Division>(unit[d], local);
        local_index = above;
      });
      return result;
    }
  }
};

}  // namespace dash::internal
