#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>

#include "base/RemoteAddress.h"
#include "dash/async/Operation.h"
#include "dash/dart/Signal.h"
#include "network/messages/Messenger.h"
#include "network/rma/CallerActivity.h"
#include "network/rma/PollingWindows.h"
#include "network/rma/RequestTable.h"

namespace dash::dart {

/// The change that a put makes to a signal at its target.
struct RemoteSignal {
  RemoteAddress address;  // at the unit of the data
  std::uint32_t value;
  SignalOp op;
};

/// Puts with signals between nodes: the target stores the data, then raises the signal.
/// \threads thread-safe  \blocks never
class SignalMessages {
 public:
  SignalMessages(Messenger& messenger, RequestTable& table, PollingWindows& windows,
                 CallerActivity& callers) noexcept
      : _messenger(messenger), _table(table), _windows(windows), _callers(callers) {}

  /// Bytes of data that fit into one message, which has the location of the signal behind them.
  static constexpr std::size_t max_payload = Message::max_payload - sizeof(std::uint64_t);

  /// Puts at most max_payload bytes, given as blocks of equal distance, and raises the signal, with
  /// one message.
  /// \param reply_to  as in Messenger::send
  /// \completion source on return
  void send(const RemoteAddress& dest, const void* src, std::size_t block_nbytes,
            std::size_t src_stride, std::size_t nblocks, const RemoteSignal& signal,
            Request* reply_to);

  /// Puts data that the target receives in place, and raises the signal then.
  /// \param packed    the buffer that contains `src`, kept as long as MPI reads it; may be null
  /// \param reply_to  as in Messenger::send
  /// \pre nbytes <= chunk_bytes()
  /// \completion source: the returned operation
  exec::Operation send_data(const RemoteAddress& dest, const void* src, std::size_t nbytes,
                            std::unique_ptr<char[]> packed, const RemoteSignal& signal,
                            Request* reply_to);

 private:
  exec::Operation keep_until_sent(MPI_Request in_mpi, std::unique_ptr<char[]> packed,
                                  std::size_t nbytes, int unit);

  Messenger& _messenger;
  RequestTable& _table;
  PollingWindows& _windows;
  CallerActivity& _callers;
};

}  // namespace dash::dart
