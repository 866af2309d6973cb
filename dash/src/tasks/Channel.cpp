#include "Channel.h"

#include <algorithm>
#include <array>
#include <mutex>
#include <utility>

#include "dash/Init.h"
#include "dash/async/Executor.h"
#include "dash/async/Watch.h"
#include "dash/dart/Access.h"
#include "dash/dart/if/dart.h"
#include "dash/internal/element/ElementAccess.h"

namespace dash::tasks::internal {

namespace {

constexpr std::uint32_t ring_size = 512;
/// So many notes are taken before their sender is told.
constexpr std::uint32_t credit_interval = ring_size / 4;
/// What fits into one message.
constexpr std::uint32_t most_at_once = 128;

}  // namespace

/// What one other unit writes into this one's memory.
struct Channel::Lane {
  /// Notes that it has sent here, modulo 2^32.
  alignas(core::cache_line_size) dart::Signal tail;
  /// Notes that it has taken of those that were sent from here.
  alignas(core::cache_line_size) dart::Signal taken;
  alignas(core::cache_line_size) std::array<Note, ring_size> ring;
};

struct Channel::Outbox {
  core::SpinLock lock;  // guards the two below
  std::vector<Note> waiting;
  bool sending = false;     // somebody is, and sends what is added meanwhile
  std::vector<Note> batch;  // what the sender has taken; the sender's, as the rest
  std::size_t sent = 0;     // of the batch
  std::uint32_t tail = 0;
};

/// Goes on where there was no room.
class Channel::SendJob final : public exec::Job {
 public:
  SendJob(Channel& channel, int unit) noexcept
      : Job(Priority::high), _channel(channel), _unit(unit) {
    exec::expect_job();
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
    : _me(dash::myid().id),
      _units(static_cast<int>(dash::size())),
      _heads(dash::size()),
      _outboxes(std::make_unique<Outbox[]>(dash::size())) {
  static_assert(sizeof(Lane) % core::cache_line_size == 0);
  const std::size_t nbytes = core::cache_line_size + dash::size() * sizeof(Lane);
  dash::internal::check(dart_team_memalloc_aligned(DART_TEAM_ALL, nbytes, DART_TYPE_BYTE, &_memory),
                        "memory for the notes between tasks");
  char* const own = static_cast<char*>(dart::on_node_address(at(_me, 0), nbytes));
  _bell = reinterpret_cast<dart::Signal*>(own);
  _lanes = reinterpret_cast<Lane*>(own + core::cache_line_size);
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

void Channel::ring() noexcept {
  _bell->value.fetch_add(1, std::memory_order_seq_cst);
  _bell->wake();
}

void Channel::send(int unit, const Note& note) {
  Outbox& outbox = _outboxes[static_cast<std::size_t>(unit)];
  {
    const std::lock_guard lock(outbox.lock);
    outbox.waiting.push_back(note);
    if (std::exchange(outbox.sending, true)) return;
  }
  drain(unit, outbox, false);
}

/// Sends until nothing is left. \pre the caller is the outbox's one sender
void Channel::drain(int unit, Outbox& outbox, bool may_wait) {
  dart::Signal& taken = _lanes[unit].taken;
  while (true) {
    if (outbox.sent == outbox.batch.size()) {
      outbox.batch.clear();
      outbox.sent = 0;
      const std::lock_guard lock(outbox.lock);
      outbox.batch.swap(outbox.waiting);
      if (outbox.batch.empty()) {
        outbox.sending = false;
        return;
      }
    }
    if (send_some(unit, outbox)) continue;
    if (!may_wait) {
      exec::submit_job(*new SendJob(*this, unit));
      return;
    }
    const exec::Purpose purpose("unit {} to take the notes of this unit's tasks", unit);
    exec::Engine::instance().wait_shared(
        taken, [&](std::uint32_t value) { return outbox.tail - value < ring_size; });
  }
}

/// \returns false if there is no room
bool Channel::send_some(int unit, Outbox& outbox) {
  const std::uint32_t taken = _lanes[unit].taken.value.load(std::memory_order_acquire);
  const std::uint32_t room = ring_size - (outbox.tail - taken);
  const std::uint32_t place = outbox.tail % ring_size;
  const auto left = static_cast<std::uint32_t>(
      std::min<std::size_t>(outbox.batch.size() - outbox.sent, most_at_once));
  const std::uint32_t count = std::min({left, room, ring_size - place});
  if (count == 0) return false;
  const std::size_t lane = core::cache_line_size + static_cast<std::size_t>(_me) * sizeof(Lane);
  outbox.tail += count;
  dart::put_signal(at(unit, lane + offsetof(Lane, ring) + place * sizeof(Note)),
                   outbox.batch.data() + outbox.sent, count * sizeof(Note),
                   at(unit, lane + offsetof(Lane, tail)), outbox.tail)
      .wait();
  outbox.sent += count;
  if (void* const bell = dart::on_node_address(at(unit, 0), sizeof(dart::Signal))) {
    auto& signal = *static_cast<dart::Signal*>(bell);
    signal.value.fetch_add(1, std::memory_order_seq_cst);
    signal.wake();
  }
  return true;
}

bool Channel::arrived() const noexcept {
  for (std::size_t source = 0; source < _heads.size(); ++source) {
    if (_lanes[source].tail.value.load(std::memory_order_acquire) != _heads[source]) return true;
  }
  return false;
}

void Channel::take_all(exec::FunctionRef<void(int, const Note&)> take) {
  for (int source = 0; source < _units; ++source) {
    Lane& lane = _lanes[source];
    std::uint32_t& head = _heads[static_cast<std::size_t>(source)];
    while (lane.tail.value.load(std::memory_order_acquire) != head) {
      const Note note = lane.ring[head % ring_size];
      ++head;
      if (head % credit_interval == 0) {
        const dart_gptr_t credit =
            at(source, core::cache_line_size + static_cast<std::size_t>(_me) * sizeof(Lane) +
                           offsetof(Lane, taken));
        dart::put_signal(credit, nullptr, 0, credit, head);
      }
      take(source, note);
    }
  }
}

}  // namespace dash::tasks::internal
