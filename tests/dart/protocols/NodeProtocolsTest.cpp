// dash-test: serial link=objects threads=2
//
// The protocols between the units of a node, with a thread in the role of each unit:
// ThreadSanitizer then reports a memory order that is too weak as a data race on the plain memory
// that the protocol guards. The threads wait by polling with acquire, because the engine's own
// synchronization would hide a missing memory order.

#include <array>
#include <atomic>
#include <functional>
#include <numeric>
#include <random>
#include <thread>
#include <utility>
#include <vector>

#include "base/CoalescingLock.h"
#include "base/DelegationQueue.h"
#include "dash/core/Clock.h"
#include "dash/core/Futex.h"
#include "dash/core/Spin.h"
#include "locks/LockQueue.h"
#include "network/messages/PeerWakeUp.h"
#include "support/Catch.h"
#include "teams/collectives/NodeRound.h"
#include "two_sided/Mailbox.h"

using dash::dart::BlockList;
using dash::dart::CoalescingLock;
using dash::dart::DelegationQueue;
using dash::dart::FragmentReader;
using dash::dart::FragmentWriter;
using dash::dart::LockCell;
using dash::dart::LockQueue;
using dash::dart::MessageBlock;
using dash::dart::PeerWakeUp;
using dash::dart::synchronize_node;
using dash::dart::TeamControl;
using dash::dart::WakeWord;
using dash::exec::FunctionRef;
using dash::exec::SharedWord;

namespace {

constexpr int nunits = 4;

/// Runs body(unit) on a thread for each unit.
void run_units(int nthreads, const std::function<void(int)>& body) {
  std::vector<std::thread> threads;
  for (int unit = 0; unit < nthreads; ++unit)
    threads.emplace_back(body, unit);
  for (std::thread& thread : threads)
    thread.join();
}

struct PollingWait {
  static void wait(SharedWord& word, FunctionRef<bool(std::uint32_t)> done) {
    for (int i = 1; !done(word.value.load(std::memory_order_acquire)); ++i) {
      if (i % 1024 != 0) {
        dash::core::cpu_relax();
      } else {
        std::this_thread::yield();
      }
    }
  }
  static void publish(SharedWord& word, std::uint32_t value) noexcept {
    word.value.store(value, std::memory_order_release);
  }
};

// --- Mailbox

constexpr std::size_t fragment_bytes = 64;

/// A unit's block lists, and one block for each unit that it sends to.
struct ModelUnit {
  alignas(64) BlockList arrived;
  alignas(64) BlockList returned;
  struct Buffer {
    MessageBlock block;
    std::array<char, MessageBlock::ring_fragments * fragment_bytes> data;
  };
  std::array<Buffer, nunits> blocks;
};

std::vector<char> message_of(int source, int target, unsigned number) {
  std::mt19937 random(number * 64 + static_cast<unsigned>(source * nunits + target));
  std::vector<char> message(random() % (12 * fragment_bytes));
  std::iota(message.begin(), message.end(), static_cast<char>(random() % 100));
  return message;
}

/// A unit that sends messages to all units and receives theirs, as TwoSided does, except that a message that fits into
/// the ring is always buffered.
class ModelUser {
 public:
  ModelUser(std::vector<ModelUnit>& units, char* base, int me)
      : _units(units), _base(base), _me(me), _mine(units[static_cast<std::size_t>(me)]) {}

  /// Exchanges one message with every unit. \returns whether all received messages are correct
  bool exchange(unsigned number) {
    _sends_in_flight = _receives_in_flight = nunits;
    for (int target = 0; target < nunits; ++target)
      send(target, number);
    _incoming = {};
    while (_sends_in_flight + _receives_in_flight != 0) {
      receive();
      complete_sends();
      std::this_thread::yield();
    }
    bool correct = true;
    for (int source = 0; source < nunits; ++source)
      correct &=
          _incoming[static_cast<std::size_t>(source)].buffer == message_of(source, _me, number);
    return correct;
  }

 private:
  struct Outgoing {
    std::vector<char> message;
    FragmentWriter fragments;
    bool buffered = false;
    bool in_flight = false;
  };
  struct Incoming {
    std::vector<char> buffer;
    FragmentReader fragments;
    MessageBlock* block = nullptr;
    bool buffered = false;
    bool received = false;
  };

  void send(int target, unsigned number) {
    const auto to = static_cast<std::size_t>(target);
    MessageBlock& block = _mine.blocks[to].block;
    Outgoing& outgoing = _outgoing[to];
    outgoing.message = message_of(_me, target, number);
    outgoing.buffered = outgoing.message.size() <= MessageBlock::ring_fragments * fragment_bytes;
    outgoing.in_flight = true;
    block.source = _me;
    block.buffered = outgoing.buffered;
    outgoing.fragments =
        FragmentWriter(block, outgoing.message.data(), outgoing.message.size(), fragment_bytes);
    outgoing.fragments.write_some();
    _units[to].arrived.push(_base, block);
  }

  void receive() {
    _mine.arrived.take_all(_base, [&](MessageBlock& block) {
      _arrived[static_cast<std::size_t>(block.source)] = &block;
    });
    for (std::size_t from = 0; from < nunits; ++from) {
      Incoming& incoming = _incoming[from];
      // A unit that has ended its exchange may have sent the next message already.
      if (incoming.received) continue;
      if (incoming.block == nullptr && _arrived[from] != nullptr) {
        incoming.block = std::exchange(_arrived[from], nullptr);
        incoming.buffer.resize(incoming.block->nbytes);
        incoming.fragments =
            FragmentReader(*incoming.block, incoming.buffer.data(), incoming.buffer.size());
        incoming.buffered = incoming.block->buffered;
      }
      if (incoming.block == nullptr) continue;
      incoming.fragments.read_some();
      if (!incoming.fragments.all_read()) continue;
      if (incoming.buffered) _units[from].returned.push(_base, *incoming.block);
      incoming.received = true;
      --_receives_in_flight;
    }
  }

  void complete_sends() {
    _mine.returned.take_all(_base, [&](MessageBlock&) { --_sends_in_flight; });
    for (Outgoing& outgoing : _outgoing) {
      if (outgoing.buffered || !outgoing.in_flight) continue;
      outgoing.fragments.write_some();
      if (!outgoing.fragments.all_read()) continue;
      outgoing.in_flight = false;
      --_sends_in_flight;
    }
  }

  std::vector<ModelUnit>& _units;
  char* _base;
  int _me;
  ModelUnit& _mine;
  std::array<Outgoing, nunits> _outgoing;
  std::array<Incoming, nunits> _incoming;
  std::array<MessageBlock*, nunits> _arrived{};
  int _sends_in_flight = 0;
  int _receives_in_flight = 0;
};

// --- Lock

/// Access of a thread to the cells of all.
class ModelAccess {
 public:
  explicit ModelAccess(std::vector<LockCell>& cells) noexcept : _cells(cells) {}

  std::int32_t swap_tail(std::int32_t value) noexcept {
    return _cells[0].tail.exchange(value, std::memory_order_acq_rel);
  }
  std::int32_t compare_and_swap_tail(std::int32_t expected, std::int32_t value) noexcept {
    _cells[0].tail.compare_exchange_strong(expected, value, std::memory_order_acq_rel,
                                           std::memory_order_acquire);
    return expected;
  }
  void signal_next(std::int32_t entry, std::uint32_t value) noexcept {
    PollingWait::publish(cell_of(entry).next, value);
  }
  void signal_granted(std::int32_t entry) noexcept {
    PollingWait::publish(cell_of(entry).granted, 1);
  }
  static void wait(SharedWord& word, FunctionRef<bool(std::uint32_t)> done) {
    PollingWait::wait(word, done);
  }

 private:
  LockCell& cell_of(std::int32_t entry) noexcept {
    return _cells[static_cast<std::size_t>(entry - 1)];
  }
  std::vector<LockCell>& _cells;
};

}  // namespace

TEST_CASE("Messages of any length arrive complete, and their blocks can be reused", "[protocols]") {
  std::vector<ModelUnit> units(nunits);
  // An offset of 0 ends a list, so no block may be at the base.
  char* const base = reinterpret_cast<char*>(units.data()) - 64;
  std::atomic<int> num_wrong{0};
  run_units(nunits, [&](int me) {
    ModelUser user(units, base, me);
    for (unsigned number = 0; number < 200; ++number)
      num_wrong += user.exchange(number) ? 0 : 1;
  });
  CHECK(num_wrong == 0);
}

TEST_CASE("A round passes contributions to the leader, and its result to all", "[protocols]") {
  constexpr std::uint32_t rounds = 2000;
  TeamControl control;
  std::array<long, nunits> contributions{};
  std::array<long, 2> results{};  // written alternately, as the halves of a team's block are
  std::atomic<int> num_wrong{0};
  run_units(nunits, [&](int me) {
    for (std::uint32_t round = 0; round < rounds; ++round) {
      contributions[static_cast<std::size_t>(me)] = me + static_cast<long>(round);
      long& result = results[round % 2];
      synchronize_node(
          control, round + 1, nunits,
          [&] { result = std::accumulate(contributions.begin(), contributions.end(), 0L); },
          PollingWait());
      if (result != nunits * static_cast<long>(round) + nunits * (nunits - 1) / 2) ++num_wrong;
    }
  });
  CHECK(num_wrong == 0);
}

TEST_CASE("A lock passes what its holders have written from one to the next", "[protocols]") {
  constexpr int max_increments = 20000;
  // When other programs run, each transfer of the lock may take a time slice.
  const std::uint64_t deadline_ns = dash::core::now_ns() + 5'000'000'000;
  std::vector<LockCell> cells(nunits);
  long counter = 0;
  std::atomic<long> increments{0};
  run_units(nunits, [&](int me) {
    ModelAccess access(cells);
    LockQueue<ModelAccess> queue(access, cells[static_cast<std::size_t>(me)], me + 1);
    int i = 0;
    for (; i < max_increments && dash::core::now_ns() < deadline_ns; ++i) {
      if (i % 3 != 0 || !queue.try_acquire()) queue.acquire();
      ++counter;
      queue.release();
    }
    increments += i;
  });
  CHECK(increments > 0);
  CHECK(counter == increments);
}

TEST_CASE("A unit that sleeps is woken for each message that it has not seen", "[protocols]") {
  constexpr int nsenders = 2;
  constexpr int nmessages = 10000;
  std::array<WakeWord, 2> words{};
  const std::vector<WakeWord*> pointers = {&words[0], &words[1]};
  // Relaxed, as MPI promises no order between a message and other memory.
  std::atomic<int> arrived{0};
  std::atomic<int> seen{0};
  int lost = 0;
  run_units(nsenders + 1, [&](int unit) {
    if (unit == 0) {
      PeerWakeUp receiver(pointers, 0);
      while (seen.load() < nsenders * nmessages) {
        const dash::core::FutexWord sleep = receiver.sleep_word();
        const int now = arrived.load(std::memory_order_relaxed);
        if (now == seen.load(std::memory_order_relaxed)) {
          // A message often arrives between the check and the sleep.
          for (int pauses = now % 256; pauses > 0; --pauses)
            dash::core::cpu_relax();
          const std::int64_t timeout_ns = lost == 0 ? 10'000'000'000 : 1'000'000;
          if (!dash::core::futex_wait(words[0].value, sleep.expected, true, timeout_ns) &&
              arrived.load() != now) {
            ++lost;
          }
        }
        receiver.stay_awake();
        seen.store(now, std::memory_order_relaxed);
      }
    } else {
      const PeerWakeUp sender(pointers, 1);
      for (int i = 0; i < nmessages; ++i) {
        const int mine = arrived.fetch_add(1, std::memory_order_relaxed) + 1;
        sender.wake(0);
        // Often the receiver sleeps again before the next message.
        while (i % 2 == 0 && seen.load(std::memory_order_relaxed) < mine)
          std::this_thread::yield();
      }
    }
  });
  CHECK(lost == 0);
}

TEST_CASE("A delegated transfer is started once, and its data is visible when it is complete",
          "[protocols]") {
  constexpr std::uint32_t ntransfers = 20000;
  DelegationQueue queue{};
  // A transfer doubles the number at its place. Neither thread accesses it while the other one owns it.
  std::vector<std::uint64_t> numbers(DelegationQueue::capacity);
  int num_wrong = 0;
  run_units(2, [&](int unit) {
    if (unit == 0) {
      std::vector<std::uint64_t> free_places(numbers.size());
      std::iota(free_places.begin(), free_places.end(), std::uint64_t{0});
      std::vector<std::uint32_t> number_at(numbers.size());
      std::uint32_t added = 0;
      std::uint32_t completed = 0;
      while (completed != ntransfers) {
        for (int i = 0; i < 5 && added != ntransfers && !free_places.empty(); ++i) {
          const std::uint64_t place = free_places.back();
          free_places.pop_back();
          numbers[place] = number_at[place] = ++added;
          queue.add({.local_offset = place, .token = place});
        }
        int space = 3;
        queue.take_completed(
            completed, [&] { return space-- > 0; },
            [&](std::uint64_t place) {
              num_wrong += numbers[place] == 2UL * number_at[place] ? 0 : 1;
              free_places.push_back(place);
            });
        std::this_thread::yield();
      }
    } else {
      std::mt19937 random(1);
      std::vector<std::uint64_t> in_flight;
      std::uint32_t taken = 0;
      for (std::uint32_t completed = 0; completed != ntransfers;) {
        queue.take_added(taken, [&](const DelegationQueue::Transfer& transfer) {
          in_flight.push_back(transfer.local_offset);
        });
        for (std::size_t i = random() % 4; i != 0 && !in_flight.empty(); --i, ++completed) {
          std::swap(in_flight[random() % in_flight.size()], in_flight.back());
          numbers[in_flight.back()] *= 2;
          queue.complete(in_flight.back());
          in_flight.pop_back();
        }
        std::this_thread::yield();
      }
    }
  });
  CHECK(num_wrong == 0);
}

TEST_CASE("A check begins after each request, even if another thread holds the lock",
          "[protocols]") {
  constexpr std::uint32_t rounds = 100000;
  constexpr std::size_t nthreads = 2;
  CoalescingLock lock;
  std::array<std::atomic<std::uint32_t>, nthreads> requested{};
  std::array<std::uint32_t, nthreads> checked{};  // guarded by the lock
  TeamControl control;
  std::atomic<int> num_missed{0};
  run_units(nthreads, [&](int me) {
    for (std::uint32_t round = 1; round <= rounds; ++round) {
      requested[static_cast<std::size_t>(me)].store(round, std::memory_order_relaxed);
      lock.run([&] {
        for (std::size_t unit = 0; unit < nthreads; ++unit)
          checked[unit] = requested[unit].load(std::memory_order_relaxed);
      });
      // Once all threads have returned, no check is pending.
      synchronize_node(
          control, round, nthreads,
          [&] {
            for (const std::uint32_t value : checked)
              num_missed += value == round ? 0 : 1;
          },
          PollingWait());
    }
  });
  CHECK(num_missed == 0);
}
