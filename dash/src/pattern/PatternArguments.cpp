#include "dash/pattern/internal/PatternArguments.h"

#include "dash/Exception.h"
#include "dash/TeamSpec.h"

namespace dash::internal {

void throw_distributed_dimensions(dim_t distributed, dim_t ndim) {
  DASH_THROW(dash::exception::InvalidArgument,
             distributed << " of " << ndim
                         << " dimensions are distributed; expected exactly 1, or a TeamSpec that "
                            "specifies the number of units in each dimension");
}

void throw_cannot_infer_team_spec(dim_t distributed, dim_t ndim) {
  DASH_THROW(dash::exception::AssertionFailed,
             "Cannot infer TeamSpec from mixed DistributionSpec: "
                 << distributed << " of " << ndim
                 << " dimensions are distributed; expected one or all of them, or a TeamSpec");
}

void throw_mixed_tiles() {
  DASH_THROW(dash::exception::InvalidArgument,
             "some dimensions are distributed as TILE and others are not; expected TILE in all or "
             "in none");
}

void throw_tile_extent(long long extent, long long tile, dim_t dimension) {
  DASH_THROW(dash::exception::AssertionFailed, "extent " << extent << " in dimension " << dimension
                                                         << " is distributed in tiles of " << tile
                                                         << "; expected a multiple");
}

void throw_index_overflow(unsigned long long size, unsigned long long limit) {
  DASH_THROW(dash::exception::OutOfRange, "a range of " << size << " elements; expected at most "
                                                        << limit
                                                        << ", the largest value of its index type");
}

void check_grid(std::size_t units, const Team& team) {
  if (team.size() > 0 && units > team.size()) {
    DASH_THROW(dash::exception::InvalidArgument,
               "TeamSpec of " << units << " units for a team of " << team.size()
                              << "; expected at most as many as the team has");
  }
}

}  // namespace dash::internal
