#pragma once

#include <cstdint>
#include <span>

#include "network/messages/DataSends.h"
#include "network/messages/Messenger.h"
#include "network/messages/SignalOrder.h"

namespace dash::dart {

/// Handlers that apply the active messages of other units to the memory of this unit or, in a progress
/// process, to the heaps that it serves: puts, gathers, atomics.
///
/// They run on the polling thread. Atomics use the processor's atomic instructions, so they are
/// atomic with respect to those of the units on this node.
class ActiveMessageHandlers {
 public:
  /// \param heaps  by global id of a unit: the start of its heap in this process; null if messages to
  ///               the unit are not handled here
  ActiveMessageHandlers(Messenger& messenger, std::span<char* const> heaps);
  ActiveMessageHandlers(const ActiveMessageHandlers&) = delete;
  ActiveMessageHandlers& operator=(const ActiveMessageHandlers&) = delete;

  const DataSends& sends() const noexcept { return _sends; }

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

  char* address(const Message& message, std::uint64_t location, bool is_absolute) const noexcept {
    if (is_absolute) return reinterpret_cast<char*>(location);
    return _heaps[static_cast<std::size_t>(message.target)] + location;
  }
  char* target_of(const Message& message) const noexcept {
    return address(message, message.location, (message.flags & Message::absolute_location) != 0);
  }
  void acknowledge(int source, const Message& message);

  Messenger& _messenger;
  SignalOrder _signals;
  DataSends _sends;
  const std::span<char* const> _heaps;
};

}  // namespace dash::dart
