#pragma once

#include <functional>
#include <string>
#include <vector>

#include "support/Measure.h"
#include "support/World.h"

namespace dash::bench {

/// A way to do something that unit 0 does alone, while the others wait.
struct Way {
  std::string name;
  Peers peers = Peers::asleep;
  std::function<void(long)> body;  // one call of it, the i-th
  /// Called untimed after so many calls of `body`, to complete what they have started.
  long batch = 0;
  std::function<void()> complete = {};
};

/// Takes samples of a way. Before each the units rest until the library's threads have stopped
/// polling for the one before, which would contend with MPI's own calls.
/// \param way  outlives it
Contestant contestant(const Way& way);

/// The fastest of several. \collective over all units
const Way& fastest(const std::vector<Way>& ways);

}  // namespace dash::bench
