#pragma once

/// \file
/// Random numbers and distributions.

#include <random>

#include "dash/Distribution.h"
#include "dash/Types.h"

namespace dash::test {

using Random = std::mt19937;

inline default_index_t pick(Random& random, default_index_t lowest, default_index_t highest) {
  return std::uniform_int_distribution<default_index_t>(lowest, highest)(random);
}

inline Distribution pick_distribution(Random& random) {
  switch (pick(random, 0, 4)) {
    case 0:
      return NONE;
    case 1:
      return BLOCKED;
    case 2:
      return CYCLIC;
    default:
      return BLOCKCYCLIC(static_cast<int>(pick(random, 1, 5)));
  }
}

}  // namespace dash::test
