// Task messages between nodes: active messages, and messages that one of them announces.

#include <algorithm>
#include <cstring>
#include <memory>
#include <new>
#include <utility>

#include "dash/async/Engine.h"
#include "dash/async/PollContext.h"
#include "dash/async/Watch.h"
#include "network/messages/Message.h"
#include "two_sided/TaskMessages.h"

namespace dash::dart {

namespace {

/// Bytes sent to a unit of another node between two requests for an acknowledgement, and the number of missing
/// acknowledgements at which senders wait.
constexpr std::uint32_t acknowledged_bytes = 64 * 1024;
constexpr std::int32_t max_unacknowledged = 16;
/// Bytes that a message counts for besides its data.
constexpr std::uint32_t message_overhead = 64;
/// Longest message of MPI.
constexpr std::size_t max_data_chunk = std::size_t{1} << 30;

/// Payload of a message that announces another one.
struct TaskData {
  std::uint64_t nbytes;
  std::int32_t tag;
};

int num_chunks(std::size_t nbytes) noexcept {
  return static_cast<int>((nbytes + max_data_chunk - 1) / max_data_chunk);
}

/// Calls body(chunk, length) for the parts of a message that are sent one after the other.
template <class Body>
void for_each_chunk(std::byte* data, std::size_t nbytes, const Body& body) {
  for (std::size_t begin = 0; begin < nbytes; begin += max_data_chunk)
    body(data + begin, static_cast<std::uint32_t>(std::min(max_data_chunk, nbytes - begin)));
}

}  // namespace

/// The reply to a message: its receiver has consumed it, and probably those before.
class TaskMessages::Acknowledgement final : public Request {
 public:
  explicit Acknowledgement(Peer& peer) noexcept : Request(Parts{1}), _peer(peer) {
    release();  // the starter's reference
  }

 private:
  void finish() noexcept override { _peer.unacknowledged.fetch_sub(1, std::memory_order_release); }

  Peer& _peer;
};

/// A message from another node; its end dispatches it, after the poll has released its lock.
class TaskMessages::Arrival final : public Request {
 public:
  Arrival(TaskMessages& owner, std::size_t nbytes, int parts, int source, std::uint64_t token)
      : Request(Parts{parts}),
        _owner(owner),
        _data(new std::byte[nbytes]),
        _nbytes(nbytes),
        _source(source),
        _token(token) {
    release();  // the starter's reference
  }
  std::byte* data() noexcept { return _data.get(); }

 private:
  void finish() noexcept override {
    _owner.dispatch_data(std::move(_data), _nbytes, _source, _token);
  }

  TaskMessages& _owner;
  std::unique_ptr<std::byte[]> _data;
  std::size_t _nbytes;
  int _source;
  std::uint64_t _token;
};

/// Keeps the data of a message until MPI has sent it.
class TaskMessages::DataSend final : public Request {
 public:
  DataSend(std::unique_ptr<std::byte[]> data, int parts) noexcept
      : Request(Parts{parts}), _data(std::move(data)) {
    release();  // the starter's reference
  }
  std::byte* data() noexcept { return _data.get(); }

 private:
  std::unique_ptr<std::byte[]> _data;
};

void TaskMessages::set_message_handlers() {
  _driver.messenger().set_handler(MessageKind::task, this, handle_task);
  _driver.messenger().set_handler(MessageKind::task_data, this, handle_data);
}

void TaskMessages::wait_for_acknowledgements(int unit) {
  const auto has_space = [this, unit] {
    return peer(unit).unacknowledged.load(std::memory_order_acquire) < max_unacknowledged;
  };
  if (has_space()) return;
  const exec::Purpose purpose("unit {} to consume messages", unit);
  exec::Engine::instance().wait_until(has_space);
}

/// The request for an acknowledgement that the next message contains, or null if it need not.
Request* TaskMessages::next_acknowledgement(int unit, std::size_t nbytes,
                                            MessageRole role) noexcept {
  if (role == MessageRole::reply) return nullptr;  // bounded by the number of requests
  Peer& to = peer(unit);
  const auto counted = static_cast<std::uint32_t>(
      std::min<std::size_t>(nbytes + message_overhead, acknowledged_bytes));
  if (to.nbytes.fetch_add(counted, std::memory_order_relaxed) + counted < acknowledged_bytes)
    return nullptr;
  try {
    auto* const acknowledgement = new Acknowledgement(to);
    to.nbytes.store(0, std::memory_order_relaxed);
    to.unacknowledged.fetch_add(1, std::memory_order_relaxed);
    return acknowledgement;
  } catch (const std::bad_alloc&) {
    return nullptr;  // a later message asks for it
  }
}

void TaskMessages::send_between_nodes(OutgoingMessage& message) {
  std::unique_ptr<Message> active(static_cast<Message*>(message._message));
  const bool is_announced = active == nullptr;
  DataSend* data = nullptr;
  if (is_announced) {
    std::unique_ptr<std::byte[]> bytes(message._data);
    active = std::make_unique<Message>(MessageKind::task_data);
    data = new DataSend(std::move(bytes), num_chunks(message._nbytes));
  }
  // From here on, only a failure of MPI is possible, which ends the job.
  const MessageRole role = message._role;
  const int unit = message._unit;
  const std::size_t nbytes = message._nbytes;
  active->value = static_cast<std::uint32_t>(role);
  // Until the reply arrives, an operation of this unit is in flight, and it polls.
  if (role == MessageRole::request) _driver.flow().add_unacknowledged(1);
  Request* const acknowledgement = next_acknowledgement(unit, nbytes, role);
  if (!is_announced) {
    active->nbytes = static_cast<std::uint32_t>(nbytes);
    return _driver.send(std::move(active), unit, nbytes, acknowledgement);
  }
  Messenger& messenger = _driver.messenger();
  const TaskData announced{nbytes, messenger.tag_to_send()};
  active->nbytes = sizeof announced;
  std::memcpy(active->payload.data(), &announced, sizeof announced);
  const int rank = messenger.rank_of(*active, unit);
  _driver.send(std::move(active), unit, nbytes, acknowledgement);
  for_each_chunk(data->data(), nbytes, [&](std::byte* chunk, std::uint32_t length) {
    messenger.send_data(chunk, length, rank, announced.tag, *data);
  });
}

void TaskMessages::handle_task(void* self, int rank, const Message& message,
                               FinishedParts& finished) {
  auto& messages = *static_cast<TaskMessages*>(self);
  const int source = messages._session.processes().unit_at(rank);
  auto* const arrival = new Arrival(messages, message.nbytes, 1, source, message.token);
  std::memcpy(arrival->data(), message.payload.data(), message.nbytes);
  // The poll subtracts it when it reports the part. A reply also ends its request.
  FlowControl& flow = messages._driver.flow();
  if (static_cast<MessageRole>(message.value) != MessageRole::reply) flow.add_unacknowledged(1);
  finished.add(*arrival);
}

void TaskMessages::handle_data(void* self, int rank, const Message& message,
                               FinishedParts& /*finished*/) {
  auto& messages = *static_cast<TaskMessages*>(self);
  TaskData data{};
  std::memcpy(&data, message.payload.data(), sizeof data);
  const int source = messages._session.processes().unit_at(rank);
  auto* const arrival =
      new Arrival(messages, data.nbytes, num_chunks(data.nbytes), source, message.token);
  for_each_chunk(arrival->data(), data.nbytes, [&](std::byte* chunk, std::uint32_t length) {
    messages._driver.messenger().receive_data(chunk, length, rank, data.tag, *arrival);
  });
  if (static_cast<MessageRole>(message.value) == MessageRole::reply)
    messages._driver.flow().remove_unacknowledged(1);
}

}  // namespace dash::dart
