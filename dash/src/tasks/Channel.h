#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "dash/async/FunctionRef.h"
#include "dash/core/Spin.h"
#include "dash/dart/Transfer.h"
#include "dash/dart/if/dart_globmem.h"

namespace dash::tasks::internal {

/// A message between two units about one of their tasks.
struct TaskMessage {
  /// Address of the task or proxy in the receiver's process. The lowest bits hold the flags below.
  std::uint64_t subject = 0;
  /// Address of the sender's object, which the receiver sends back as the subject of its reply.
  std::uint64_t reference = 0;

  static constexpr std::uint64_t done = 1;  // if not set: access is granted
  static constexpr std::uint64_t cancelled = 2;
  static constexpr std::uint64_t flags = 3;
};

/// FIFO channels for task messages, one for each ordered pair of units. For each sender, the
/// receiver's global memory holds a ring buffer, which the sender fills with put_signal(). The
/// receiver returns credits by raising a signal.
///
/// Senders never block: if a ring is full, a job sends the remaining messages when slots are free.
class Channel {
 public:
  /// \collective over all units
  Channel();
  /// \pre no messages are in flight   \collective over all units
  ~Channel();
  Channel(const Channel&) = delete;
  Channel& operator=(const Channel&) = delete;

  /// \threads thread-safe   \blocks until the caller may reuse the message; never for free slots
  void send(int unit, const TaskMessage& message);

  /// Removes the messages that have arrived and calls handle(source, message) for each.
  /// \threads externally synchronized
  void receive_all(exec::FunctionRef<void(int, const TaskMessage&)> handle);
  bool has_messages() const noexcept;
  /// A signal that changes when a message from a unit of the same node arrives, when all tasks in
  /// the graph of this unit have finished (TaskGraph::notify_when_finished()), and when
  /// notify() is called. Each change wakes the threads that sleep on it.
  dart::Signal& message_signal() noexcept { return *_message_signal; }
  void notify() noexcept;

 private:
  struct Inbox;
  struct Outbox;
  class SendJob;

  dart_gptr_t at(int unit, std::size_t offset) const noexcept;
  bool send_batch(int unit, Outbox& outbox);
  void drain(int unit, Outbox& outbox, bool may_block);

  int _my_unit;
  int _units;
  dart_gptr_t _memory;
  dart::Signal* _message_signal = nullptr;
  Inbox* _inboxes = nullptr;
  std::vector<std::uint32_t> _heads;  // number of messages consumed from each inbox
  std::unique_ptr<Outbox[]> _outboxes;
};

}  // namespace dash::tasks::internal
