#pragma once

#include <sstream>

#include "dash/Exception.h"

namespace dash::core::mapping {

/// Not DASH_THROW: what is wrong is in a user's file or argument, and the text begins with its place.
template <class... Parts>
[[noreturn]] void fail(const Parts&... parts) {
  std::ostringstream text;
  (text << ... << parts);
  throw exception::InvalidArgument(text.str());
}

}  // namespace dash::core::mapping
