#pragma once

#include <atomic>

#include "dash/async/State.h"
#include "dash/core/Export.h"

namespace dash::exec {

/// The part of a lazy state that computes the result, on the thread that first waits for it.
///
/// The thread that claims it computes; other threads wait until it is done or unclaimed. A chain of lazy
/// states is computed iteratively, starting with the state that depends on no other.
/// \threads thread-safe
class DASH_API Lazy {
 public:
  /// As State::wait() and State::test(). \pre `self` is the state of which this is a part
  /// @{
  void wait(State& self);
  bool test(State& self);
  /// @}

  /// \returns whether the caller has to compute the result
  bool claim() noexcept { return !_claimed.exchange(true, std::memory_order_seq_cst); }

 protected:
  Lazy() noexcept = default;
  ~Lazy() = default;

  /// Completes the state. \pre the caller has the claim
  virtual void compute() noexcept = 0;
  /// Completes the state if that needs no waiting. \returns whether it has
  virtual bool try_compute() noexcept = 0;
  /// The pending lazy state that compute() would wait for first; or null. \pre the caller has the claim
  virtual Lazy* first_to_compute() noexcept { return nullptr; }

 private:
  Lazy* claim_chain() noexcept;
  static void unclaim(Lazy* first) noexcept;

  // The exchange acquires and the store in unclaim() releases: the owner of the claim sees the members as the
  // previous owner left them.
  std::atomic<bool> _claimed{false};
  // The next state of a chain that is being computed. Belongs to the owner of the claim.
  Lazy* _downstream = nullptr;
};

}  // namespace dash::exec
