#pragma once

#include <array>
#include <cstddef>
#include <type_traits>
#include <utility>

#include "dash/Cartesian.h"
#include "dash/Types.h"
#include "dash/ViewSpec.h"

namespace dash::internal {

/// Calls fn(0), ..., fn(N - 1). At low optimization levels, compilers keep values of each dimension
/// in registers in this form, but not in a loop.
template <std::size_t N, class Fn>
constexpr void for_each_dim(Fn fn) {
  [&]<std::size_t... I>(std::index_sequence<I...>) {
    (fn(I), ...);
  }
  (std::make_index_sequence<N>());
}

/// The index type of a pattern whose IndexType may be unsigned: differences of indices can be
/// negative.
template <typename IndexType>
using SignedIndex = std::make_signed_t<IndexType>;

/// Base class of all mappings of an N-dimensional index space to units: types, and canonical
/// indices in their order.
///
/// A mapping is a pattern without a team: it knows only the number of units and does not
/// distinguish the caller. It is a value type, and constexpr unless it has tables.
template <dim_t NumDimensions, MemArrange Arrangement, typename IndexType>
struct MappingTypes {
  static_assert(std::is_signed_v<IndexType>);
  static_assert(Arrangement == ROW_MAJOR || Arrangement == COL_MAJOR,
                "dash: the order of a pattern has to be ROW_MAJOR or COL_MAJOR");

  static constexpr std::size_t N = NumDimensions;
  using Index = IndexType;
  using Size = std::make_unsigned_t<IndexType>;
  using Coords = std::array<IndexType, N>;
  using Extents = std::array<Size, N>;
  using View = ViewSpec<NumDimensions, IndexType>;

  static constexpr dim_t ndim = NumDimensions;
  static constexpr MemArrange order_of_memory = Arrangement;

  /// The location of an element in the memory of its owner.
  struct Location {
    Index unit;
    Index index;
  };
  /// The location of an element by coordinates in the owner's part.
  struct LocalCoords {
    Index unit;
    Coords coords;
  };
  /// Consecutive elements that are contiguous in the memory of one unit.
  struct ContiguousBlock {
    Index unit;
    Index index;
    Index length;
  };

  /// The i-th dimension in the order of decreasing distance between neighbours in memory.
  static constexpr std::size_t order(std::size_t i) {
    return Arrangement == ROW_MAJOR ? i : N - 1 - i;
  }
  static constexpr std::size_t contiguous = order(N - 1);

  static constexpr Index canonical(const Coords& coords, const Extents& extents) {
    Index index = coords[order(0)];
    for (std::size_t i = 1; i < N; ++i) {
      const auto d = order(i);
      index = index * static_cast<Index>(extents[d]) + coords[d];
    }
    return index;
  }
};

}  // namespace dash::internal
