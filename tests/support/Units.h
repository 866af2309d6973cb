#pragma once

/// \file
/// Short forms of queries and reductions that many tests of containers use.

#include "dash/Collectives.h"
#include "dash/Init.h"
#include "dash/algorithm/Operation.h"

namespace dash::test {

inline int me() {
  return dash::myid().id;
}

inline int nunits() {
  return static_cast<int>(dash::size());
}

/// The sum of a value over all units. \collective over all units
inline long sum(long value) {
  return dash::allreduce_async(value, dash::plus<long>()).get();
}

}  // namespace dash::test
