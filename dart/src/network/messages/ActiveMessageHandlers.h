#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>

#include "launch/Heap.h"
#include "network/messages/Messenger.h"

namespace dash::dart {

/// A piece of the memory that a scatter or gather message is about; as it lies in the payload, one
/// behind the other, each followed by its data in a scatter.
struct MessagePiece {
  std::uint64_t offset;  // from the message's place
  std::uint32_t nbytes;

  static constexpr std::size_t bytes = 12;
  void write(std::byte* to) const noexcept {
    std::memcpy(to, &offset, sizeof offset);
    std::memcpy(to + sizeof offset, &nbytes, sizeof nbytes);
  }
  static MessagePiece read(const std::byte* from) noexcept {
    MessagePiece piece;
    std::memcpy(&piece.offset, from, sizeof piece.offset);
    std::memcpy(&piece.nbytes, from + sizeof piece.offset, sizeof piece.nbytes);
    return piece;
  }
};

/// Does to this unit's memory what messages of other units ask for: puts, gathers, atomics.
/// Runs on whatever thread polls; atomics are the processor's, so that they agree with those of the
/// units of this node.
class ActiveMessageHandlers {
 public:
  ActiveMessageHandlers(Messenger& messenger, Heap& heap);

 private:
  template <void (ActiveMessageHandlers::*serve)(int, const Message&)>
  void handle(MessageKind kind);

  void put(int source, const Message& message);
  void put_signal(int source, const Message& message);
  void receive_signalled_data(int source, const Message& message);
  void scatter(int source, const Message& message);
  void gather(int source, const Message& message);
  void accumulate(int source, const Message& message);
  void fetch_and_op(int source, const Message& message);
  void compare_and_swap(int source, const Message& message);
  void receive_data(int source, const Message& message);
  void send_data(int source, const Message& message);
  void call(int source, const Message& message);

  char* place_of(const Message& message) const noexcept;
  void acknowledge(int source, const Message& message);

  Messenger& _messenger;
  Heap& _heap;
};

}  // namespace dash::dart
