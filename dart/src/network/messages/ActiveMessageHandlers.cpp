#include "network/messages/ActiveMessageHandlers.h"

#include <array>
#include <cstring>

#include "base/Atomics.h"
#include "base/Error.h"
#include "base/Types.h"
#include "dash/dart/Signal.h"
#include "network/messages/BlockHeader.h"

namespace dash::dart {

namespace {

int tag_of(const Message& message) noexcept {
  int tag = 0;
  std::memcpy(&tag, message.payload.data(), sizeof tag);
  return tag;
}

/// Reception of data into this unit's memory; its end sends a reply to the sender of the data.
class DataReceive final : public Request {
 public:
  DataReceive(Messenger& messenger, int source, std::uint64_t token) noexcept
      : Request(Parts{1}), _messenger(messenger), _source(source), _token(token) {
    release();  // the starter's reference
  }

 private:
  void finish() noexcept override { _messenger.reply_or_abort(_source, _token); }

  Messenger& _messenger;
  int _source;
  std::uint64_t _token;
};

/// Reception of the data of a put with a signal.
class SignalledDataReceive final : public Request {
 public:
  SignalledDataReceive(SignalOrder& order, SignalOrder::Put& put) noexcept
      : Request(Parts{1}), _order(order), _put(put) {
    release();  // the starter's reference
  }

 private:
  void finish() noexcept override { _order.arrived(_put); }

  SignalOrder& _order;
  SignalOrder::Put& _put;
};

}  // namespace

template <void (ActiveMessageHandlers::*handler)(int, const Message&)>
void ActiveMessageHandlers::set_handler(MessageKind kind) {
  _messenger.set_handler(kind, this,
                         [](void* self, int source, const Message& message, FinishedParts&) {
                           (static_cast<ActiveMessageHandlers*>(self)->*handler)(source, message);
                         });
}

ActiveMessageHandlers::ActiveMessageHandlers(Messenger& messenger, std::span<char* const> heaps)
    : _messenger(messenger), _signals(messenger), _heaps(heaps) {
  using Self = ActiveMessageHandlers;
  set_handler<&Self::put>(MessageKind::put);
  set_handler<&Self::put_signal>(MessageKind::put_signal);
  set_handler<&Self::scatter>(MessageKind::scatter);
  set_handler<&Self::gather>(MessageKind::gather);
  set_handler<&Self::accumulate>(MessageKind::accumulate);
  set_handler<&Self::fetch_and_op>(MessageKind::fetch_and_op);
  set_handler<&Self::compare_and_swap>(MessageKind::compare_and_swap);
  set_handler<&Self::receive_data>(MessageKind::receive_data);
  set_handler<&Self::receive_signalled_data>(MessageKind::receive_signalled_data);
  set_handler<&Self::send_data>(MessageKind::send_data);
}

void ActiveMessageHandlers::acknowledge(int source, const Message& message) {
  if ((message.flags & Message::wants_reply) != 0) _messenger.reply(source, message.token);
}

void ActiveMessageHandlers::put(int source, const Message& message) {
  if (message.nbytes != 0) {
    std::memcpy(target_of(message), message.payload.data(), message.nbytes);
    acknowledge(source, message);
  } else if ((message.flags & Message::wants_reply) != 0) {
    _signals.acknowledge(source, message.token);
  }
}

void ActiveMessageHandlers::put_signal(int source, const Message& message) {
  std::uint64_t signal_location = 0;
  const std::size_t nbytes = message.nbytes - sizeof signal_location;
  std::memcpy(target_of(message), message.payload.data(), nbytes);
  std::memcpy(&signal_location, message.payload.data() + nbytes, sizeof signal_location);
  char* const signal =
      address(message, signal_location, (message.flags & Message::absolute_signal) != 0);
  auto& word = *reinterpret_cast<Signal*>(signal);
  if (_signals.is_empty()) {
    raise_signal(word, message.value, static_cast<SignalOp>(message.op));
    _messenger.count_received(message.target);
    return acknowledge(source, message);
  }
  _signals.arrived(_signals.add(source, message, word));
}

void ActiveMessageHandlers::scatter(int source, const Message& message) {
  char* const target = target_of(message);
  const std::byte* from = message.payload.data();
  const std::byte* const end = from + message.nbytes;
  while (from != end) {
    const BlockHeader block = BlockHeader::read(from);
    from += BlockHeader::bytes;
    std::memcpy(target + block.offset, from, block.nbytes);
    from += block.nbytes;
  }
  acknowledge(source, message);
}

void ActiveMessageHandlers::gather(int source, const Message& message) {
  const char* const source_memory = target_of(message);
  std::array<std::byte, Message::max_payload> packed;
  std::byte* to = packed.data();
  const std::byte* from = message.payload.data();
  for (const std::byte* const end = from + message.nbytes; from != end;
       from += BlockHeader::bytes) {
    const BlockHeader block = BlockHeader::read(from);
    std::memcpy(to, source_memory + block.offset, block.nbytes);
    to += block.nbytes;
  }
  _messenger.reply(source, message.token, packed.data(),
                   static_cast<std::size_t>(to - packed.data()));
}

void ActiveMessageHandlers::accumulate(int source, const Message& message) {
  find_accumulate(message.op, message.type)(target_of(message), message.payload.data(),
                                            message.nbytes / basic_type_sizes[message.type]);
  acknowledge(source, message);
}

void ActiveMessageHandlers::fetch_and_op(int source, const Message& message) {
  std::array<std::byte, sizeof(long double)> old;
  find_fetch_and_op(message.op, message.type)(target_of(message), message.payload.data(),
                                              old.data());
  _messenger.reply(source, message.token, old.data(), basic_type_sizes[message.type]);
}

void ActiveMessageHandlers::compare_and_swap(int source, const Message& message) {
  std::array<std::byte, sizeof(long double)> old;
  const std::size_t size = basic_type_sizes[message.type];
  find_compare_and_swap(message.type)(target_of(message), message.payload.data(),
                                      message.payload.data() + size, old.data());
  _messenger.reply(source, message.token, old.data(), size);
}

void ActiveMessageHandlers::receive_data(int source, const Message& message) {
  auto* const receive = new DataReceive(_messenger, source, message.token);
  _messenger.receive_data(target_of(message), message.value, source, tag_of(message), *receive);
}

void ActiveMessageHandlers::receive_signalled_data(int source, const Message& message) {
  SignalledData data{};
  std::memcpy(&data, message.payload.data(), sizeof data);
  char* const signal =
      address(message, data.signal, (message.flags & Message::absolute_signal) != 0);
  SignalOrder::Put& put = _signals.add(source, message, *reinterpret_cast<Signal*>(signal));
  auto* const receive = new SignalledDataReceive(_signals, put);
  _messenger.receive_data(target_of(message), data.nbytes, source, data.tag, *receive);
}

void ActiveMessageHandlers::send_data(int source, const Message& message) {
  const char* const data = target_of(message);
  auto* const send = new DataSends::Send(_sends, data, message.value);
  _messenger.send_data(data, message.value, source, tag_of(message), *send);
}

}  // namespace dash::dart
