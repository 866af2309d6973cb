#include "dash/Domain.h"
#include "dash/Exception.h"
#include "dash/Types.h"
#include "dash/view/Blocks.h"
#include "dash/view/SetIntersect.h"
#include "dash/view/internal/IndexMap.h"

namespace dash::internal {

void throw_view_range(dim_t dimension, long long first, long long last, long long extent) {
  DASH_THROW(dash::exception::OutOfRange, "the indices " << first << " to " << last
                                                         << " of a view in dimension " << dimension
                                                         << " are not within 0 to " << extent);
}

void throw_view_step(long long step) {
  DASH_THROW(dash::exception::InvalidArgument,
             "the step of a strided view is " << step << "; expected at least 1");
}

void throw_no_block(long long block, long long nblocks) {
  DASH_THROW(dash::exception::OutOfRange,
             "there is no block " << block << " among the " << nblocks << " blocks of the view");
}

void throw_different_origins() {
  DASH_THROW(dash::exception::InvalidArgument,
             "the views are of different containers and have no elements in common");
}

void throw_domain_ranges(std::size_t nranges, dim_t ndim) {
  DASH_THROW(dash::exception::InvalidArgument, "a domain of "
                                                   << ndim << " dimensions has " << nranges
                                                   << " ranges; expected one for each dimension");
}

void throw_domain_range(long long first, long long last, dim_t dimension) {
  DASH_THROW(dash::exception::InvalidArgument, "the range of a domain in dimension "
                                                   << dimension << " ends at " << last
                                                   << ", before it begins at " << first);
}

}  // namespace dash::internal
