#pragma once

#include <algorithm>
#include <cstddef>

#include "dash/pattern/internal/GridMapping.h"

namespace dash::internal {

/// Blocks dealt to a grid of units, and joined there: the elements of a unit are one canonical array
/// and the linear global index is the canonical one.
template <dim_t NumDimensions, MemArrange Arrangement, typename IndexType>
class BlockMapping : public GridMapping<NumDimensions, Arrangement, IndexType, BlockedRange> {
  using Base = GridMapping<NumDimensions, Arrangement, IndexType, BlockedRange>;

 public:
  using Base::N;
  using Base::order;
  using typename Base::Coords;
  using typename Base::Extents;
  using typename Base::Index;
  using typename Base::Place;
  using typename Base::Run;
  using typename Base::Unit;
  using typename Base::View;

  using Base::Base;
  constexpr BlockMapping() = default;

  constexpr Place place(const Coords& coords) const {
    return this->divide_fast([&](auto by) { return place_by<decltype(by)>(coords); });
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
        [&](auto by) { return coords_of_local_by<decltype(by)>(unit, local_index); });
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
    return this->divide_fast([&](auto by) { return coords_by<decltype(by)>(global_index); });
  }

  constexpr Place place(Index global_index) const {
    return this->divide_fast(
        [&](auto by) { return place_by<decltype(by)>(coords_by<decltype(by)>(global_index)); });
  }
  constexpr Index global_of_local(const Unit& unit, Index local_index) const {
    return global_at(coords_of_local(unit, local_index));
  }

  constexpr Run run_at(Index global_index) const {
    // Dimensions that one unit has as a whole lie in its memory as they do in the range; the run
    // ends with the block of the first dimension, from the contiguous one on, that is not whole.
    const Coords at = coords(global_index);
    Index stride = 1;
    Index within_stride = 0;
    std::size_t i = N - 1;
    for (; i > 0 && _dims[order(i)].is_whole(); --i) {
      within_stride += at[order(i)] * stride;
      stride *= _dims[order(i)].extent();
    }
    const auto d = order(i);
    const auto begin = place(at);
    return {begin.unit, begin.index, (_dims[d].run_end(at[d]) - at[d]) * stride - within_stride};
  }

  /// \overload of elements that are consecutive in a box, too
  constexpr Run run_in(const Coords& at, const View& view) const {
    // What the box has of a dimension goes on in memory with the next row of it if that is all that
    // the one unit has there.
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
    const Index end = std::min(_dims[d].run_end(at[d]), view.range(static_cast<dim_t>(d)).end);
    const auto begin = place(at);
    return {begin.unit, begin.index, (end - at[d]) * stride - within_stride};
  }

 protected:
  using Base::_dims;

 private:
  template <class Division>
  [[gnu::always_inline]] constexpr Place place_by(const Coords& coords) const {
    Coords unit{};
    Coords local{};
    const auto deal = [&](auto place_of) {
      for_each_dim<N>([&](std::size_t d) {
        const auto in_dim = place_of(_dims[d], coords[d]);
        unit[d] = in_dim.unit;
        local[d] = in_dim.local;
      });
    };
    // One branch for all dimensions, none for each.
    if constexpr (N == 1) {
      deal([](const auto& dim, Index g) { return dim.template place<Division>(g); });
    } else if (this->is_shifted()) {
      deal([](const auto& dim, Index g) { return dim.shifted_place(g); });
    } else {
      deal([](const auto& dim, Index g) { return dim.template divided_place<Division>(g); });
    }
    return {this->unit_of(unit), local_at(unit, local)};
  }
  template <class Division>
  [[gnu::always_inline]] constexpr Coords coords_by(Index global_index) const {
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
  [[gnu::always_inline]] constexpr Coords coords_of_local_by(const Unit& unit,
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
