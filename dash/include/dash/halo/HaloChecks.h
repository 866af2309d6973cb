#pragma once

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

/// Condenses what the units have to agree on.
class Fingerprint {
 public:
  void add(std::uint64_t value) {
    // FNV-1a, a value at a time.
    _hash = (_hash ^ value) * 1099511628211ULL;
  }
  std::uint64_t value() const { return _hash; }

 private:
  std::uint64_t _hash = 14695981039346656037ULL;
};

/// Checks that the units passed the same halo, that each has one block, and that no halo region is
/// wider than a block. All units come to the same result, so that they throw together.
/// \param pattern  of the matrix
/// \returns how the matrix is cut
/// \collective over the pattern's team
/// \throws exception::InvalidArgument on all units, if on any
template <typename PatternT, dim_t N = PatternT::ndim()>
BlockGrid<N> checked_grid(const PatternT& pattern, std::size_t element_nbytes,
                          const HaloSpec<N>& halo, const GlobalBoundarySpec<N>& bounds) {
  Fingerprint fingerprint;
  fingerprint.add(element_nbytes);
  for (const auto& spec : halo.specs()) {
    fingerprint.add(spec.extent());
  }
  for (dim_t d = 0; d < N; ++d) {
    fingerprint.add(static_cast<std::uint64_t>(bounds[d]));
    fingerprint.add(static_cast<std::uint64_t>(pattern.extent(d)));
  }
  if (!all_units_agree(pattern.team(), fingerprint.value())) {
    DASH_THROW(exception::InvalidArgument,
               "the units passed different stencils, boundaries or matrices: here " << halo << ", "
                                                                                    << bounds);
  }

  BlockGrid<N> grid;
  const auto& units = pattern.teamspec();
  if (static_cast<std::size_t>(units.size()) != pattern.team().size()) {
    DASH_THROW(exception::InvalidArgument, "a halo needs one block on each unit: the grid has "
                                               << units.size() << " units, the team "
                                               << pattern.team().size());
  }
  for (dim_t d = 0; d < N; ++d) {
    grid.extents[d] = static_cast<coord_t>(pattern.extent(d));
    grid.blocksizes[d] = static_cast<coord_t>(pattern.blocksize(d));
    grid.blocks[d] = static_cast<coord_t>(units.extent(d));
    const auto blocks = static_cast<coord_t>(pattern.blockspec().extent(d));
    if (grid.extents[d] == 0 || blocks != grid.blocks[d]) {
      DASH_THROW(exception::InvalidArgument, "a halo needs one block on each unit: dimension "
                                                 << d << ", of extent " << grid.extents[d]
                                                 << ", has " << blocks << " blocks of "
                                                 << grid.blocksizes[d] << " elements for "
                                                 << grid.blocks[d] << " units");
    }
    const auto smallest = grid.extents[d] - (blocks - 1) * grid.blocksizes[d];
    const auto [before, after] = halo.halo_extension_max(d);
    const coord_t width = std::max(before, after);
    if (width > smallest) {
      DASH_THROW(exception::InvalidArgument,
                 "the halo width " << width << " in dimension " << d << " is more than the extent "
                                   << smallest << " of the smallest block there");
    }
  }
  return grid;
}

}  // namespace dash::halo::internal
