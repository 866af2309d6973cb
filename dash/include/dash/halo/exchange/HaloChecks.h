#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>

#include "dash/Exception.h"
#include "dash/Team.h"
#include "dash/core/Export.h"
#include "dash/halo/BlockEnvironment.h"
#include "dash/halo/Types.h"

namespace dash::halo::internal {

/// Whether all units of a team pass the same number.
/// \collective over team
DASH_API bool all_units_agree(Team& team, std::uint64_t number);

/// The maximum of the numbers of all units of a team.
/// \collective over team
DASH_API std::uint64_t max_over_team(Team& team, std::uint64_t number);

/// A hash of the values that must be equal on all units.
class Fingerprint {
 public:
  void add(std::uint64_t value) {
    // FNV-1a on 64-bit values instead of bytes.
    _hash = (_hash ^ value) * 1099511628211ULL;
  }
  std::uint64_t value() const { return _hash; }

 private:
  std::uint64_t _hash = 14695981039346656037ULL;
};

/// Checks that all units passed the same halo, that each has one block, and that no halo region is
/// wider than a block. The result is the same on all units, so they throw together.
/// \param pattern  pattern of the matrix
/// \param view     the view for which the halo is created: the whole matrix or a box of it
/// \returns the division of the view into blocks
/// \collective over the pattern's team
/// \throws exception::InvalidArgument on all units if a check fails on any unit
template <typename PatternT, dim_t N = PatternT::ndim()>
BlockGrid<N> checked_grid(const PatternT& pattern, const Box<N>& view, std::size_t element_nbytes,
                          const HaloSpec<N>& halo, const GlobalBoundarySpec<N>& bounds) {
  Fingerprint fingerprint;
  fingerprint.add(element_nbytes);
  for (const auto& spec : halo.specs()) {
    fingerprint.add(spec.extent());
  }
  for (dim_t d = 0; d < N; ++d) {
    fingerprint.add(static_cast<std::uint64_t>(bounds[d]));
    fingerprint.add(static_cast<std::uint64_t>(pattern.extent(d)));
    fingerprint.add(static_cast<std::uint64_t>(view[d].begin));
    fingerprint.add(static_cast<std::uint64_t>(view[d].end));
  }
  if (!all_units_agree(pattern.team(), fingerprint.value())) {
    DASH_THROW(
        exception::InvalidArgument,
        "stencils, boundaries or matrices differ between units; here " << halo << ", " << bounds);
  }

  BlockGrid<N> grid;
  const auto& units = pattern.teamspec();
  if (static_cast<std::size_t>(units.size()) != pattern.team().size()) {
    DASH_THROW(exception::InvalidArgument, "a halo needs one block on each unit: the grid has "
                                               << units.size() << " units, the team "
                                               << pattern.team().size());
  }
  for (dim_t d = 0; d < N; ++d) {
    grid.extents[d] = view[d].size();
    grid.begin[d] = view[d].begin;
    grid.matrix[d] = static_cast<coord_t>(pattern.extent(d));
    grid.blocksizes[d] = static_cast<coord_t>(pattern.blocksize(d));
    grid.blocks[d] = static_cast<coord_t>(units.extent(d));
    const auto blocks = static_cast<coord_t>(pattern.blockspec().extent(d));
    if (grid.matrix[d] == 0 || blocks != grid.blocks[d]) {
      DASH_THROW(exception::InvalidArgument,
                 "a halo needs one block on each unit: dimension "
                     << d << ", of extent " << grid.matrix[d] << ", has " << blocks << " blocks of "
                     << grid.blocksizes[d] << " elements for " << grid.blocks[d] << " units");
    }
    coord_t smallest = grid.extents[d];
    for (coord_t block = 0; block < blocks; ++block) {
      smallest = std::min(smallest, grid.part(d, block).size());
    }
    if (smallest == 0) {
      DASH_THROW(exception::InvalidArgument, "a halo needs elements of each unit: the view has "
                                                 << view[d].begin << " to " << view[d].end - 1
                                                 << " of dimension " << d << ", of which " << blocks
                                                 << " units have blocks of " << grid.blocksizes[d]);
    }
    const auto [before, after] = halo.halo_extension_max(d);
    const coord_t width = std::max(before, after);
    if (width > smallest) {
      DASH_THROW(exception::InvalidArgument, "the halo width " << width << " in dimension " << d
                                                               << " exceeds the extent " << smallest
                                                               << " of the smallest block there");
    }
  }
  return grid;
}

/// Checks that each unit owns the block given by its position in the grid of units, stored as one
/// canonical array.
/// \collective over the pattern's team
/// \throws exception::InvalidArgument on all units if the check fails on any unit
template <typename PatternT, dim_t N = PatternT::ndim()>
void check_blocks(const PatternT& pattern, const BlockEnvironment<N>& env) {
  using LocalCoords = std::array<typename PatternT::index_type, N>;
  Coords<N> first;
  for (dim_t d = 0; d < N; ++d)
    first[d] = env.block_coords()[d] * env.grid().blocksizes[d];
  const bool owns_grid_block = to_coords<N>(pattern.local_extents()) == env.memory_extents() &&
                               to_coords<N>(pattern.global(LocalCoords{})) == first;
  const auto strides = canonical_strides<N, PatternT::memory_order()>(env.memory_extents());
  const auto is_canonical = [&](const LocalCoords& coords) {
    return static_cast<coord_t>(pattern.local_at(coords)) == dot<N>(strides, to_coords<N>(coords));
  };
  LocalCoords last{};
  bool canonical = true;
  for (dim_t d = 0; d < N; ++d) {
    last[d] = static_cast<typename PatternT::index_type>(env.memory_extents()[d] - 1);
    LocalCoords at_end{};
    at_end[d] = last[d];
    canonical = canonical && is_canonical(at_end);
  }
  canonical = canonical && is_canonical(last);
  const bool fits = owns_grid_block && canonical;
  const bool agree = all_units_agree(pattern.team(), fits ? 1 : 0);
  if (agree && fits) return;
  DASH_THROW(exception::InvalidArgument,
             "a halo needs blocks of equal size, in the order of the grid of units, each one array "
             "in memory; some blocks of this pattern have another size, owner or memory "
             "layout");
}

}  // namespace dash::halo::internal
