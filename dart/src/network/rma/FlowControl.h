#pragma once

#include <cstddef>

#include "network/rma/DeferredPuts.h"
#include "network/rma/RequestTable.h"
#include "network/rma/TransferBatches.h"

namespace dash::dart {

/// Counts the operations in flight and limits their number.
/// \threads thread-safe
class FlowControl {
 public:
  FlowControl(RequestTable& table, const DeferredPuts& deferred,
              const TransferBatches& batches) noexcept
      : _table(table), _deferred(deferred), _batches(batches) {}

  /// Parts of requests that are not finished: in MPI, or messages that have not been acknowledged.
  std::size_t in_flight() const noexcept {
    // In this order: a put that is being started may be counted twice, but is never left out.
    const std::size_t waiting = _deferred.size() + _batches.in_flight();
    return waiting + _table.in_flight();
  }

  /// Returns when the number of operations in flight is below the limit. To be called before an
  /// operation starts, and before each message of an operation with several. No other function of
  /// the subsystem waits for the limit.
  /// \blocks unless on the progress thread or in a poll. Waiting may run continuations: an
  ///         operation that a flush in one of them would wait for must not depend on the caller.
  void wait_below_limit();

  /// Adds or removes messages in flight that one later reply acknowledges.
  void add_unacknowledged(std::size_t messages) noexcept { _table.expect_replies(messages); }
  void remove_unacknowledged(std::size_t messages) noexcept { _table.count_finished(messages); }

 private:
  RequestTable& _table;
  const DeferredPuts& _deferred;
  const TransferBatches& _batches;
};

}  // namespace dash::dart
