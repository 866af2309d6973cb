#pragma once

#include <mpi.h>

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "base/Processes.h"
#include "network/messages/Message.h"
#include "network/messages/PeerWakeUp.h"
#include "network/rma/Request.h"
#include "network/rma/RequestTable.h"

namespace dash::dart {

/// Active messages: two-sided messages of MPI on a separate communicator, dispatched by the polling
/// thread.
///
/// The messages of a thread to a process are handled in the order in which they were sent. A handler
/// runs on the polling thread, which may be the progress thread, and under the poll lock: it must
/// not wait. It completes no request; it adds finished parts to the list that the poll reports
/// after it has released the lock. It may send.
class Messenger {
 public:
  /// \param source  rank of the sender
  using Handler = void (*)(void* context, int source, const Message& message,
                           FinishedParts& finished);

  /// \param received  for each unit whose messages this process handles, the word that counts them;
  ///                  null for other units
  Messenger(const Processes& processes, std::span<std::atomic<std::uint64_t>* const> received,
            RequestTable& table, const PeerWakeUp& wake_up);
  /// \pre no message to this unit is in flight
  ~Messenger();
  Messenger(const Messenger&) = delete;
  Messenger& operator=(const Messenger&) = delete;

  /// Sets the handler of a message kind. \pre no message of the kind has been sent to this unit yet
  void set_handler(MessageKind kind, void* context, Handler handler) noexcept;

  /// Sends a message to a unit, or to the progress process that serves its heap.
  ///
  /// \param reply_to  request whose part count includes the reply; null if no reply is needed
  /// \returns whether MPI has sent or copied the message; if not, a thread must poll until it has
  /// \blocks never  \threads thread-safe  \completion source
  bool send(std::unique_ptr<Message> message, int unit, Request* reply_to = nullptr);

  /// Replies to a message that has a token. \param rank  of its sender  \threads thread-safe
  void reply(int rank, std::uint64_t token, const void* payload = nullptr, std::size_t nbytes = 0);
  /// Likewise, without a payload. If this fails, the job ends with an error.
  void reply_or_abort(int rank, std::uint64_t token) noexcept;

  /// The rank of the process that handles a message to a unit.
  int rank_of(const Message& message, int unit) const noexcept {
    return message.is_for_unit() ? _processes.rank(unit) : _processes.server(unit);
  }

  /// Send or receive data that is too large for a message, without copying it: one side announces
  /// the tag in a message, then each side calls its function. Each call finishes a part of a
  /// request.
  ///
  /// \param nbytes  at most 2^31 - 1
  /// \param rank    of the other side
  /// \param part    request whose part count includes the data
  /// \blocks never  \threads thread-safe
  void send_data(const void* data, std::uint32_t nbytes, int rank, int tag, Request& part);
  void receive_data(void* data, std::uint32_t nbytes, int rank, int tag, Request& part);
  /// Starts to send data. \returns MPI_REQUEST_NULL if MPI has copied the data
  MPI_Request start_data(const void* data, std::uint32_t nbytes, int rank, int tag) const;
  /// First tag of the persistent streams (dash/dart/Stream.h).
  static constexpr int first_stream_tag = 1 << 15;
  /// Unused tags for data that this unit requests from another unit, and for data that it sends on
  /// its own initiative.
  int tag_to_receive() noexcept { return new_tag() + 1; }
  int tag_to_send() noexcept { return new_tag(); }

  enum class Arrived : std::uint8_t {
    nothing,
    messages,
    message_of_waiting_caller  ///< Message::sender_waits() of at least one of them
  };
  /// Handles messages that have arrived, at most a fixed number. \returns what had arrived
  /// \pre the caller holds the poll lock
  Arrived handle_arrived(FinishedParts& finished);

  /// Lets MPI make progress, without handling messages.
  /// \pre the caller holds the poll lock
  void advance_mpi();

  /// Counts a message that has been handled. handle_arrived() does this, except for those of
  /// Message::is_counted_by_handler().
  void count_received(int target) noexcept {
    _received[static_cast<std::size_t>(target)]->fetch_add(1, std::memory_order_release);
  }
  /// Number of messages other than replies sent to each unit, since construction.
  std::vector<std::uint64_t> sent() const;

 private:
  struct HandlerEntry {
    void* context = nullptr;
    Handler handler = nullptr;
  };
  struct Receive {
    Message message;
    MPI_Request request = MPI_REQUEST_NULL;
  };
  class PendingSend;

  // Even tags are chosen by the sender of the data, odd ones by the receiver, because a pair of
  // units uses both kinds in the same direction. The tags repeat after more transfers than can be
  // in flight.
  int new_tag() noexcept {
    constexpr std::uint32_t tags = 8192;
    return static_cast<int>(2 * (1 + _next_tag.fetch_add(1, std::memory_order_relaxed) % tags));
  }
  void post(Receive& receive);
  void repost_consumed();

  bool send_to(int rank, std::unique_ptr<Message> message);

  const Processes& _processes;
  const MPI_Comm _communicator;
  // The words are incremented with release after the handler, and loaded with acquire: a unit that waits for
  // a number of messages sees the effects of their handlers.
  const std::span<std::atomic<std::uint64_t>* const> _received;
  RequestTable& _table;
  const PeerWakeUp& _wake_up;
  std::array<HandlerEntry, max_message_kinds> _handlers;
  // These four belong to the holder of the poll lock.
  std::vector<Receive> _receives;           // posted by the first poll
  std::size_t _next_receive = 0;            // index of the oldest posted receive
  std::size_t _consumed = 0;                // receives before it that have not been posted again
  MPI_Request _pending = MPI_REQUEST_NULL;  // see advance_mpi()
  // Any order suffices: they publish no data, and the caller of sent() has completed its operations
  // before, whose completions come after their messages.
  std::vector<std::atomic<std::uint64_t>> _sent;
  std::atomic<std::uint32_t> _next_tag{0};  // relaxed: the tags only have to be different
};

}  // namespace dash::dart
