#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <map>
#include <memory>
#include <mutex>
#include <utility>
#include <vector>

#include "base/WakeWord.h"
#include "dash/async/PollSource.h"
#include "dash/core/Spin.h"
#include "dash/dart/TaskMessage.h"
#include "launch/Session.h"
#include "memory/GlobalMemory.h"
#include "network/rma/RmaDriver.h"
#include "two_sided/Mailbox.h"
#include "two_sided/MessageBlocks.h"

namespace dash::dart {

/// The part of a receiving unit that the other units of the node access; in the heap of that unit.
struct TaskMailbox {
  alignas(core::cache_line_size) BlockList arrived;
  /// Blocks of this unit that their receivers have returned.
  alignas(core::cache_line_size) BlockList returned;
  /// Callers of this unit that wait and poll. While there are some, messages do not wake the progress thread.
  alignas(core::cache_line_size) std::atomic<std::uint32_t> waiting_callers{0};
  /// Callers that wait for a returned block, and messages that do.
  std::atomic<std::uint32_t> waits_for_blocks{0};
  WakeWord callers;  // on which waiting callers sleep
  WakeWord thread;   // on which the progress thread sleeps
};

/// Sends messages to functions of other units, and dispatches those that arrive.
///
/// Within a node, the sender fills a block of its heap and pushes it to the list of the receiver. The receiver reads the
/// message there, and returns the block when it has consumed it. Longer messages, and those for which no block is free
/// while the sender must not wait, are sent in fragments as blocks become free. Between nodes, short messages are active
/// messages; longer ones follow an active message that announces them. The receiver acknowledges a message from time to
/// time when it has consumed it, and the sender waits if too many acknowledgements are missing. So the memory of messages
/// that a unit has not consumed is bounded, except for messages of senders that must not wait.
/// \threads thread-safe
class TaskMessages final : public exec::PollSource {
 public:
  TaskMessages(Session& session, RmaDriver& driver, GlobalMemory& memory);

  static TaskMailbox& mailbox_of_slot(Session& session, int slot) noexcept;

  void reserve(OutgoingMessage& message, int unit, std::size_t nbytes, MessageRole role);
  void discard(OutgoingMessage& message) noexcept;
  void send(OutgoingMessage& message);
  void release(IncomingMessage& message) noexcept;
  void make_private(IncomingMessage& message) noexcept;
  /// See set_message_receiver().
  void set_receiver(MessageReceiver receiver) noexcept;
  /// See set_message_batches().
  void set_batches(MessageBatches& batches) noexcept {
    _batches.store(&batches, std::memory_order_release);
  }

  bool poll() noexcept override;
  exec::Demand demand() const noexcept override;
  Words wait_words(std::span<core::FutexWord> words, bool by_thread) noexcept override;
  /// Programs that use only the C interface have no receiver, and sleep on fewer words.
  bool has_wait_words() const noexcept override { return _has_node && has_receiver(); }
  /// The operations that a caller of the fast path waits for complete without this source.
  bool prevents_fast_path() const noexcept override { return false; }
  bool expects_more() const noexcept override { return _has_found.load(std::memory_order_relaxed); }
  bool wakes_progress_thread() const noexcept override { return true; }
  bool thread_must_recheck() noexcept override { return has_wait_words() && has_work_from_units(); }

 private:
  /// A message that is sent in fragments.
  struct Deferred {
    int unit;
    std::unique_ptr<std::byte[]> data;
    std::size_t nbytes;
    std::size_t sent;
    std::int32_t id;
  };
  /// A message that arrives in fragments.
  struct Assembly {
    std::unique_ptr<std::byte[]> data;
    std::size_t received = 0;
  };
  /// What has been sent to a unit of another node.
  struct Peer {
    /// Bytes since the last message that requests an acknowledgement.
    std::atomic<std::uint32_t> nbytes{0};
    /// Messages that have requested one, and have not obtained it.
    std::atomic<std::int32_t> unacknowledged{0};
  };
  class Acknowledgement;
  class Arrival;
  class DataSend;

  TaskMailbox& mailbox_of(int unit) noexcept {
    return mailbox_of_slot(_session, _session.layout().slots[static_cast<std::size_t>(unit)]);
  }
  bool on_node(int unit) const noexcept {
    return _session.layout().slots[static_cast<std::size_t>(unit)] >= 0;
  }
  char* heaps() const noexcept { return _session.heap().base(); }
  Peer& peer(int unit) noexcept { return _peers[static_cast<std::size_t>(unit)]; }

  bool has_batches() const noexcept {
    const MessageBatches* const batches = _batches.load(std::memory_order_acquire);
    return batches != nullptr && !batches->empty();
  }
  /// Whether another unit has sent a message, or has returned a block for which one waits.
  bool has_work_from_units() const noexcept {
    return !_mine.arrived.looks_empty() ||
           (_mine.waits_for_blocks.load(std::memory_order_relaxed) != 0 &&
            !_mine.returned.looks_empty());
  }
  bool has_receiver() const noexcept {
    return _receiver.load(std::memory_order_acquire) != nullptr;
  }
  void set_message_handlers();
  MessageBlock* take_block(std::size_t nbytes, bool may_wait);
  void wait_for_deferred();
  void wait_for_acknowledgements(int unit);
  void push(MessageBlock& block, int unit) noexcept;
  void defer(int unit, std::byte* data, std::size_t nbytes);
  bool send_deferred() noexcept;
  void send_between_nodes(OutgoingMessage& message);
  Request* next_acknowledgement(int unit, std::size_t nbytes, MessageRole role) noexcept;
  void return_block(MessageBlock& block) noexcept;
  void acknowledge(IncomingMessage& message) noexcept;
  MessageBlock* take_arrived() noexcept;
  void dispatch_block(MessageBlock& block);
  void dispatch(IncomingMessage message);
  bool dispatch_early();
  void dispatch_data(std::unique_ptr<std::byte[]> data, std::size_t nbytes, int source,
                     std::uint64_t token) noexcept;
  static void wake_receiver(TaskMailbox& mailbox) noexcept;
  static void handle_task(void* self, int rank, const Message& message, FinishedParts& finished);
  static void handle_data(void* self, int rank, const Message& message, FinishedParts& finished);

  Session& _session;
  RmaDriver& _driver;
  const bool _has_node;  // other units of this node exist
  TaskMailbox& _mine;
  MessageBlocks _blocks;
  std::vector<Peer> _peers;
  // Stored with release: a thread that loads it sees what the application has initialized before.
  std::atomic<MessageReceiver> _receiver{nullptr};
  std::atomic<MessageBatches*> _batches{nullptr};

  std::atomic<bool> _has_found{false};  // messages, in the last poll. Relaxed: a hint
  core::SpinLock _poll_lock;            // guards the taking end of _mine.arrived
  std::mutex _assembly_mutex;           // guards _assemblies
  std::map<std::pair<int, std::int32_t>, Assembly> _assemblies;  // by source and message id

  std::mutex _deferred_mutex;  // guards the two below
  std::deque<Deferred> _deferred;
  std::uint32_t _next_id = 0;
  // The sizes of _deferred: messages and bytes. Stored under the mutex, read by threads that wait or poll; a later poll
  // finds a message that one has missed.
  std::atomic<std::size_t> _num_deferred{0};
  std::atomic<std::size_t> _deferred_bytes{0};

  std::mutex _early_mutex;                 // guards _early
  std::vector<IncomingMessage> _early;     // have arrived before there was a receiver
  std::atomic<std::size_t> _num_early{0};  // as _num_deferred
};

}  // namespace dash::dart
