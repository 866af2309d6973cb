#pragma once

/// \file
/// For tests of a heap in slabs: which memory lies in windows of MPI.

#include <cstddef>
#include <cstdint>

#include "dart/support/TestedRuntime.h"
#include "dart/teams/Teams.h"
#include "support/Runner.h"

namespace dash::test {

inline constexpr std::size_t mebi = std::size_t{1} << 20;

/// Whether a pointer's memory lies in a window. \pre the runtime is initialized
inline bool has_window(const dart_gptr_t& gptr) {
  return tested_runtime().one_sided().checked_address(gptr, 1).has_window();
}

inline std::size_t num_windows() {
  return tested_runtime().session().windows().size();
}

inline std::uint64_t window_bytes() {
  std::uint64_t nbytes = 0;
  for (const auto& window : tested_runtime().session().windows())
    nbytes += window->end() - window->begin();
  return nbytes;
}

/// The size to request for a segment of a team, of which only unit 0 uses all pages.
inline std::size_t own_size(std::size_t nbytes, dart_team_t team = DART_TEAM_ALL) {
  return id_in(team) == 0 ? nbytes : 4096;
}

}  // namespace dash::test
