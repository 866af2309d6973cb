#include "MpiExchange.h"

#include <mpi.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <limits>
#include <vector>

#include "support/MpiProgram.h"
#include "support/MpiSlots.h"
#include "support/MpiWait.h"

namespace isx {

namespace {

using kernels::MpiMemory;
using kernels::Stopwatch;

/// Number of keys counted between two polls.
constexpr std::size_t chunk_size = 1 << 15;

/// Base class of the baselines: counts its own keys while other keys arrive, and then those that
/// have arrived.
class MpiExchange : public Exchange {
 public:
  /// \param keys_per_poll  number of keys counted between two polls
  explicit MpiExchange(std::size_t keys_per_poll) : _keys_per_poll(keys_per_poll) {
    MPI_Comm_rank(MPI_COMM_WORLD, &_self);
    MPI_Comm_size(MPI_COMM_WORLD, &_units);
    _is_oversubscribed = kernels::is_oversubscribed();
  }

  void run(std::span<const std::uint64_t> begins, const Consume& consume,
           Stopwatch& communication) override {
    communication.time([&] { start(begins); });
    const auto unit = static_cast<std::size_t>(_self);
    count(send_buffer().subspan(begins[unit], begins[unit + 1] - begins[unit]), consume,
          communication);
    for (int remaining = _units - 1; remaining > 0; --remaining)
      count(communication.time([&] { return next(); }), consume, communication);
    communication.time([&] { finish(); });
  }

 protected:
  int self() const { return _self; }
  int units() const { return _units; }
  /// The i-th of the other units; each unit starts with a different one.
  int peer(int i) const { return (_self + i) % _units; }

  /// Starts sending the keys of the send buffer.
  virtual void start(std::span<const std::uint64_t> begins) = 0;
  /// Calls add() for each range that has arrived since the last poll.
  virtual void poll() = 0;
  /// Called when all keys have arrived: prepares the next exchange.
  virtual void finish() {}

  void add(std::span<const Key> keys) { _arrived.push_back(keys); }

 private:
  void count(std::span<const Key> keys, const Consume& consume, Stopwatch& communication) {
    while (!keys.empty()) {
      const std::size_t n = std::min(_keys_per_poll, keys.size());
      consume(keys.first(n));
      keys = keys.subspan(n);
      if (!keys.empty()) communication.time([&] { poll(); });
    }
  }
  std::span<const Key> next() {
    while (_arrived.empty()) {
      poll();
      if (_arrived.empty() && _is_oversubscribed) sched_yield();
    }
    const auto keys = _arrived.back();
    _arrived.pop_back();
    return keys;
  }

  std::size_t _keys_per_poll;
  int _self = 0;
  int _units = 1;
  bool _is_oversubscribed = false;
  std::vector<std::span<const Key>> _arrived;
};

/// Receives are posted one exchange ahead, each for the maximum number of keys, so that sizes need
/// not be sent. Unused memory of the receive buffers is never touched.
class TwoSided final : public MpiExchange {
 public:
  explicit TwoSided(std::size_t capacity)
      : MpiExchange(chunk_size), _send_buffer(capacity), _capacity(capacity) {
    for (int i = 1; i < units(); ++i)
      _receive_buffers.emplace_back(new Key[capacity]);
    _sends.resize(_receive_buffers.size());
    _receives.resize(_receive_buffers.size());
    post();
  }
  ~TwoSided() override {
    for (MPI_Request& receive : _receives) {
      MPI_Cancel(&receive);
      MPI_Wait(&receive, MPI_STATUS_IGNORE);
    }
  }

  std::span<Key> send_buffer() override { return _send_buffer; }

 protected:
  void start(std::span<const std::uint64_t> begins) override {
    for (int i = 1; i < units(); ++i) {
      const auto to = static_cast<std::size_t>(peer(i));
      MPI_Isend(_send_buffer.data() + begins[to], static_cast<int>(begins[to + 1] - begins[to]),
                MPI_UINT32_T, peer(i), 0, MPI_COMM_WORLD, &_sends[static_cast<std::size_t>(i - 1)]);
    }
  }
  void poll() override {
    const auto n = static_cast<int>(_receives.size());
    int i = MPI_UNDEFINED;
    int done = 0;
    MPI_Status status;
    MPI_Testany(n, _receives.data(), &i, &done, &status);
    if (done == 0 || i == MPI_UNDEFINED) return;
    int count = 0;
    MPI_Get_count(&status, MPI_UINT32_T, &count);
    add({_receive_buffers[static_cast<std::size_t>(i)].get(), static_cast<std::size_t>(count)});
  }
  void finish() override {
    MPI_Waitall(static_cast<int>(_sends.size()), _sends.data(), MPI_STATUSES_IGNORE);
    post();
  }

 private:
  void post() {
    for (int i = 1; i < units(); ++i) {
      const auto index = static_cast<std::size_t>(i - 1);
      MPI_Irecv(_receive_buffers[index].get(), static_cast<int>(_capacity), MPI_UINT32_T, peer(i),
                0, MPI_COMM_WORLD, &_receives[index]);
    }
  }

  std::vector<Key> _send_buffer;
  std::size_t _capacity;
  std::vector<std::unique_ptr<Key[]>> _receive_buffers;
  std::vector<MPI_Request> _receives;
  std::vector<MPI_Request> _sends;
};

/// Range of the keys for another unit in the send buffer of a unit.
struct Keys {
  std::uint64_t begin;
  std::uint64_t end;
};

/// The same range in shared memory, with the number of the exchange.
struct alignas(64) Announcement {
  Keys keys;
  std::uint64_t step;

  bool belongs_to(std::uint64_t expected) {
    return std::atomic_ref(step).load(std::memory_order_acquire) == expected;
  }
};

std::size_t announcements_begin(std::size_t capacity) {
  return (capacity * sizeof(Key) + 63) / 64 * 64;
}

/// Each unit puts the ranges of its keys to the units that they belong to, which get the keys. The
/// put words are numbered, so that no flush is needed.
class Rma final : public MpiExchange {
 public:
  explicit Rma(std::size_t capacity)
      : MpiExchange(chunk_size),
        _capacity(capacity),
        _memory(announcements_begin(capacity) + sizeof(Words) * static_cast<std::size_t>(units()),
                MpiMemory::Kind::window),
        _receive_buffers(static_cast<std::size_t>(units())),
        _sizes(_receive_buffers.size()),
        _gets(_receive_buffers.size(), MPI_REQUEST_NULL) {
    for (auto& words : _sent)
      words.resize(_receive_buffers.size());
  }

  std::span<Key> send_buffer() override { return {_memory.local<Key>(), _capacity}; }

 protected:
  void start(std::span<const std::uint64_t> begins) override {
    ++_step;
    MPI_Win_sync(_memory.window());
    _awaited.clear();
    for (int i = 1; i < units(); ++i) {
      const auto to = static_cast<std::size_t>(peer(i));
      _awaited.push_back(peer(i));
      // The buffer can be reused: the put of two exchanges before has arrived, since all units have
      // announced the exchange after it.
      Words& words = _sent[_step & 1][to];
      words.set({begins[to], begins[to + 1]}, _step);
      words.put(peer(i), announcement_offset(self()), _memory.window());
    }
  }
  void poll() override {
    std::erase_if(_awaited, [&](int unit) {
      Words& words = words_of(unit);
      if (!words.belongs_to(_step)) return false;
      const Keys keys = words.value();
      get(unit, keys.begin, keys.end - keys.begin);
      return true;
    });
    int unit = MPI_UNDEFINED;
    int done = 0;
    MPI_Testany(units(), _gets.data(), &unit, &done, MPI_STATUS_IGNORE);
    if (unit == MPI_UNDEFINED) return kernels::make_progress();
    const auto from = static_cast<std::size_t>(unit);
    if (done != 0) add({_receive_buffers[from].data(), _sizes[from]});
  }

 private:
  using Words = kernels::NumberedWords<Keys>;

  /// Offset of the announcement of a unit in the memory of each process.
  std::size_t announcement_offset(int unit) const {
    return announcements_begin(_capacity) + static_cast<std::size_t>(unit) * sizeof(Words);
  }
  /// The announcement of another unit to the caller.
  Words& words_of(int unit) const {
    return *reinterpret_cast<Words*>(_memory.local<std::byte>() + announcement_offset(unit));
  }
  void get(int unit, std::uint64_t begin, std::uint64_t n) {
    const auto from = static_cast<std::size_t>(unit);
    auto& buffer = _receive_buffers[from];
    if (buffer.size() < n) buffer.resize(n + n / 8);
    _sizes[from] = n;
    MPI_Rget(buffer.data(), static_cast<int>(n), MPI_UINT32_T, unit,
             static_cast<MPI_Aint>(begin * sizeof(Key)), static_cast<int>(n), MPI_UINT32_T,
             _memory.window(), &_gets[from]);
  }

  std::size_t _capacity;
  MpiMemory _memory;                        // the send buffer, and an announcement of each unit
  std::array<std::vector<Words>, 2> _sent;  // origin buffers to each unit, used alternately
  std::vector<std::vector<Key>> _receive_buffers;
  std::vector<std::uint64_t> _sizes;
  std::vector<MPI_Request> _gets;
  std::vector<int> _awaited;  // units whose announcement has not arrived
  unsigned _step = 0;
};

/// Each unit stores the ranges of its keys in shared memory, and other units read the keys in
/// place. No polls are needed during counting.
class Shared final : public MpiExchange {
 public:
  explicit Shared(std::size_t capacity)
      : MpiExchange(std::numeric_limits<std::size_t>::max()),
        _capacity(capacity),
        _memory(announcements_begin(capacity) +
                    sizeof(Announcement) * static_cast<std::size_t>(units()),
                MpiMemory::Kind::shared) {}

  std::span<Key> send_buffer() override { return {_memory.local<Key>(), _capacity}; }

 protected:
  void start(std::span<const std::uint64_t> begins) override {
    ++_step;
    _awaited.clear();
    for (int i = 1; i < units(); ++i) {
      const auto to = static_cast<std::size_t>(peer(i));
      _awaited.push_back(peer(i));
      Announcement& announcement = announcements(self())[to];
      announcement.keys = {begins[to], begins[to + 1]};
      std::atomic_ref(announcement.step).store(_step, std::memory_order_release);
    }
  }
  void poll() override {
    std::erase_if(_awaited, [&](int unit) {
      Announcement& announcement = announcements(unit)[self()];
      if (!announcement.belongs_to(_step)) return false;
      add({_memory.of<Key>(unit) + announcement.keys.begin,
           announcement.keys.end - announcement.keys.begin});
      return true;
    });
  }

 private:
  Announcement* announcements(int unit) const {
    return reinterpret_cast<Announcement*>(_memory.of<std::byte>(unit) +
                                           announcements_begin(_capacity));
  }

  std::size_t _capacity;
  MpiMemory _memory;
  std::vector<int> _awaited;
  std::uint64_t _step = 0;
};

}  // namespace

std::unique_ptr<Exchange> make_mpi_exchange(const std::string& via, std::size_t capacity) {
  if (via == "rma") return std::make_unique<Rma>(capacity);
  if (via == "shared") return std::make_unique<Shared>(capacity);
  return std::make_unique<TwoSided>(capacity);
}

}  // namespace isx
