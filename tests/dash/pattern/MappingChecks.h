#pragma once

#include <array>
#include <cstddef>
#include <vector>

#include "PatternModel.h"
#include "dash/pattern/internal/BlockMapping.h"
#include "dash/pattern/internal/SkewedMapping.h"
#include "dash/pattern/internal/TileMapping.h"
#include "support/Pick.h"

namespace dash::test {

using dash::internal::Skew;

template <dim_t N, MemArrange Order, Kind K>
struct MappingOf;
template <dim_t N, MemArrange Order>
struct MappingOf<N, Order, Kind::block> {
  using type = dash::internal::BlockMapping<N, Order, index_t>;
};
template <dim_t N, MemArrange Order>
struct MappingOf<N, Order, Kind::tile> {
  using type = dash::internal::TileMapping<N, Order, index_t>;
};
template <dim_t N, MemArrange Order>
struct MappingOf<N, Order, Kind::diagonal> {
  using type = dash::internal::SkewedMapping<N, Order, index_t, Skew::diagonal>;
};
template <dim_t N, MemArrange Order>
struct MappingOf<N, Order, Kind::sequential> {
  using type = dash::internal::SkewedMapping<N, Order, index_t, Skew::sequential>;
};

template <std::size_t N>
std::array<std::size_t, N> to_sizes(const std::array<index_t, N>& from) {
  std::array<std::size_t, N> result{};
  for (std::size_t d = 0; d < N; ++d)
    result[d] = static_cast<std::size_t>(from[d]);
  return result;
}

template <Kind K, MemArrange Order, std::size_t N>
void check(const std::array<index_t, N>& extents, const std::array<Distribution, N>& dists,
           const std::array<index_t, N>& grid, Random& random, Mismatches& same) {
  constexpr auto ndim = static_cast<dim_t>(N);
  const Model<ndim, Order> model(K, extents, dists, grid);
  const typename MappingOf<ndim, Order, K>::type mapping(to_sizes(extents), dists, to_sizes(grid));
  check_elements(mapping, model, same);
  check_blocks(mapping, model, same);
  check_contiguous_blocks(mapping, model, same);
  if (model.elements.empty()) return;
  std::array<index_t, N> begin{};
  std::array<index_t, N> size{};
  for (std::size_t d = 0; d < N; ++d) {
    begin[d] = pick(random, 0, extents[d] - 1);
    size[d] = pick(random, 1, extents[d] - begin[d]);
  }
  check_box(mapping, model, begin, size, same);
  check_box(mapping, model, {}, extents, same);
}

template <std::size_t N>
void check_all(const std::array<index_t, N>& extents, const std::array<Distribution, N>& dists,
               const std::array<index_t, N>& grid, Random& random, Mismatches& same) {
  check<Kind::block, dash::ROW_MAJOR>(extents, dists, grid, random, same);
  check<Kind::tile, dash::ROW_MAJOR>(extents, dists, grid, random, same);
  check<Kind::diagonal, dash::ROW_MAJOR>(extents, dists, grid, random, same);
  check<Kind::sequential, dash::ROW_MAJOR>(extents, dists, grid, random, same);
  if constexpr (N > 1) {
    check<Kind::block, dash::COL_MAJOR>(extents, dists, grid, random, same);
    check<Kind::tile, dash::COL_MAJOR>(extents, dists, grid, random, same);
    check<Kind::diagonal, dash::COL_MAJOR>(extents, dists, grid, random, same);
    check<Kind::sequential, dash::COL_MAJOR>(extents, dists, grid, random, same);
  }
}

inline const std::vector<dash::Distribution> distributions = {
    dash::NONE,           dash::BLOCKED,        dash::CYCLIC, dash::BLOCKCYCLIC(2),
    dash::BLOCKCYCLIC(3), dash::BLOCKCYCLIC(7), dash::TILE(2)};

}  // namespace dash::test
