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

/// Keys that are counted between two looks at what comes.
constexpr std::size_t keys_at_once = 1 << 15;

/// Counts the own keys while the others' come, and those as they have come.
class MpiExchange : public Exchange {
 public:
  /// \param at_once  keys that are counted between two looks
  explicit MpiExchange(std::size_t at_once) : _at_once(at_once) {
    MPI_Comm_rank(MPI_COMM_WORLD, &_self);
    MPI_Comm_size(MPI_COMM_WORLD, &_units);
    _is_crowded = kernels::is_crowded();
  }

  void run(std::span<const std::uint64_t> begins, const Consume& consume,
           Stopwatch& communication) override {
    communication.time([&] { start(begins); });
    const auto unit = static_cast<std::size_t>(_self);
    count(room().subspan(begins[unit], begins[unit + 1] - begins[unit]), consume, communication);
    for (int left = _units - 1; left > 0; --left)
      count(communication.time([&] { return next(); }), consume, communication);
    communication.time([&] { finish(); });
  }

 protected:
  int self() const { return _self; }
  int units() const { return _units; }
  /// Units but the caller, each beginning with another one.
  int peer(int i) const { return (_self + i) % _units; }

  /// Begins to hand the keys of the room over.
  virtual void start(std::span<const std::uint64_t> begins) = 0;
  /// Says add() of each piece that has come since the last look.
  virtual void look() = 0;
  /// When all has come: what the next exchange needs.
  virtual void finish() {}

  void add(std::span<const Key> keys) { _arrived.push_back(keys); }

 private:
  void count(std::span<const Key> keys, const Consume& consume, Stopwatch& communication) {
    while (!keys.empty()) {
      const std::size_t n = std::min(_at_once, keys.size());
      consume(keys.first(n));
      keys = keys.subspan(n);
      if (!keys.empty()) communication.time([&] { look(); });
    }
  }
  std::span<const Key> next() {
    while (_arrived.empty()) {
      look();
      if (_arrived.empty() && _is_crowded) sched_yield();
    }
    const auto keys = _arrived.back();
    _arrived.pop_back();
    return keys;
  }

  std::size_t _at_once;
  int _self = 0;
  int _units = 1;
  bool _is_crowded = false;
  std::vector<std::span<const Key>> _arrived;
};

/// Receives are posted an exchange ahead, each for as many keys as its sender may have, so that nobody
/// has to be told sizes. Memory that nothing comes to is not used.
class TwoSided final : public MpiExchange {
 public:
  explicit TwoSided(std::size_t capacity)
      : MpiExchange(keys_at_once), _room(capacity), _capacity(capacity) {
    for (int i = 1; i < units(); ++i)
      _inboxes.emplace_back(new Key[capacity]);
    _sends.resize(_inboxes.size());
    _receives.resize(_inboxes.size());
    post();
  }
  ~TwoSided() override {
    for (MPI_Request& receive : _receives) {
      MPI_Cancel(&receive);
      MPI_Wait(&receive, MPI_STATUS_IGNORE);
    }
  }

  std::span<Key> room() override { return _room; }

 protected:
  void start(std::span<const std::uint64_t> begins) override {
    for (int i = 1; i < units(); ++i) {
      const auto to = static_cast<std::size_t>(peer(i));
      MPI_Isend(_room.data() + begins[to], static_cast<int>(begins[to + 1] - begins[to]),
                MPI_UINT32_T, peer(i), 0, MPI_COMM_WORLD, &_sends[static_cast<std::size_t>(i - 1)]);
    }
  }
  void look() override {
    const auto n = static_cast<int>(_receives.size());
    int i = MPI_UNDEFINED;
    int done = 0;
    MPI_Status status;
    MPI_Testany(n, _receives.data(), &i, &done, &status);
    if (done == 0 || i == MPI_UNDEFINED) return;
    int count = 0;
    MPI_Get_count(&status, MPI_UINT32_T, &count);
    add({_inboxes[static_cast<std::size_t>(i)].get(), static_cast<std::size_t>(count)});
  }
  void finish() override {
    MPI_Waitall(static_cast<int>(_sends.size()), _sends.data(), MPI_STATUSES_IGNORE);
    post();
  }

 private:
  void post() {
    for (int i = 1; i < units(); ++i) {
      const auto index = static_cast<std::size_t>(i - 1);
      MPI_Irecv(_inboxes[index].get(), static_cast<int>(_capacity), MPI_UINT32_T, peer(i), 0,
                MPI_COMM_WORLD, &_receives[index]);
    }
  }

  std::vector<Key> _room;
  std::size_t _capacity;
  std::vector<std::unique_ptr<Key[]>> _inboxes;
  std::vector<MPI_Request> _receives;
  std::vector<MPI_Request> _sends;
};

/// Where a unit has the keys of another one.
struct Keys {
  std::uint64_t begin;
  std::uint64_t end;
};

/// The same as others read it in memory that they share, with the number of the exchange.
struct alignas(64) Notice {
  Keys keys;
  std::uint64_t step;

  bool is_of(std::uint64_t wanted) {
    return std::atomic_ref(step).load(std::memory_order_acquire) == wanted;
  }
};

std::size_t notices_begin(std::size_t capacity) {
  return (capacity * sizeof(Key) + 63) / 64 * 64;
}

/// Each unit puts where its keys are to those they belong to, and those get them. What is put is
/// numbered word by word, so that nothing has to be flushed.
class Rma final : public MpiExchange {
 public:
  explicit Rma(std::size_t capacity)
      : MpiExchange(keys_at_once),
        _capacity(capacity),
        _memory(notices_begin(capacity) + sizeof(Words) * static_cast<std::size_t>(units()),
                MpiMemory::Kind::window),
        _inboxes(static_cast<std::size_t>(units())),
        _sizes(_inboxes.size()),
        _gets(_inboxes.size(), MPI_REQUEST_NULL) {
    for (auto& words : _sent)
      words.resize(_inboxes.size());
  }

  std::span<Key> room() override { return {_memory.local<Key>(), _capacity}; }

 protected:
  void start(std::span<const std::uint64_t> begins) override {
    ++_step;
    MPI_Win_sync(_memory.window());
    _untold.clear();
    for (int i = 1; i < units(); ++i) {
      const auto to = static_cast<std::size_t>(peer(i));
      _untold.push_back(peer(i));
      // Those of two exchanges before have come: all have told of the one after it.
      Words& words = _sent[_step & 1][to];
      words.set({begins[to], begins[to + 1]}, _step);
      words.put(peer(i), place_of(self()), _memory.window());
    }
  }
  void look() override {
    std::erase_if(_untold, [&](int unit) {
      Words& words = words_of(unit);
      if (!words.is_of(_step)) return false;
      const Keys keys = words.value();
      get(unit, keys.begin, keys.end - keys.begin);
      return true;
    });
    int unit = MPI_UNDEFINED;
    int done = 0;
    MPI_Testany(units(), _gets.data(), &unit, &done, MPI_STATUS_IGNORE);
    if (unit == MPI_UNDEFINED) return kernels::make_progress();
    const auto from = static_cast<std::size_t>(unit);
    if (done != 0) add({_inboxes[from].data(), _sizes[from]});
  }

 private:
  using Words = kernels::NumberedWords<Keys>;

  /// Of what a unit tells, in each part of the window.
  std::size_t place_of(int unit) const {
    return notices_begin(_capacity) + static_cast<std::size_t>(unit) * sizeof(Words);
  }
  /// What another unit has told the caller.
  Words& words_of(int unit) const {
    return *reinterpret_cast<Words*>(_memory.local<std::byte>() + place_of(unit));
  }
  void get(int unit, std::uint64_t begin, std::uint64_t n) {
    const auto from = static_cast<std::size_t>(unit);
    auto& inbox = _inboxes[from];
    if (inbox.size() < n) inbox.resize(n + n / 8);
    _sizes[from] = n;
    MPI_Rget(inbox.data(), static_cast<int>(n), MPI_UINT32_T, unit,
             static_cast<MPI_Aint>(begin * sizeof(Key)), static_cast<int>(n), MPI_UINT32_T,
             _memory.window(), &_gets[from]);
  }

  std::size_t _capacity;
  MpiMemory _memory;                        // the room, and a notice of each unit
  std::array<std::vector<Words>, 2> _sent;  // to each unit, in exchanges in turns
  std::vector<std::vector<Key>> _inboxes;
  std::vector<std::uint64_t> _sizes;
  std::vector<MPI_Request> _gets;
  std::vector<int> _untold;  // of whom there is no notice yet
  unsigned _step = 0;
};

/// Each unit writes down where its keys are, and others read them there. No looks are needed between.
class Shared final : public MpiExchange {
 public:
  explicit Shared(std::size_t capacity)
      : MpiExchange(std::numeric_limits<std::size_t>::max()),
        _capacity(capacity),
        _memory(notices_begin(capacity) + sizeof(Notice) * static_cast<std::size_t>(units()),
                MpiMemory::Kind::shared) {}

  std::span<Key> room() override { return {_memory.local<Key>(), _capacity}; }

 protected:
  void start(std::span<const std::uint64_t> begins) override {
    ++_step;
    _untold.clear();
    for (int i = 1; i < units(); ++i) {
      const auto to = static_cast<std::size_t>(peer(i));
      _untold.push_back(peer(i));
      Notice& notice = notices(self())[to];
      notice.keys = {begins[to], begins[to + 1]};
      std::atomic_ref(notice.step).store(_step, std::memory_order_release);
    }
  }
  void look() override {
    std::erase_if(_untold, [&](int unit) {
      Notice& notice = notices(unit)[self()];
      if (!notice.is_of(_step)) return false;
      add({_memory.of<Key>(unit) + notice.keys.begin, notice.keys.end - notice.keys.begin});
      return true;
    });
  }

 private:
  Notice* notices(int unit) const {
    return reinterpret_cast<Notice*>(_memory.of<std::byte>(unit) + notices_begin(_capacity));
  }

  std::size_t _capacity;
  MpiMemory _memory;
  std::vector<int> _untold;
  std::uint64_t _step = 0;
};

}  // namespace

std::unique_ptr<Exchange> make_mpi_exchange(const std::string& via, std::size_t capacity) {
  if (via == "rma") return std::make_unique<Rma>(capacity);
  if (via == "shared") return std::make_unique<Shared>(capacity);
  return std::make_unique<TwoSided>(capacity);
}

}  // namespace isx
