#pragma once

#include <cstddef>

#include "base/RemoteAddress.h"
#include "network/rma/CallerActivity.h"
#include "network/rma/PollingWindows.h"
#include "network/rma/RmaPoller.h"
#include "network/rma/TransferProtocols.h"
#include "network/rma/TransferStarter.h"

namespace dash::dart {

/// Transfers between nodes whose callers wait for them. Their MPI requests do not enter the request
/// table if they complete within a few microseconds.
///
/// A flush holds MPI's lock until its target makes progress. So only these transfers flush, and
/// only where every unit has a progress thread and a processor for it, or a progress process polls
/// for the target (docs/decisions/006-small-puts.md).
/// \threads thread-safe
class BlockingTransfers {
 public:
  BlockingTransfers(const NetworkConfig& config, const TransferProtocols& protocols,
                    TransferStarter& starter, RmaPoller& poller, PollingWindows& windows,
                    CallerActivity& callers) noexcept
      : _has_progress_processes(config.processes.has_progress_processes),
        _protocols(protocols),
        _starter(starter),
        _poller(poller),
        _windows(windows),
        _callers(callers) {}

  void get(void* dest, const RemoteAddress& src, std::size_t nbytes);
  /// \completion remote on return
  void put(const RemoteAddress& dest, const void* src, std::size_t nbytes);

 private:
  void put_and_flush(const RemoteAddress& dest, const void* src, std::size_t nbytes);
  void put_with_completion_get(const RemoteAddress& dest, const void* src, std::size_t nbytes);

  const bool _has_progress_processes;
  const TransferProtocols& _protocols;
  TransferStarter& _starter;
  RmaPoller& _poller;
  PollingWindows& _windows;
  CallerActivity& _callers;
};

}  // namespace dash::dart
