#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "dash/Exception.h"
#include "dash/halo/stencil/Box.h"

namespace dash::halo::internal {

/// Finds the number of a stencil point from its offsets, without a branch: a hash table whose size
/// and hash function are chosen so that no two points share an entry. A loop over elements may look
/// up the same offsets for each of them, because compilers move the look-up out of the loop and
/// vectorize the rest.
/// \tparam NumPoints  number of the stencil's points; the centre has this number
template <dim_t N, std::size_t NumPoints>
class PointTable {
 public:
  template <typename StencilSpecT>
  explicit PointTable(const StencilSpecT& stencil) {
    for (std::size_t i = 0; i < NumPoints; ++i) {
      _offsets[i] = to_coords<N>(stencil[i]);
    }
    std::size_t size = 1;
    while (size < NumPoints + 1) {
      size *= 2;
    }
    // The search ends: the larger the table, the more likely it is that random factors separate all
    // points. For a table as large as the square of their number, every second attempt succeeds.
    // Points that are listed twice share an entry.
    for (std::uint64_t state = 1; !try_factors(state, size); ++state) {
      if (state % 8 == 0) size *= 2;
    }
  }

  /// \pre a stencil point has these offsets, or all of them are 0
  std::size_t operator()(const Coords<N>& offsets) const {
    const std::size_t point = _entries[hash(offsets)];
    DASH_ASSERT_MSG((point == NumPoints ? Coords<N>{} : _offsets[point]) == offsets,
                    "no stencil point has the offsets that were passed to a cell");
    return point;
  }

 private:
  std::size_t hash(const Coords<N>& offsets) const {
    return static_cast<std::size_t>(dot<N>(_factors, offsets)) & _mask;
  }

  bool try_factors(std::uint64_t state, std::size_t size) {
    // SplitMix64
    for (auto& factor : _factors) {
      state += 0x9e3779b97f4a7c15U;
      std::uint64_t bits = state;
      bits = (bits ^ (bits >> 30U)) * 0xbf58476d1ce4e5b9U;
      bits = (bits ^ (bits >> 27U)) * 0x94d049bb133111ebU;
      factor = static_cast<coord_t>((bits ^ (bits >> 31U)) % (size * 16));
    }
    _mask = size - 1;
    _entries.assign(size, none);
    _entries[0] = NumPoints;
    for (std::size_t i = 0; i < NumPoints; ++i) {
      auto& entry = _entries[hash(_offsets[i])];
      const bool is_same = entry != none && offsets_of(entry) == _offsets[i];
      if (entry != none && !is_same) return false;
      if (!is_same) entry = static_cast<std::uint32_t>(i);
    }
    // Unused entries refer to the centre, which can always be read.
    for (auto& entry : _entries) {
      if (entry == none) entry = NumPoints;
    }
    return true;
  }

  Coords<N> offsets_of(std::size_t point) const {
    return point == NumPoints ? Coords<N>{} : _offsets[point];
  }

  static constexpr std::uint32_t none = ~std::uint32_t{0};

  std::array<Coords<N>, NumPoints> _offsets;
  Coords<N> _factors{};
  std::size_t _mask = 0;
  std::vector<std::uint32_t> _entries;
};

}  // namespace dash::halo::internal
