#include "dash/Cartesian.h"

#include "dash/Exception.h"

namespace dash::internal {

void throw_dimension(long long dimension, long long ndim) {
  DASH_THROW(dash::exception::OutOfRange,
             "dimension " << dimension << "; expected 0 to " << ndim - 1);
}

void throw_negative_extent(long long extent, dim_t dimension) {
  DASH_THROW(dash::exception::InvalidArgument,
             "extent " << extent << " in dimension " << dimension << "; expected 0 or more");
}

void throw_size_overflow(dim_t ndim) {
  DASH_THROW(dash::exception::OutOfRange,
             "the product of " << ndim << " extents exceeds the range of the size type");
}

}  // namespace dash::internal
