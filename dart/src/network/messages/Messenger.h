#pragma once

#include <mpi.h>

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "network/messages/Message.h"
#include "network/rma/Request.h"
#include "network/rma/RequestTable.h"

namespace dash::dart {

/// Active messages: MPI's two-sided messages on a communicator of ours, served by who polls.
///
/// The messages of a thread to a unit are served in the order in which they were sent. A handler
/// runs under the poll lock, on whatever thread polls, the progress thread included: it must not
/// wait, and completes nothing itself but adds to the parts that are finished. It may send.
class Messenger {
 public:
  using Handler = void (*)(void* context, int source, const Message& message,
                           FinishedParts& finished);

  /// \param communicator  ours alone, ranks are global unit ids
  Messenger(MPI_Comm communicator, int nunits, RequestTable& table);
  /// \pre nothing is on its way to this unit
  ~Messenger();
  Messenger(const Messenger&) = delete;
  Messenger& operator=(const Messenger&) = delete;

  /// Says who serves messages of a kind. \pre none has been sent to this unit yet
  void handle(MessageKind kind, void* context, Handler handler) noexcept;

  /// Sends a message, whose reply finishes a part of a request.
  /// \param answer_to  was told of the part; null if there is no reply
  /// \returns whether MPI is done with it; else somebody has to poll until it has left
  /// \completion source
  /// \threads any  \blocks never
  bool send(std::unique_ptr<Message> message, int unit, Request* answer_to = nullptr);

  /// Answers a message that has a token. \threads any
  void reply(int unit, std::uint64_t token, const void* payload = nullptr, std::size_t nbytes = 0);

  /// What is too large for a message goes beside them, without being copied by us: one side says the
  /// tag in a message, and both start these. Each finishes a part of a request.
  /// \param nbytes  at most 2^31 - 1    \param part  was told of it
  /// \threads any  \blocks never
  void send_data(const void* data, std::uint32_t nbytes, int unit, int tag, Request& part);
  void receive_data(void* data, std::uint32_t nbytes, int unit, int tag, Request& part);
  /// Begins to send the same. \returns MPI_REQUEST_NULL if MPI has copied the data
  MPI_Request start_data(const void* data, std::uint32_t nbytes, int unit, int tag) const;
  /// From here on tags are for streams, see dash/dart/Stream.h.
  static constexpr int first_stream_tag = 1 << 15;
  /// A tag that is free, for data that this unit asks for, or sends without being asked.
  int tag_to_receive() noexcept { return new_tag() + 1; }
  int tag_to_send() noexcept { return new_tag(); }

  /// Serves what has arrived, at most a batch. \returns whether something had
  /// \pre the poll lock is held
  bool serve(FinishedParts& finished);

  /// Messages sent to each unit, and received from all, since the messenger was made.
  std::vector<std::uint64_t> sent() const;
  std::uint64_t received() const noexcept { return _received.load(std::memory_order_acquire); }

 private:
  struct Service {
    void* context = nullptr;
    Handler handler = nullptr;
  };
  struct Receive {
    Message message;
    MPI_Request request = MPI_REQUEST_NULL;
  };
  class Sending;

  // Even ones from the sender of the data, odd ones from the receiver: what one unit sends another
  // has tags of both. They come again after more transfers than can be in flight.
  int new_tag() noexcept {
    constexpr std::uint32_t tags = 8192;
    return static_cast<int>(2 * (1 + _next_tag.fetch_add(1, std::memory_order_relaxed) % tags));
  }
  void post(Receive& receive);
  void post_consumed();

  MPI_Comm _communicator;
  RequestTable& _table;
  std::array<Service, max_message_kinds> _services;
  std::vector<Receive> _receives;  // once anything was served; owned by who holds the poll lock
  std::size_t _next_receive = 0;
  std::size_t _consumed = 0;  // before it, and not posted again yet
  std::vector<std::atomic<std::uint64_t>> _sent;
  std::atomic<std::uint64_t> _received{0};
  std::atomic<std::uint32_t> _next_tag{0};
};

}  // namespace dash::dart
