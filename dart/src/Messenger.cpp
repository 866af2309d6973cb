#include "Messenger.h"

#include <cstring>

#include "MpiCheck.h"

namespace dash::dart {

namespace {

constexpr int message_tag = 0;
/// Messages served by one poll; each finishes one part at most.
constexpr std::size_t batch = 64;
static_assert(batch + RequestTable::batch <= FinishedParts::capacity);

void serve_reply(void* /*context*/, int /*source*/, const Message& message,
                 FinishedParts& finished) {
  auto* const request = reinterpret_cast<Request*>(message.token);
  request->take_reply(message.payload.data(), message.nbytes);
  finished.add(*request);
}

}  // namespace

/// A message that MPI has not copied at once.
class Messenger::Sending final : public Request {
 public:
  explicit Sending(std::unique_ptr<Message> message) noexcept : _message(std::move(message)) {}

 private:
  std::unique_ptr<Message> _message;
};

Messenger::Messenger(MPI_Comm communicator, int nunits, RequestTable& table)
    : _communicator(communicator), _table(table), _sent(static_cast<std::size_t>(nunits)) {
  handle(MessageKind::reply, this, serve_reply);
}

void Messenger::handle(MessageKind kind, void* context, Handler handler) noexcept {
  _services[static_cast<std::size_t>(kind)] = {context, handler};
}

void Messenger::send(std::unique_ptr<Message> message, int unit, Request* answer_to) {
  if (answer_to != nullptr) {
    answer_to->add_part();
    _table.expect_answer();
    message->token = reinterpret_cast<std::uint64_t>(answer_to);
    message->flags |= Message::wants_reply;
  }
  _sent[static_cast<std::size_t>(unit)].fetch_add(1, std::memory_order_release);
  MPI_Request request = MPI_REQUEST_NULL;
  check_mpi(MPI_Isend(message.get(), static_cast<int>(message->total_bytes()), MPI_BYTE, unit,
                      message_tag, _communicator, &request),
            "MPI_Isend");
  // Mostly MPI has copied the message and is done with it.
  int copied = 0;
  check_mpi(MPI_Test(&request, &copied, MPI_STATUS_IGNORE), "MPI_Test");
  if (copied != 0) return;
  auto* const sending = new Sending(std::move(message));
  _table.add(request, *sending);
}

void Messenger::reply(int unit, std::uint64_t token, const void* payload, std::size_t nbytes) {
  auto message = std::make_unique<Message>(MessageKind::reply);
  message->token = token;
  message->nbytes = nbytes;
  if (nbytes != 0) std::memcpy(message->payload.data(), payload, nbytes);
  send(std::move(message), unit);
}

std::vector<std::uint64_t> Messenger::sent() const {
  std::vector<std::uint64_t> counts;
  for (const std::atomic<std::uint64_t>& count : _sent) {
    counts.push_back(count.load(std::memory_order_acquire));
  }
  return counts;
}

bool Messenger::serve(FinishedParts& finished) {
  bool served = false;
  for (std::size_t i = 0; i < batch; ++i) {
    int found = 0;
    MPI_Status status;
    // MPICH looks first and makes progress afterwards: what has just arrived is seen by the second
    // look. Nobody else receives on this communicator, so what was found is what is received.
    for (int look = 0; look < 2 && found == 0; ++look) {
      check_mpi(MPI_Iprobe(MPI_ANY_SOURCE, message_tag, _communicator, &found, &status),
                "MPI_Iprobe");
    }
    if (found == 0) break;
    check_mpi(MPI_Recv(&_incoming, sizeof _incoming, MPI_BYTE, status.MPI_SOURCE, message_tag,
                       _communicator, MPI_STATUS_IGNORE),
              "MPI_Recv");
    const Service& service = _services[static_cast<std::size_t>(_incoming.kind)];
    service.handler(service.context, status.MPI_SOURCE, _incoming, finished);
    _received.fetch_add(1, std::memory_order_release);
    served = true;
  }
  return served;
}

}  // namespace dash::dart
