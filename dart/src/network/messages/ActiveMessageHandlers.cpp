#include "network/messages/ActiveMessageHandlers.h"

#include <array>
#include <cstring>

#include "base/Atomics.h"
#include "base/Error.h"
#include "transfer/RemoteCall.h"
#include "base/Types.h"
#include "dash/dart/Signal.h"

namespace dash::dart {

namespace {

char* resolve(Heap& heap, std::uint64_t place, bool absolute) noexcept {
  return absolute ? reinterpret_cast<char*>(place) : heap.own() + place;
}

int tag_of(const Message& message) noexcept {
  int tag = 0;
  std::memcpy(&tag, message.payload.data(), sizeof tag);
  return tag;
}

/// Data on its way into this unit's memory; its sender is told when it is there.
class Arrival final : public Request {
 public:
  Arrival(Messenger& messenger, int source, std::uint64_t token) noexcept
      : Request(OnePart()), _messenger(messenger), _source(source), _token(token) {
    release();  // the starter's
  }

 private:
  void finish() noexcept override { _messenger.reply(_source, _token); }

  Messenger& _messenger;
  int _source;
  std::uint64_t _token;
};

/// The same with a signal of this unit, which is raised then; its sender may want to know.
class SignalledArrival final : public Request {
 public:
  SignalledArrival(Messenger& messenger, int source, const Message& message,
                   Signal& signal) noexcept
      : Request(OnePart()),
        _messenger(messenger),
        _signal(signal),
        _token(message.token),
        _source(source),
        _value(message.value),
        _op(static_cast<SignalOp>(message.op)),
        _wants_reply((message.flags & Message::wants_reply) != 0) {
    release();  // the starter's
  }

 private:
  void finish() noexcept override {
    raise_signal(_signal, _value, _op);
    if (_wants_reply) _messenger.reply(_source, _token);
  }

  Messenger& _messenger;
  Signal& _signal;
  std::uint64_t _token;
  int _source;
  std::uint32_t _value;
  SignalOp _op;
  bool _wants_reply;
};

/// Data on its way from this unit's memory to who has asked for it.
class Departure final : public Request {
 public:
  Departure() noexcept : Request(OnePart()) {
    release();  // the starter's
  }
};

}  // namespace

template <void (ActiveMessageHandlers::*serve)(int, const Message&)>
void ActiveMessageHandlers::handle(MessageKind kind) {
  _messenger.handle(kind, this, [](void* self, int source, const Message& message, FinishedParts&) {
    (static_cast<ActiveMessageHandlers*>(self)->*serve)(source, message);
  });
}

ActiveMessageHandlers::ActiveMessageHandlers(Messenger& messenger, Heap& heap) : _messenger(messenger), _heap(heap) {
  handle<&ActiveMessageHandlers::put>(MessageKind::put);
  handle<&ActiveMessageHandlers::put_signal>(MessageKind::put_signal);
  handle<&ActiveMessageHandlers::scatter>(MessageKind::scatter);
  handle<&ActiveMessageHandlers::gather>(MessageKind::gather);
  handle<&ActiveMessageHandlers::accumulate>(MessageKind::accumulate);
  handle<&ActiveMessageHandlers::fetch_and_op>(MessageKind::fetch_and_op);
  handle<&ActiveMessageHandlers::compare_and_swap>(MessageKind::compare_and_swap);
  handle<&ActiveMessageHandlers::receive_data>(MessageKind::receive_data);
  handle<&ActiveMessageHandlers::receive_signalled_data>(MessageKind::receive_signalled_data);
  handle<&ActiveMessageHandlers::send_data>(MessageKind::send_data);
  handle<&ActiveMessageHandlers::call>(MessageKind::call);
}

char* ActiveMessageHandlers::place_of(const Message& message) const noexcept {
  return resolve(_heap, message.place, (message.flags & Message::absolute_place) != 0);
}

void ActiveMessageHandlers::acknowledge(int source, const Message& message) {
  if ((message.flags & Message::wants_reply) != 0) _messenger.reply(source, message.token);
}

void ActiveMessageHandlers::put(int source, const Message& message) {
  std::memcpy(place_of(message), message.payload.data(), message.nbytes);
  acknowledge(source, message);
}

void ActiveMessageHandlers::put_signal(int source, const Message& message) {
  std::uint64_t place = 0;
  const std::size_t nbytes = message.nbytes - sizeof place;
  std::memcpy(place_of(message), message.payload.data(), nbytes);
  std::memcpy(&place, message.payload.data() + nbytes, sizeof place);
  char* const signal = resolve(_heap, place, (message.flags & Message::absolute_signal) != 0);
  raise_signal(*reinterpret_cast<Signal*>(signal), message.value,
               static_cast<SignalOp>(message.op));
  acknowledge(source, message);
}

void ActiveMessageHandlers::scatter(int source, const Message& message) {
  char* const place = place_of(message);
  const std::byte* from = message.payload.data();
  const std::byte* const end = from + message.nbytes;
  while (from != end) {
    const MessagePiece piece = MessagePiece::read(from);
    from += MessagePiece::bytes;
    std::memcpy(place + piece.offset, from, piece.nbytes);
    from += piece.nbytes;
  }
  acknowledge(source, message);
}

void ActiveMessageHandlers::gather(int source, const Message& message) {
  const char* const place = place_of(message);
  std::array<std::byte, Message::max_payload> packed;
  std::byte* to = packed.data();
  const std::byte* from = message.payload.data();
  for (const std::byte* const end = from + message.nbytes; from != end;
       from += MessagePiece::bytes) {
    const MessagePiece piece = MessagePiece::read(from);
    std::memcpy(to, place + piece.offset, piece.nbytes);
    to += piece.nbytes;
  }
  _messenger.reply(source, message.token, packed.data(),
                   static_cast<std::size_t>(to - packed.data()));
}

void ActiveMessageHandlers::accumulate(int source, const Message& message) {
  find_accumulate(message.op, message.type)(place_of(message), message.payload.data(),
                                            message.nbytes / basic_type_sizes[message.type]);
  acknowledge(source, message);
}

void ActiveMessageHandlers::fetch_and_op(int source, const Message& message) {
  std::array<std::byte, sizeof(long double)> old;
  find_fetch_and_op(message.op, message.type)(place_of(message), message.payload.data(),
                                              old.data());
  _messenger.reply(source, message.token, old.data(), basic_type_sizes[message.type]);
}

void ActiveMessageHandlers::compare_and_swap(int source, const Message& message) {
  std::array<std::byte, sizeof(long double)> old;
  const std::size_t size = basic_type_sizes[message.type];
  find_compare_and_swap(message.type)(place_of(message), message.payload.data(),
                                      message.payload.data() + size, old.data());
  _messenger.reply(source, message.token, old.data(), size);
}

void ActiveMessageHandlers::receive_data(int source, const Message& message) {
  auto* const arrival = new Arrival(_messenger, source, message.token);
  _messenger.receive_data(place_of(message), message.value, source, tag_of(message), *arrival);
}

void ActiveMessageHandlers::receive_signalled_data(int source, const Message& message) {
  SignalledData data{};
  std::memcpy(&data, message.payload.data(), sizeof data);
  char* const signal = resolve(_heap, data.signal, (message.flags & Message::absolute_signal) != 0);
  auto* const arrival =
      new SignalledArrival(_messenger, source, message, *reinterpret_cast<Signal*>(signal));
  _messenger.receive_data(place_of(message), data.nbytes, source, data.tag, *arrival);
}

void ActiveMessageHandlers::send_data(int source, const Message& message) {
  auto* const departure = new Departure();
  _messenger.send_data(place_of(message), message.value, source, tag_of(message), *departure);
}

void ActiveMessageHandlers::call(int source, const Message& message) {
  alignas(16) std::array<std::byte, CallService::max_bytes> reply;
  CallService* const service = find_service(static_cast<std::int16_t>(message.value));
  const std::size_t nbytes =
      service == nullptr ? 0
                         : service->serve({message.payload.data(), message.nbytes}, reply.data());
  _messenger.reply(source, message.token, reply.data(), nbytes);
}

}  // namespace dash::dart
