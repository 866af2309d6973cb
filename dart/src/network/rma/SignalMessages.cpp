#include "network/rma/SignalMessages.h"

#include <cstring>
#include <utility>

#include "base/MpiCallGuard.h"
#include "dash/core/CopyKernel.h"

namespace dash::dart {

namespace {

/// A message with data and a signal, without its payload.
std::unique_ptr<Message> signal_message(MessageKind kind, const RemoteAddress& dest,
                                        const RemoteSignal& signal) {
  auto message = std::make_unique<Message>(kind);
  message->flags =
      static_cast<std::uint8_t>((dest.absolute ? Message::absolute_location : 0) |
                                (signal.address.absolute ? Message::absolute_signal : 0));
  message->value = signal.value;
  message->op = static_cast<std::uint8_t>(signal.op);
  message->location = dest.location;
  return message;
}

}  // namespace

void SignalMessages::send(const RemoteAddress& dest, const void* src, std::size_t block_nbytes,
                          std::size_t src_stride, std::size_t nblocks, const RemoteSignal& signal,
                          Request* reply_to) {
  auto message = signal_message(MessageKind::put_signal, dest, signal);
  const std::size_t nbytes = block_nbytes * nblocks;
  if (nbytes != 0) {
    core::copy_strided(message->payload.data(), src, block_nbytes, src_stride, block_nbytes,
                       nblocks);
  }
  const std::uint64_t location = signal.address.location;
  std::memcpy(message->payload.data() + nbytes, &location, sizeof location);
  message->nbytes = static_cast<std::uint32_t>(nbytes + sizeof location);
  if (reply_to != nullptr) reply_to->trace("message", nbytes, dest.unit);
  bool is_sent = false;
  {
    const MpiCallGuard guard(_callers.inside_mpi);
    is_sent = _messenger.send(std::move(message), dest.unit, reply_to);
  }
  // In most cases MPI has sent the message and no thread here waits for it, so the progress thread
  // may keep sleeping.
  if (!is_sent || reply_to != nullptr) _windows.extend_own();
}

exec::Operation SignalMessages::send_data(const RemoteAddress& dest, const void* src,
                                          std::size_t nbytes, std::unique_ptr<char[]> packed,
                                          const RemoteSignal& signal, Request* reply_to) {
  const SignalledData data{_messenger.tag_to_send(), static_cast<std::uint32_t>(nbytes),
                           signal.address.location};
  auto message = signal_message(MessageKind::receive_signalled_data, dest, signal);
  message->nbytes = sizeof data;
  std::memcpy(message->payload.data(), &data, sizeof data);
  if (reply_to != nullptr) reply_to->trace("message", nbytes, dest.unit);
  if (nbytes > PollingWindows::small_transfer) _windows.announce(dest, nbytes, Caller::continues);
  exec::Operation operation;
  bool is_sent = false;
  {
    const MpiCallGuard guard(_callers.inside_mpi);
    const int rank = _messenger.rank_of(*message, dest.unit);
    is_sent = _messenger.send(std::move(message), dest.unit, reply_to);
    const MPI_Request in_mpi = _messenger.start_data(src, data.nbytes, rank, data.tag);
    if (in_mpi != MPI_REQUEST_NULL) {
      is_sent = false;
      operation = keep_until_sent(in_mpi, std::move(packed), nbytes, dest.unit);
    }
  }
  if (!is_sent || reply_to != nullptr) _windows.extend_own();
  return operation;
}

exec::Operation SignalMessages::keep_until_sent(MPI_Request in_mpi, std::unique_ptr<char[]> packed,
                                                std::size_t nbytes, int unit) {
  class PendingSend final : public Request {
   public:
    explicit PendingSend(std::unique_ptr<char[]> data) noexcept
        : Request(Parts{1}), _data(std::move(data)) {}

   private:
    std::unique_ptr<char[]> _data;
  };
  auto* const pending = new PendingSend(std::move(packed));
  pending->trace("put", nbytes, unit);
  exec::Operation operation(exec::StatePtr<exec::State>::adopt(pending));
  _table.add(in_mpi, *pending);
  return operation;
}

}  // namespace dash::dart
