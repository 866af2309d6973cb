#include "tasks/Channel.h"

#include <algorithm>
#include <array>
#include <mutex>
#include <utility>

#include "dash/Team.h"
#include "dash/async/Executor.h"
#include "dash/async/Watch.h"
#include "dash/dart/Access.h"
#include "dash/dart/if/dart.h"
#include "dash/internal/element/ElementAccess.h"

namespace dash::tasks::internal {

namespace {

constexpr std::uint32_t ring_size = 512;
/// Number of consumed messages after which the receiver returns credits to the sender.
constexpr std::uint32_t credit_interval = ring_size / 4;
/// Number of task messages that fit into one network message.
constexpr std::uint32_t max_batch = 128;

}  // namespace

/// The ring buffer of one sender, in the memory of the receiver.
struct Channel::Inbox {
  /// Number of messages that this sender has written here, modulo 2^32.
  alignas(core::cache_line_size) dart::Signal tail;
  /// Credits of the opposite direction: number of messages from this unit that the sender of this
  /// ring has consumed.
  alignas(core::cache_line_size) dart::Signal consumed;
  alignas(core::cache_line_size) std::array<TaskMessage, ring_size> ring;
};

struct Channel::Outbox {
  core::SpinLock lock;  // guards pending and sending
  std::vector<TaskMessage> pending;
  bool sending = false;            // a thread sends, and will also send the messages added later
  std::vector<TaskMessage> batch;  // this and the members below belong to the sending thread
  std::size_t sent = 0;            // number of messages of the batch that have been sent
  std::uint32_t tail = 0;
};

/// Sends the remaining messages of an outbox whose ring buffer was full.
class Channel::SendJob final : public exec::Job {
 public:
  SendJob(Channel& channel, int unit) noexcept
      : Job(Priority::high), _channel(channel), _unit(unit) {
    exec::announce_job();
  }
  void run() noexcept override {
    _channel.drain(_unit, _channel._outboxes[static_cast<std::size_t>(_unit)], true);
    delete this;
  }

 private:
  Channel& _channel;
  int _unit;
};

Channel::Channel()
    : _my_unit(Team::GlobalUnitID().id),
      _units(static_cast<int>(Team::All().size())),
      _heads(Team::All().size()),
      _outboxes(std::make_unique<Outbox[]>(Team::All().size())) {
  static_assert(sizeof(Inbox) % core::cache_line_size == 0);
  const std::size_t nbytes = core::cache_line_size + Team::All().size() * sizeof(Inbox);
  dash::internal::check(dart_team_memalloc_aligned(DART_TEAM_ALL, nbytes, DART_TYPE_BYTE, &_memory),
                        "memory for the messages between tasks");
  char* const own = static_cast<char*>(dart::on_node_address(at(_my_unit, 0), nbytes));
  _message_signal = reinterpret_cast<dart::Signal*>(own);
  _inboxes = reinterpret_cast<Inbox*>(own + core::cache_line_size);
}

Channel::~Channel() {
  dart_barrier(DART_TEAM_ALL);
  dart_team_memfree(_memory);
}

dart_gptr_t Channel::at(int unit, std::size_t offset) const noexcept {
  dart_gptr_t gptr = _memory;
  gptr.unitid = unit;
  gptr.addr_or_offs.offset = offset;
  return gptr;
}

void Channel::notify() noexcept {
  _message_signal->value.fetch_add(1, std::memory_order_seq_cst);
  _message_signal->wake();
}

void Channel::send(int unit, const TaskMessage& message) {
  Outbox& outbox = _outboxes[static_cast<std::size_t>(unit)];
  {
    const std::lock_guard lock(outbox.lock);
    outbox.pending.push_back(message);
    if (std::exchange(outbox.sending, true)) return;
  }
  drain(unit, outbox, false);
}

/// Sends until the outbox is empty. If the ring buffer is full, waits for free slots if \p
/// may_block is set, and submits a job otherwise.
/// \pre the caller has set outbox.sending, so no other thread sends from this outbox
void Channel::drain(int unit, Outbox& outbox, bool may_block) {
  dart::Signal& consumed = _inboxes[unit].consumed;
  while (true) {
    if (outbox.sent == outbox.batch.size()) {
      outbox.batch.clear();
      outbox.sent = 0;
      const std::lock_guard lock(outbox.lock);
      outbox.batch.swap(outbox.pending);
      if (outbox.batch.empty()) {
        outbox.sending = false;
        return;
      }
    }
    if (send_batch(unit, outbox)) continue;
    if (!may_block) {
      exec::submit_job(*new SendJob(*this, unit));
      return;
    }
    const exec::Purpose purpose("unit {} to receive messages about this unit's tasks", unit);
    exec::Engine::instance().wait_shared(
        consumed, [&](std::uint32_t value) { return outbox.tail - value < ring_size; });
  }
}

/// Sends the messages that fit into the ring buffer, at most max_batch.
/// \returns false if the ring buffer is full
bool Channel::send_batch(int unit, Outbox& outbox) {
  // Acquire: the receiver has read the slots before they are overwritten.
  const std::uint32_t consumed = _inboxes[unit].consumed.value.load(std::memory_order_acquire);
  const std::uint32_t free_slots = ring_size - (outbox.tail - consumed);
  const std::uint32_t slot = outbox.tail % ring_size;
  const auto remaining = static_cast<std::uint32_t>(
      std::min<std::size_t>(outbox.batch.size() - outbox.sent, max_batch));
  const std::uint32_t count = std::min({remaining, free_slots, ring_size - slot});
  if (count == 0) return false;
  const std::size_t inbox =
      core::cache_line_size + static_cast<std::size_t>(_my_unit) * sizeof(Inbox);
  outbox.tail += count;
  dart::put_signal(at(unit, inbox + offsetof(Inbox, ring) + slot * sizeof(TaskMessage)),
                   outbox.batch.data() + outbox.sent, count * sizeof(TaskMessage),
                   at(unit, inbox + offsetof(Inbox, tail)), outbox.tail)
      .wait();
  outbox.sent += count;
  if (void* const message_signal = dart::on_node_address(at(unit, 0), sizeof(dart::Signal))) {
    auto& signal = *static_cast<dart::Signal*>(message_signal);
    signal.value.fetch_add(1, std::memory_order_seq_cst);
    signal.wake();
  }
  return true;
}

/// Acquire: the messages before the end are visible.
bool Channel::has_messages() const noexcept {
  for (std::size_t source = 0; source < _heads.size(); ++source) {
    if (_inboxes[source].tail.value.load(std::memory_order_acquire) != _heads[source]) return true;
  }
  return false;
}

void Channel::receive_all(exec::FunctionRef<void(int, const TaskMessage&)> handle) {
  for (int source = 0; source < _units; ++source) {
    Inbox& inbox = _inboxes[source];
    std::uint32_t& head = _heads[static_cast<std::size_t>(source)];
    while (inbox.tail.value.load(std::memory_order_acquire) != head) {
      const TaskMessage message = inbox.ring[head % ring_size];
      ++head;
      if (head % credit_interval == 0) {
        const dart_gptr_t credit =
            at(source, core::cache_line_size + static_cast<std::size_t>(_my_unit) * sizeof(Inbox) +
                           offsetof(Inbox, consumed));
        dart::put_signal(credit, nullptr, 0, credit, head);
      }
      handle(source, message);
    }
  }
}

}  // namespace dash::tasks::internal
