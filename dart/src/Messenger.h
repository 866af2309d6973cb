#pragma once

#include <mpi.h>

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "Message.h"
#include "Request.h"
#include "RequestTable.h"

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
  /// \completion source
  /// \threads any  \blocks never
  void send(std::unique_ptr<Message> message, int unit, Request* answer_to = nullptr);

  /// Answers a message that has a token. \threads any
  void reply(int unit, std::uint64_t token, const void* payload = nullptr, std::size_t nbytes = 0);

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
};

}  // namespace dash::dart
