#pragma once

#include <cstdint>

#include "network/messages/Messenger.h"

namespace dash::dart {

/// Handlers that apply the active messages of other units to this unit's memory: puts, gathers,
/// atomics.
///
/// They run on the polling thread. Atomics use the processor's atomic instructions, so they are
/// atomic with respect to those of the units on this node.
class ActiveMessageHandlers {
 public:
  /// \param heap  start of this unit's heap in this process
  ActiveMessageHandlers(Messenger& messenger, char* heap);
  ActiveMessageHandlers(const ActiveMessageHandlers&) = delete;
  ActiveMessageHandlers& operator=(const ActiveMessageHandlers&) = delete;

 private:
  template <void (ActiveMessageHandlers::*handler)(int, const Message&)>
  void set_handler(MessageKind kind);

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

  char* address(std::uint64_t location, bool is_absolute) const noexcept {
    return is_absolute ? reinterpret_cast<char*>(location) : _heap + location;
  }
  char* target_of(const Message& message) const noexcept {
    return address(message.location, (message.flags & Message::absolute_location) != 0);
  }
  void acknowledge(int source, const Message& message);

  Messenger& _messenger;
  char* const _heap;
};

}  // namespace dash::dart
