#include "dash/Distribution.h"

#include "dash/Exception.h"

namespace dash::internal {

void throw_undefined_distribution() {
  DASH_THROW(dash::exception::InvalidArgument,
             "distribution is undefined; expected one of NONE, BLOCKED, CYCLIC, BLOCKCYCLIC(n), "
             "TILE(n)");
}

void throw_block_size(const char* distribution, long long blocksize) {
  DASH_THROW(dash::exception::InvalidArgument,
             "block size " << blocksize << " of " << distribution << "; expected at least 1");
}

const char* distribution_name(DistributionType type) noexcept {
  switch (type) {
    case DIST_NONE:
      return "NONE";
    case DIST_BLOCKED:
      return "BLOCKED";
    case DIST_CYCLIC:
      return "CYCLIC";
    case DIST_BLOCKCYCLIC:
      return "BLOCKCYCLIC";
    case DIST_TILE:
      return "TILE";
    case DIST_UNDEFINED:
      break;
  }
  return "UNDEFINED";
}

}  // namespace dash::internal
