#pragma once

#include <span>

#include "dash/async/State.h"
#include "dash/core/Export.h"

namespace dash::exec {

/// Handle of an operation in flight, or of none: a default constructed Operation is complete.
///
/// Copies refer to the same operation, which continues after all of them have been destroyed.
/// \threads externally synchronized per object; copies are independent
class DASH_API Operation {
 public:
  Operation() noexcept = default;
  explicit Operation(StatePtr<State> state) noexcept : _state(std::move(state)) {}

  /// Whether the operation has completed or failed. Makes no progress.
  bool done() const noexcept { return !_state || _state->done(); }

  /// Makes some progress. \returns done()
  bool test() { return !_state || _state->test(); }

  /// Returns when complete; makes progress in the meantime.
  /// \throws the exception with which the operation failed
  void wait();

  const StatePtr<State>& state() const noexcept { return _state; }

 private:
  StatePtr<State> _state;
};

/// An operation that completes when all of `operations` have completed; it fails with the first failure in
/// their order.
/// \cost nothing if at most one is pending, else one allocation
DASH_API Operation when_all(std::span<const Operation> operations);

/// An operation that completes when all of `operations` have completed or failed; it never fails.
DASH_API Operation when_all_settled(std::span<const Operation> operations);

}  // namespace dash::exec
