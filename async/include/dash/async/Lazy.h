#pragma once

#include <atomic>

#include "dash/async/State.h"
#include "dash/core/Export.h"

namespace dash::exec {

/// The part of a state that computes its result when somebody waits for it, on that thread.
///
/// Whoever claims it computes; others wait until it is done or unclaimed. A chain of lazy states is
/// computed from its far end on, so that its length needs no stack.
/// \threads any
class DASH_API Lazy {
 public:
  /// \pre `self` is the state that this is a part of
  /// @{
  void wait(State& self);
  bool test(State& self);
  /// @}

  /// \returns whether the caller is the one to compute it now
  bool claim() noexcept { return !_claimed.exchange(true, std::memory_order_seq_cst); }

 protected:
  Lazy() noexcept = default;
  ~Lazy() = default;

  /// Completes the state. Called with the claim.
  virtual void compute() noexcept = 0;
  /// Completes the state if that does not have to wait. \returns whether it has
  virtual bool try_compute() noexcept = 0;
  /// The lazy state that this one would wait for first, while it is pending. Called with the claim.
  virtual Lazy* first_to_compute() noexcept { return nullptr; }

 private:
  Lazy* claim_chain() noexcept;
  static void unclaim(Lazy* first) noexcept;

  std::atomic<bool> _claimed{false};
  Lazy* _downstream = nullptr;  // in a chain that is being computed; the claim's owner's
};

}  // namespace dash::exec
