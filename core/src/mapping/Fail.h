#pragma once

#include <sstream>

#include "dash/Exception.h"

namespace dash::core::mapping {

/// Throws InvalidArgument without the prefix of DASH_THROW: the error is in an input file or argument of
/// the user, and the message begins with its location.
template <class... Parts>
[[noreturn]] void fail(const Parts&... parts) {
  std::ostringstream text;
  (text << ... << parts);
  throw exception::InvalidArgument(text.str());
}

}  // namespace dash::core::mapping
