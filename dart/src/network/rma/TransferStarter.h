#pragma once

#include <mpi.h>

#include <cstddef>
#include <memory>

#include "base/Caller.h"
#include "base/RemoteAddress.h"
#include "network/NetworkConfig.h"
#include "network/messages/Messenger.h"
#include "network/rma/CallerActivity.h"
#include "network/rma/DeferredPuts.h"
#include "network/rma/DelegatedTransfers.h"
#include "network/rma/PollingWindows.h"
#include "network/rma/Request.h"
#include "network/rma/RequestTable.h"
#include "network/rma/TransferBatches.h"
#include "network/rma/TransferProtocols.h"

namespace dash::dart {

/// Starts transfers between nodes: issues their MPI operations and messages on the calling thread.
///
/// Each transfer consists of parts of a Request. A get is complete when its data has arrived; a put
/// when its data is at the target (remote completion). A put by RMA is followed by a completion
/// get: when this get of one byte from the same target is complete, so is the put
/// (docs/decisions/002-remote-completion.md).
/// \threads thread-safe  \blocks never
class TransferStarter {
 public:
  TransferStarter(const NetworkConfig& config, const TransferProtocols& protocols,
                  RequestTable& table, DeferredPuts& deferred, TransferBatches& batches,
                  DelegatedTransfers& delegated, Messenger& messenger, PollingWindows& windows,
                  CallerActivity& callers) noexcept
      : _communicator(config.processes.communicator),
        _protocols(protocols),
        _table(table),
        _deferred(deferred),
        _batches(batches),
        _delegated(delegated),
        _messenger(messenger),
        _windows(windows),
        _callers(callers) {}
  TransferStarter(const TransferStarter&) = delete;
  TransferStarter& operator=(const TransferStarter&) = delete;

  /// Whether a transfer that starts now is to be batched, by put_batched() or get_batched().
  bool is_batched_put(const RemoteAddress& dest, std::size_t nbytes) noexcept {
    return nbytes <= _protocols.put_batched_max && !dest.absolute && _batches.is_burst(dest.unit);
  }
  bool is_batched_get(const RemoteAddress& src, std::size_t nbytes) noexcept {
    if (nbytes > _protocols.get_batched_max || src.absolute) return false;
    return _batches.is_burst(src.unit) || !src.has_window();
  }

  /// Delegates a transfer to the progress process of this unit. The request has one part.
  /// \param place  reserved by delegated_place() for this transfer
  void delegate(DelegatedTransfers::Place place, DelegationQueue::Kind kind, Request& request,
                const RemoteAddress& remote, const void* local, std::size_t nbytes);
  /// See DelegatedTransfers::reserve().
  DelegatedTransfers::Place delegated_place(const RemoteAddress& remote, const void* local,
                                            std::size_t nbytes) noexcept {
    return _delegated.reserve(remote, local, nbytes);
  }

  /// Start a transfer as parts of a request that counts them; a get may also have a request of one
  /// part if it has at most chunk_bytes() bytes.
  void get(Request& request, void* dest, const RemoteAddress& src, std::size_t nbytes);
  void put(Request& request, const RemoteAddress& dest, const void* src, std::size_t nbytes);
  /// The same by RMA. A put is followed by a completion get.
  void get_by_rma(Request& request, void* dest, const RemoteAddress& src, std::size_t nbytes,
                  Caller caller = Caller::continues);
  void put_by_rma(Request& request, const RemoteAddress& dest, const void* src, std::size_t nbytes,
                  Caller caller = Caller::continues);

  /// Starts a put with a request of two parts: the put and its acknowledgement.
  /// \pre nbytes <= chunk_bytes()
  void put_chunk(Request& request, const RemoteAddress& dest, const void* src, std::size_t nbytes);
  /// The same from a copy of the source. \pre nbytes <= BufferedPut::capacity
  /// \completion source on return
  void put_buffered(BufferedPut& request, const RemoteAddress& dest, const void* src,
                    std::size_t nbytes);

  /// Starts a put without a completion get: one of several to the same target, before
  /// start_completion_get().
  void put_unacknowledged(Request& request, const RemoteAddress& dest, const void* src,
                          std::size_t nbytes, Caller caller = Caller::continues);
  /// Starts the completion get of all puts of the request.
  void start_completion_get(Request& request, const RemoteAddress& dest);

  /// Starts a put by an active message with a reply. The request has one part.
  /// \pre nbytes <= Message::max_payload
  /// \completion source on return
  void put_message(Request& request, const RemoteAddress& dest, const void* src,
                   std::size_t nbytes);

  /// Add a transfer to the batch for its unit, which is sent when it is full or with the next poll.
  /// The request has one part. \completion source on return, of a put
  void put_batched(Request& request, const RemoteAddress& dest, const void* src,
                   std::size_t nbytes);
  void get_batched(Request& request, void* dest, const RemoteAddress& src, std::size_t nbytes);

  /// Start a transfer by two-sided messages, in chunks.
  void put_two_sided(Request& request, const RemoteAddress& dest, const void* src,
                     std::size_t nbytes, Caller caller = Caller::continues);
  void get_two_sided(Request& request, void* dest, const RemoteAddress& src, std::size_t nbytes,
                     Caller caller = Caller::continues);

  /// Sends a message about a transfer of `nbytes` bytes. \param reply_to  as in Messenger::send
  void send(std::unique_ptr<Message> message, int unit, std::size_t nbytes,
            Request* reply_to = nullptr);

  /// Requests a reply, which acknowledges all messages that the caller has sent to a unit before and that
  /// the same process handles.
  /// \param acknowledgement  a request of one part
  /// \param of_unit          the messages that the unit itself handles (Message::is_for_unit)
  void request_acknowledgement(Request& acknowledgement, int unit, bool of_unit);

  /// Issue an operation of MPI. \pre nbytes > 0
  static MPI_Request rget(void* dest, const RemoteAddress& src, int nbytes);
  static MPI_Request rput(const RemoteAddress& dest, const void* src, int nbytes);

 private:
  void start_chunk(Request& request, const RemoteAddress& dest, const void* src,
                   std::size_t nbytes);
  void start_acknowledged_put(Request& request, const RemoteAddress& dest, const void* src,
                              int nbytes);
  void put_chunk_two_sided(Request& request, const RemoteAddress& dest, const void* src,
                           int nbytes);
  void send_full(TransferBatch* batch) noexcept;

  const MPI_Comm _communicator;
  const TransferProtocols& _protocols;
  RequestTable& _table;
  DeferredPuts& _deferred;
  TransferBatches& _batches;
  DelegatedTransfers& _delegated;
  Messenger& _messenger;
  PollingWindows& _windows;
  CallerActivity& _callers;
};

}  // namespace dash::dart
