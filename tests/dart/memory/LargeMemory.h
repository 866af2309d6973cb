#pragma once

#include <cstddef>

#include "dart/support/Fixture.h"
#include "dash/core/Memory.h"

namespace dash::test {

/// Whether the machine has this amount of memory for each unit, and the same amount for other processes.
/// ThreadSanitizer needs four times the amount in addition.
/// \collective over all units; equal on all
inline bool has_memory(std::size_t nbytes_each) {
#ifdef __SANITIZE_THREAD__
  constexpr std::size_t times = 5;
#else
  constexpr std::size_t times = 1;
#endif
  const std::size_t all = times * nbytes_each * static_cast<std::size_t>(num_units());
  const int mine = core::available_memory() / 2 >= all ? 1 : 0;
  int all_units = 0;
  REQUIRE(dart_allreduce(&mine, &all_units, 1, DART_TYPE_INT, DART_OP_MIN, DART_TEAM_ALL) ==
          DART_OK);
  return all_units == 1;
}

}  // namespace dash::test
