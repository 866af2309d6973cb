#pragma once

#include <functional>
#include <string>
#include <vector>

#include "support/Measure.h"
#include "support/World.h"

namespace dash::bench {

/// An operation that unit 0 performs while the other units wait.
struct TimedOperation {
  std::string name;
  PeerWait peer_wait = PeerWait::dart_barrier;
  std::function<void(long)> body;  // the i-th call
  /// After every `batch` calls of `body`, `complete` is called, without being timed, to complete
  /// the operations that these calls have started. 0: never.
  long batch = 0;
  std::function<void()> complete = {};
};

/// Makes a candidate that takes samples of an operation. Before each sample unit 0 sleeps until the
/// library's threads have stopped polling for the previous one, since they would contend with MPI's own
/// calls.
/// \param operation  must outlive the candidate
Candidate make_candidate(const TimedOperation& operation);

/// \returns the operation with the lowest median time
/// \collective over all units
const TimedOperation& find_fastest(const std::vector<TimedOperation>& operations);

}  // namespace dash::bench
