#include "MpiExchange.h"

#include <mpi.h>
#include <sched.h>

#include <atomic>
#include <thread>
#include <vector>

#include "support/MpiProgram.h"

namespace isx {

namespace {

using kernels::MpiMemory;
using kernels::Stopwatch;

struct Piece {
  std::uint64_t begin = 0;
  std::uint64_t end = 0;
  std::size_t size() const { return end - begin; }
};

class MpiExchange : public Exchange {
 public:
  MpiExchange() {
    MPI_Comm_rank(MPI_COMM_WORLD, &_self);
    MPI_Comm_size(MPI_COMM_WORLD, &_units);
    _is_crowded = static_cast<unsigned>(_units) > std::thread::hardware_concurrency();
  }

 protected:
  int self() const { return _self; }
  int units() const { return _units; }
  /// Units but the caller, each beginning with another one.
  int peer(int i) const { return (_self + i) % _units; }
  void pause() const {
    if (_is_crowded) sched_yield();
  }

  std::span<const Key> own(std::span<const std::uint64_t> begins) {
    const auto unit = static_cast<std::size_t>(_self);
    return room().subspan(begins[unit], begins[unit + 1] - begins[unit]);
  }
  /// Tells each unit where its keys are. \returns where the caller's are at each unit
  std::vector<Piece> exchange_pieces(std::span<const std::uint64_t> begins) const {
    std::vector<Piece> mine;
    for (std::size_t unit = 0; unit + 1 < begins.size(); ++unit)
      mine.push_back({begins[unit], begins[unit + 1]});
    std::vector<Piece> theirs(mine.size());
    MPI_Request request = MPI_REQUEST_NULL;
    MPI_Ialltoall(mine.data(), 2, MPI_UINT64_T, theirs.data(), 2, MPI_UINT64_T, MPI_COMM_WORLD,
                  &request);
    int done = 0;
    for (MPI_Test(&request, &done, MPI_STATUS_IGNORE); done == 0;
         MPI_Test(&request, &done, MPI_STATUS_IGNORE))
      pause();
    return theirs;
  }
  /// Places for what comes, one after the other. \returns where that of each peer begins
  std::vector<std::size_t> make_inbox(const std::vector<Piece>& theirs) {
    std::vector<std::size_t> at;
    std::size_t size = 0;
    for (int i = 1; i < units(); ++i) {
      at.push_back(size);
      size += theirs[static_cast<std::size_t>(peer(i))].size();
    }
    if (_inbox.size() < size) _inbox.resize(size + size / 8);
    return at;
  }
  Key* inbox() { return _inbox.data(); }
  /// Index of a request that is complete.
  int wait_any(std::vector<MPI_Request>& requests) const {
    int i = MPI_UNDEFINED;
    int done = 0;
    while (true) {
      MPI_Testany(static_cast<int>(requests.size()), requests.data(), &i, &done, MPI_STATUS_IGNORE);
      if (done != 0) return i;
      pause();
    }
  }
  /// Hands over what has come, piece by piece. \param receives  of peers 1, 2, ...
  void consume_all(std::vector<MPI_Request>& receives, const std::vector<Piece>& theirs,
                   const std::vector<std::size_t>& at, const Consume& consume,
                   Stopwatch& communication) {
    for (std::size_t n = 0; n < receives.size(); ++n) {
      const int i = communication.time([&] { return wait_any(receives); });
      const std::size_t size = theirs[static_cast<std::size_t>(peer(i + 1))].size();
      consume({inbox() + at[static_cast<std::size_t>(i)], size});
    }
  }

 private:
  int _self = 0;
  int _units = 1;
  bool _is_crowded = false;
  std::vector<Key> _inbox;
};

class TwoSided final : public MpiExchange {
 public:
  explicit TwoSided(std::size_t capacity) : _room(capacity) {}
  std::span<Key> room() override { return _room; }

  void run(std::span<const std::uint64_t> begins, const Consume& consume,
           Stopwatch& communication) override {
    std::vector<MPI_Request> receives(static_cast<std::size_t>(units() - 1));
    std::vector<MPI_Request> sends(receives.size());
    std::vector<Piece> theirs;
    std::vector<std::size_t> at;
    communication.time([&] {
      theirs = exchange_pieces(begins);
      at = make_inbox(theirs);
      for (int i = 1; i < units(); ++i) {
        const auto index = static_cast<std::size_t>(i - 1);
        const auto from = static_cast<std::size_t>(peer(i));
        MPI_Irecv(inbox() + at[index], static_cast<int>(theirs[from].size()), MPI_UINT32_T, peer(i),
                  0, MPI_COMM_WORLD, &receives[index]);
      }
      for (int i = 1; i < units(); ++i) {
        const auto to = static_cast<std::size_t>(peer(i));
        MPI_Isend(_room.data() + begins[to], static_cast<int>(begins[to + 1] - begins[to]),
                  MPI_UINT32_T, peer(i), 0, MPI_COMM_WORLD,
                  &sends[static_cast<std::size_t>(i - 1)]);
      }
    });
    consume(own(begins));
    consume_all(receives, theirs, at, consume, communication);
    communication.time([&] {
      for (std::size_t n = 0; n < sends.size(); ++n)
        wait_any(sends);
    });
  }

 private:
  std::vector<Key> _room;
};

class Rma final : public MpiExchange {
 public:
  explicit Rma(std::size_t capacity)
      : _capacity(capacity), _memory(capacity * sizeof(Key), MpiMemory::Kind::window) {}
  std::span<Key> room() override { return {_memory.local<Key>(), _capacity}; }

  void run(std::span<const std::uint64_t> begins, const Consume& consume,
           Stopwatch& communication) override {
    std::vector<MPI_Request> gets(static_cast<std::size_t>(units() - 1));
    std::vector<Piece> theirs;
    std::vector<std::size_t> at;
    communication.time([&] {
      MPI_Win_sync(_memory.window());
      theirs = exchange_pieces(begins);
      at = make_inbox(theirs);
      for (int i = 1; i < units(); ++i) {
        const auto index = static_cast<std::size_t>(i - 1);
        const Piece& piece = theirs[static_cast<std::size_t>(peer(i))];
        const auto count = static_cast<int>(piece.size());
        MPI_Rget(inbox() + at[index], count, MPI_UINT32_T, peer(i),
                 static_cast<MPI_Aint>(piece.begin * sizeof(Key)), count, MPI_UINT32_T,
                 _memory.window(), &gets[index]);
      }
    });
    consume(own(begins));
    consume_all(gets, theirs, at, consume, communication);
  }

 private:
  std::size_t _capacity;
  MpiMemory _memory;
};

class Shared final : public MpiExchange {
 public:
  explicit Shared(std::size_t capacity)
      : _capacity(capacity),
        _board_begin((capacity * sizeof(Key) + 63) / 64 * 64),
        _memory(_board_begin + sizeof(std::uint64_t) * (2 + static_cast<std::size_t>(units())),
                MpiMemory::Kind::shared) {}
  std::span<Key> room() override { return {_memory.local<Key>(), _capacity}; }

  void run(std::span<const std::uint64_t> begins, const Consume& consume,
           Stopwatch& communication) override {
    ++_step;
    communication.time([&] {
      std::uint64_t* const board = board_of(self());
      for (std::size_t unit = 0; unit < begins.size(); ++unit)
        board[1 + unit] = begins[unit];
      std::atomic_ref(board[0]).store(_step, std::memory_order_release);
    });
    consume(own(begins));
    for (int i = 1; i < units(); ++i) {
      std::uint64_t* const board = board_of(peer(i));
      communication.time([&] {
        while (std::atomic_ref(board[0]).load(std::memory_order_acquire) != _step)
          pause();
      });
      const auto unit = static_cast<std::size_t>(self());
      consume({_memory.of<Key>(peer(i)) + board[1 + unit], board[2 + unit] - board[1 + unit]});
    }
  }

 private:
  /// Of a unit: the number of the exchange, and where its buckets begin.
  std::uint64_t* board_of(int unit) const {
    return reinterpret_cast<std::uint64_t*>(_memory.of<char>(unit) + _board_begin);
  }

  std::size_t _capacity;
  std::size_t _board_begin;
  MpiMemory _memory;
  std::uint64_t _step = 0;
};

}  // namespace

std::unique_ptr<Exchange> make_mpi_exchange(const std::string& via, std::size_t capacity) {
  if (via == "rma") return std::make_unique<Rma>(capacity);
  if (via == "shared") return std::make_unique<Shared>(capacity);
  return std::make_unique<TwoSided>(capacity);
}

}  // namespace isx
