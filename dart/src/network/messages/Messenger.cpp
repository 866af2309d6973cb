#include "network/messages/Messenger.h"

#include <cstring>
#include <exception>

#include "base/MpiCheck.h"
#include "dash/core/OtherProcesses.h"
#include "dash/core/Statistics.h"
#include "network/NetworkFailure.h"

namespace dash::dart {

namespace {

constexpr int message_tag = 0;
/// No message has this tag.
constexpr int unused_tag = 1;
/// Posted receives: MPI receives this many messages without an intermediate copy. MPI compares
/// every message between nodes, of any communicator, with each of them first, which takes 3 ns.
constexpr std::size_t num_receives = 4;
/// Messages handled by one poll; each finishes at most one part.
constexpr std::size_t batch = 64;
static_assert(batch + RequestTable::batch <= FinishedParts::capacity);

void handle_reply(void* /*context*/, int /*source*/, const Message& message,
                  FinishedParts& finished) {
  auto* const request = reinterpret_cast<Request*>(message.token);
  request->take_reply(message.payload.data(), message.nbytes);
  finished.add(*request);
}

/// Frees the request of a send if MPI has copied the data. MPI_Test would also make progress, which takes longer than the
/// send. \returns whether it has
bool free_if_complete(MPI_Request& request, int unit) {
  int is_complete = 0;
  check_mpi(MPI_Request_get_status(request, &is_complete, MPI_STATUS_IGNORE),
            "MPI_Request_get_status", unit);
  if (is_complete != 0) check_mpi(MPI_Wait(&request, MPI_STATUS_IGNORE), "MPI_Wait", unit);
  return is_complete != 0;
}

void cancel(MPI_Request& request) {
  if (request == MPI_REQUEST_NULL) return;
  MPI_Cancel(&request);
  MPI_Wait(&request, MPI_STATUS_IGNORE);
}

}  // namespace

/// A message that MPI has not copied in the call.
class Messenger::PendingSend final : public Request {
 public:
  PendingSend(std::unique_ptr<Message> message, int unit) noexcept
      : Request(Parts{1}), _message(std::move(message)) {
    set_peer(unit);
    release();  // the starter's reference
  }

 private:
  std::unique_ptr<Message> _message;
};

Messenger::Messenger(const Processes& processes,
                     std::span<std::atomic<std::uint64_t>* const> received, RequestTable& table,
                     const PeerWakeUp& wake_up)
    : _processes(processes),
      _communicator(processes.communicator),
      _received(received),
      _table(table),
      _wake_up(wake_up),
      _sent(processes.rank_of.size()) {
  set_handler(MessageKind::reply, this, handle_reply);
}

Messenger::~Messenger() {
  for (Receive& receive : _receives)
    cancel(receive.request);
  cancel(_pending);
}

void Messenger::post(Receive& receive) {
  check_mpi(MPI_Irecv(&receive.message, sizeof receive.message, MPI_BYTE, MPI_ANY_SOURCE,
                      message_tag, _communicator, &receive.request),
            "MPI_Irecv");
}

void Messenger::set_handler(MessageKind kind, void* context, Handler handler) noexcept {
  _handlers[static_cast<std::size_t>(kind)] = {context, handler};
}

bool Messenger::send(std::unique_ptr<Message> message, int unit, Request* reply_to) {
  if (reply_to != nullptr) {
    _table.expect_replies(1);
    message->token = reinterpret_cast<std::uint64_t>(reply_to);
    message->flags |= Message::wants_reply;
  }
  message->target = unit;
  _sent[static_cast<std::size_t>(unit)].fetch_add(1, std::memory_order_release);
  const int rank = rank_of(*message, unit);
  return send_to(rank, std::move(message));
}

bool Messenger::send_to(int rank, std::unique_ptr<Message> message) {
  const int unit = _processes.unit_at(rank);
  core::count(core::Counter::messages_sent);
  // The caller's writes to memory precede the message, for the receiver and for units that it
  // notifies in turn.
  core::before_other_processes();
  MPI_Request request = MPI_REQUEST_NULL;
  check_mpi(MPI_Isend(message.get(), static_cast<int>(message->total_bytes()), MPI_BYTE, rank,
                      message_tag, _communicator, &request),
            "MPI_Isend", unit);
  // In most cases MPI has copied the message and the send is complete.
  const bool is_copied = free_if_complete(request, unit);
  _wake_up.wake(unit);
  if (is_copied) return true;
  const Message* const in_mpi = message.get();
  try {
    auto* const pending = new PendingSend(std::move(message), unit);
    _table.add(request, *pending);
  } catch (...) {
    // The message is in flight and its reply may arrive, so this is no failure of the call. MPI may
    // read the message at any time, so it is never freed.
    if (message.get() == in_mpi) static_cast<void>(message.release());
    MPI_Request_free(&request);
  }
  return false;
}

void Messenger::reply(int rank, std::uint64_t token, const void* payload, std::size_t nbytes) {
  auto message = std::make_unique<Message>(MessageKind::reply);
  message->token = token;
  message->nbytes = static_cast<std::uint32_t>(nbytes);
  if (nbytes != 0) std::memcpy(message->payload.data(), payload, nbytes);
  send_to(rank, std::move(message));
}

void Messenger::reply_or_abort(int rank, std::uint64_t token) noexcept {
  try {
    reply(rank, token);
  } catch (const std::exception& error) {
    abort_after_network_failure(_communicator, error);
  }
}

void Messenger::send_data(const void* data, std::uint32_t nbytes, int rank, int tag,
                          Request& part) {
  MPI_Request request = MPI_REQUEST_NULL;
  check_mpi(MPI_Isend(data, static_cast<int>(nbytes), MPI_BYTE, rank, tag, _communicator, &request),
            "MPI_Isend", _processes.unit_at(rank));
  _table.add(request, part);
}

MPI_Request Messenger::start_data(const void* data, std::uint32_t nbytes, int rank, int tag) const {
  const int unit = _processes.unit_at(rank);
  MPI_Request request = MPI_REQUEST_NULL;
  check_mpi(MPI_Isend(data, static_cast<int>(nbytes), MPI_BYTE, rank, tag, _communicator, &request),
            "MPI_Isend", unit);
  free_if_complete(request, unit);
  return request;
}

void Messenger::receive_data(void* data, std::uint32_t nbytes, int rank, int tag, Request& part) {
  MPI_Request request = MPI_REQUEST_NULL;
  check_mpi(MPI_Irecv(data, static_cast<int>(nbytes), MPI_BYTE, rank, tag, _communicator, &request),
            "MPI_Irecv", _processes.unit_at(rank));
  _table.add(request, part);
}

std::vector<std::uint64_t> Messenger::sent() const {
  std::vector<std::uint64_t> counts;
  for (const std::atomic<std::uint64_t>& count : _sent) {
    counts.push_back(count.load(std::memory_order_acquire));
  }
  return counts;
}

void Messenger::repost_consumed() {
  for (; _consumed != 0; --_consumed) {
    post(_receives[(_next_receive + num_receives - _consumed) % num_receives]);
  }
}

/// Tests a request that never completes: MPI_Iprobe() makes no progress in MPICH 4.0 if the communicator has one
/// process.
void Messenger::advance_mpi() {
  if (_pending == MPI_REQUEST_NULL) {
    check_mpi(MPI_Irecv(nullptr, 0, MPI_BYTE, 0, unused_tag, _communicator, &_pending),
              "MPI_Irecv");
  }
  int is_complete = 0;
  check_mpi(MPI_Test(&_pending, &is_complete, MPI_STATUS_IGNORE), "MPI_Test");
}

Messenger::Arrived Messenger::handle_arrived(FinishedParts& finished) {
  if (_receives.empty()) {
    _receives = std::vector<Receive>(num_receives);
    for (Receive& receive : _receives)
      post(receive);
  }
  // Messages match the receives in the order in which these were posted, so the oldest receive
  // completes first.
  Arrived what = Arrived::nothing;
  for (std::size_t i = 0; i < batch; ++i) {
    Receive& receive = _receives[_next_receive];
    int arrived = 0;
    MPI_Status status;
    check_mpi(MPI_Test(&receive.request, &arrived, &status), "MPI_Test");
    if (arrived == 0) {
      repost_consumed();
      return what;
    }
    const Message& message = receive.message;
    const HandlerEntry& entry = _handlers[static_cast<std::size_t>(message.kind)];
    if (message.sender_waits()) {
      what = Arrived::message_of_waiting_caller;
    } else if (what == Arrived::nothing) {
      what = Arrived::messages;
    }
    entry.handler(entry.context, status.MPI_SOURCE, message, finished);
    _next_receive = (_next_receive + 1) % num_receives;
    core::count(core::Counter::messages_handled);
    // Those of progress processes belong to transfers that a unit completes before it ends.
    if (!message.is_counted_by_handler() && _processes.is_unit(status.MPI_SOURCE))
      count_received(message.target);
    // Repost in halves: the handler, on whose result a unit may wait, runs before the receives are
    // posted again.
    if (++_consumed == num_receives / 2) repost_consumed();
    if (!finished.empty()) return what;
  }
  return what;
}

}  // namespace dash::dart
