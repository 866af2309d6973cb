#pragma once

/// \file
/// Catch2, version 2.13 or 3, with the names of version 3.

#if __has_include(<catch2/catch_all.hpp>)

#include <catch2/catch_all.hpp>

using Catch::Approx;

#else

#include <catch2/catch.hpp>
#include <string>

namespace Catch::Matchers {

/// Matches a string that contains another one. In version 3, Contains() is a matcher of ranges.
inline auto ContainsSubstring(const std::string& text) {
  return Contains(text);
}

}  // namespace Catch::Matchers

#ifdef CATCH_CONFIG_RUNNER
namespace Catch {

using EventListenerBase = TestEventListenerBase;

}  // namespace Catch
#endif

#endif
