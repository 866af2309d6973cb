#pragma once

#include <span>

#include "dash/async/State.h"
#include "dash/core/Export.h"

namespace dash::exec {

/// Handle of one operation in flight, or of none: a default constructed Operation is complete.
///
/// Copies name the same operation. Dropping all of them detaches: the operation goes on.
/// \threads one at a time per object; copies are independent
class DASH_API Operation {
 public:
  Operation() noexcept = default;
  explicit Operation(StatePtr<State> state) noexcept : _state(std::move(state)) {}

  /// Complete, successfully or not; makes no progress.
  bool done() const noexcept { return !_state || _state->done(); }

  /// Complete; makes some progress first.
  bool test() { return !_state || _state->test(); }

  /// Returns when complete: spins, helps, sleeps.
  /// \throws what the operation failed with
  void wait();

  const StatePtr<State>& state() const noexcept { return _state; }

 private:
  StatePtr<State> _state;
};

/// The operation that is complete when all of `operations` are; it fails with the first failure
/// found in their order.
/// \cost nothing if at most one is pending, else one allocation
DASH_API Operation when_all(std::span<const Operation> operations);

/// The same, but never failing: complete when each operation is, however it ended.
DASH_API Operation when_all_settled(std::span<const Operation> operations);

}  // namespace dash::exec
