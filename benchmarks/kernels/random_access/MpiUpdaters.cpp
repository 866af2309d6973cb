#include "MpiUpdaters.h"

#include <mpi.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <vector>

#include "Rounds.h"
#include "support/MpiProgram.h"
#include "support/MpiWait.h"

namespace random_access {

namespace {

using kernels::MpiMemory;

/// Base class of the updaters with the table in a window.
class RmaUpdater : public Updater {
 public:
  explicit RmaUpdater(const Distribution& distribution)
      : _distribution(distribution),
        _table(distribution.local_size * sizeof(Word), MpiMemory::Kind::window,
               // The program uses one operation on single words, in any order.
               {{"accumulate_ops", "same_op"},
                {"accumulate_ordering", "none"},
                {"same_disp_unit", "true"},
                {"which_accumulate_ops", "bxor"},
                {"accumulate_noncontig_dtype", "false"},
                {"accumulate_max_bytes", "8"}}) {}

  std::span<Word> local() override { return {_table.local<Word>(), _distribution.local_size}; }

  void run(const Share& share, kernels::Stopwatch& communication) override {
    communication.time([&] { update(share); });
    // After the barrier, updates by other processes are visible in the caller's window.
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_Win_sync(_table.window());
  }

 protected:
  /// The owner of a word and its offset in the window.
  struct Location {
    int unit;
    MPI_Aint offset;
  };
  Location locate(Word x) const {
    const std::uint64_t index = x & _distribution.mask;
    const int unit = _distribution.owner(index);
    const std::uint64_t first = static_cast<std::uint64_t>(unit) * _distribution.block;
    return {unit, static_cast<MPI_Aint>((index - first) * sizeof(Word))};
  }

  virtual void update(const Share& share) = 0;

  const Distribution _distribution;
  MpiMemory _table;
};

/// One MPI_Accumulate per update, with a flush after 1024 of them. Own words use MPI_Accumulate,
/// too: it is not atomic with respect to instructions of the processor.
class RmaAtomicUpdater final : public RmaUpdater {
 public:
  using RmaUpdater::RmaUpdater;

 private:
  void update(const Share& share) override {
    Word x = element(share.begin);
    for (std::uint64_t done = 0; done < share.size; done += look_ahead) {
      std::size_t i = 0;
      for_updates(x, updates_in_batch(share, done, look_ahead), [&](Word update) {
        _updates[i] = update;
        const Location location = locate(update);
        MPI_Accumulate(&_updates[i++], 1, MPI_UINT64_T, location.unit, location.offset, 1,
                       MPI_UINT64_T, MPI_BXOR, _table.window());
      });
      _table.flush();
    }
  }

  std::array<Word, look_ahead> _updates{};
};

/// Reads, changes and writes words in batches, with a flush in between; own words are accessed
/// without MPI.
class RmaGetPutUpdater final : public RmaUpdater {
 public:
  explicit RmaGetPutUpdater(const Distribution& distribution)
      : RmaUpdater(distribution), _remote(get_put_batch_size(distribution)) {}

 private:
  struct Remote {
    Location location;
    Word update;
    Word word;
  };

  void update(const Share& share) override {
    Word x = element(share.begin);
    for (std::uint64_t done = 0; done < share.size; done += _remote.size())
      run_batch(x, updates_in_batch(share, done, _remote.size()));
  }

  void run_batch(Word& x, std::size_t n) {
    std::size_t num_remote = 0;
    for_updates(x, n, [&](Word update) {
      const Location location = locate(update);
      if (location.unit == _distribution.unit) {
        local()[(update & _distribution.mask) - _distribution.first] ^= update;
        return;
      }
      Remote& remote = _remote[num_remote++];
      remote = {location, update, 0};
      MPI_Get(&remote.word, 1, MPI_UINT64_T, location.unit, location.offset, 1, MPI_UINT64_T,
              _table.window());
    });
    if (num_remote == 0) return;
    _table.flush();
    for (Remote& remote : std::span(_remote).first(num_remote)) {
      remote.word ^= remote.update;
      MPI_Put(&remote.word, 1, MPI_UINT64_T, remote.location.unit, remote.location.offset, 1,
              MPI_UINT64_T, _table.window());
    }
    _table.flush();
  }

  std::vector<Remote> _remote;
};

/// Sends batches as messages, which are completed one round later.
class TwoSidedUpdater final : public RoundsUpdater {
 public:
  explicit TwoSidedUpdater(const Distribution& distribution)
      : RoundsUpdater(distribution),
        _table(distribution.local_size),
        _send_buffer(buffer_size()),
        _receive_buffer(buffer_size()) {}

  std::span<Word> local() override { return _table; }

 private:
  void prepare(std::size_t round) override {
    for_other_units([&](int unit) {
      MPI_Irecv(_receive_buffer.data() + message_offset(unit, round), message_size, MPI_UINT64_T,
                unit, 0, MPI_COMM_WORLD, request(round));
    });
  }
  Word* outgoing(int to, std::size_t round) override {
    return _send_buffer.data() + message_offset(to, round);
  }
  void send(std::size_t round) override {
    for_other_units([&](int unit) {
      const Word* const message = outgoing(unit, round);
      MPI_Isend(message, static_cast<int>(*message + 1), MPI_UINT64_T, unit, 0, MPI_COMM_WORLD,
                request(round));
    });
  }
  void receive(std::size_t round) override {
    auto& requests = _requests[round % 2];
    MPI_Waitall(static_cast<int>(requests.size()), requests.data(), MPI_STATUSES_IGNORE);
    requests.clear();
  }
  const Word* incoming(int from, std::size_t round) const override {
    return _receive_buffer.data() + message_offset(from, round);
  }
  MPI_Request* request(std::size_t round) { return &_requests[round % 2].emplace_back(); }

  PrivateTable _table;
  std::vector<Word> _send_buffer;
  std::vector<Word> _receive_buffer;
  std::array<std::vector<MPI_Request>, 2> _requests;
};

/// Puts batches into receive buffers that contain zeros. Since no update is 0, each non-zero word
/// has arrived, and no flush is needed.
class RmaBucketedUpdater final : public RoundsUpdater {
 public:
  explicit RmaBucketedUpdater(const Distribution& distribution)
      : RoundsUpdater(distribution),
        _table(distribution.local_size),
        _send_buffer(buffer_size()),
        _receive_buffer(buffer_size() * sizeof(Word), MpiMemory::Kind::window,
                        {{"same_disp_unit", "true"}}) {}

  std::span<Word> local() override { return _table; }

 private:
  /// Set in the word with the number of updates, since that number may be 0.
  static constexpr Word arrived_flag = Word{1} << 63;

  /// Clears the messages of two rounds before, which have been applied. No process sends to their
  /// addresses before it has received this round's message.
  void prepare(std::size_t round) override {
    if (round < 2) return;
    for_other_units([&](int from) {
      Word* const message = receive_buffer(from, round - 2);
      std::fill_n(message, *message + 1, Word{0});
    });
  }
  Word* outgoing(int to, std::size_t round) override {
    return _send_buffer.data() + message_offset(to, round);
  }
  void send(std::size_t round) override {
    for_other_units([&](int unit) {
      Word* const message = outgoing(unit, round);
      const int size = static_cast<int>(*message + 1);
      *message |= arrived_flag;
      MPI_Put(message, size, MPI_UINT64_T, unit,
              static_cast<MPI_Aint>(message_offset(_distribution.unit, round) * sizeof(Word)), size,
              MPI_UINT64_T, _receive_buffer.window());
    });
  }
  void receive(std::size_t round) override {
    for_other_units([&](int from) {
      Word* const message = receive_buffer(from, round);
      wait_for_word(message[0]);
      message[0] &= ~arrived_flag;
      for (Word i = message[0]; i > 0; --i)
        wait_for_word(message[i]);
    });
  }
  const Word* incoming(int from, std::size_t round) const override {
    return receive_buffer(from, round);
  }

  Word* receive_buffer(int from, std::size_t round) const {
    return _receive_buffer.local<Word>() + message_offset(from, round);
  }
  static void wait_for_word(Word& word) {
    const std::atomic_ref<Word> value(word);
    kernels::wait_for_puts([&] { return value.load(std::memory_order_acquire) != 0; });
  }

  PrivateTable _table;
  std::vector<Word> _send_buffer;
  MpiMemory _receive_buffer;
};

}  // namespace

std::unique_ptr<Updater> make_mpi_updater(const Distribution& distribution, const std::string& via,
                                          const std::string& variant) {
  if (via == "shared") return make_shared_updater(distribution, variant);
  if (via == "two-sided") {
    if (variant != "bucketed") {
      throw kernels::UserError(
          "--via two-sided cannot access single words of other units: expected --variant bucketed");
    }
    return std::make_unique<TwoSidedUpdater>(distribution);
  }
  if (variant == "atomic") return std::make_unique<RmaAtomicUpdater>(distribution);
  if (variant == "get-put") return std::make_unique<RmaGetPutUpdater>(distribution);
  return std::make_unique<RmaBucketedUpdater>(distribution);
}

}  // namespace random_access
