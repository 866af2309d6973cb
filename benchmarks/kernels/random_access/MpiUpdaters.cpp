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

/// The table in a window of RMA.
class RmaUpdater : public Updater {
 public:
  explicit RmaUpdater(const Distribution& distribution)
      : _distribution(distribution),
        _table(distribution.local_size * sizeof(Word), MpiMemory::Kind::window,
               // One operation on single words, in any order.
               {{"accumulate_ops", "same_op"},
                {"accumulate_ordering", "none"},
                {"same_disp_unit", "true"},
                {"which_accumulate_ops", "bxor"},
                {"accumulate_noncontig_dtype", "false"},
                {"accumulate_max_bytes", "8"}}) {}

  std::span<Word> local() override { return {_table.local<Word>(), _distribution.local_size}; }

  void run(const Share& share, kernels::Stopwatch& communication) override {
    communication.time([&] { update(share); });
    // Those of others are the owner's to apply.
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_Win_sync(_table.window());
  }

 protected:
  /// Where a word is.
  struct Place {
    int unit;
    MPI_Aint offset;
  };
  Place place_of(Word x) const {
    const std::uint64_t index = x & _distribution.mask;
    const int unit = _distribution.owner(index);
    const std::uint64_t first = static_cast<std::uint64_t>(unit) * _distribution.block;
    return {unit, static_cast<MPI_Aint>((index - first) * sizeof(Word))};
  }

  virtual void update(const Share& share) = 0;

  const Distribution _distribution;
  MpiMemory _table;
};

/// An accumulate for each update, up to 1024 before a flush. The own ones, too: MPI's atomic operations
/// and the processor's do not know of each other.
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
        const Place place = place_of(update);
        MPI_Accumulate(&_updates[i++], 1, MPI_UINT64_T, place.unit, place.offset, 1, MPI_UINT64_T,
                       MPI_BXOR, _table.window());
      });
      _table.flush();
    }
  }

  std::array<Word, look_ahead> _updates{};
};

/// Words are read, changed and written by the batch, with a flush between; the own ones without MPI.
class RmaGetPutUpdater final : public RmaUpdater {
 public:
  explicit RmaGetPutUpdater(const Distribution& distribution)
      : RmaUpdater(distribution), _remote(reads_in_batch(distribution)) {}

 private:
  struct Remote {
    Place place;
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
      const Place place = place_of(update);
      if (place.unit == _distribution.unit) {
        local()[(update & _distribution.mask) - _distribution.first] ^= update;
        return;
      }
      Remote& remote = _remote[num_remote++];
      remote = {place, update, 0};
      MPI_Get(&remote.word, 1, MPI_UINT64_T, place.unit, place.offset, 1, MPI_UINT64_T,
              _table.window());
    });
    if (num_remote == 0) return;
    _table.flush();
    for (Remote& remote : std::span(_remote).first(num_remote)) {
      remote.word ^= remote.update;
      MPI_Put(&remote.word, 1, MPI_UINT64_T, remote.place.unit, remote.place.offset, 1,
              MPI_UINT64_T, _table.window());
    }
    _table.flush();
  }

  std::vector<Remote> _remote;
};

/// Rounds by messages, which are completed a round later.
class TwoSidedUpdater final : public RoundsUpdater {
 public:
  explicit TwoSidedUpdater(const Distribution& distribution)
      : RoundsUpdater(distribution),
        _table(distribution.local_size),
        _outbox(box_size()),
        _inbox(box_size()) {}

  std::span<Word> local() override { return _table; }

 private:
  void expect(std::size_t round) override {
    for_others([&](int unit) {
      MPI_Irecv(_inbox.data() + place(unit, round), message_size, MPI_UINT64_T, unit, 0,
                MPI_COMM_WORLD, request(round));
    });
  }
  Word* outgoing(int to, std::size_t round) override { return _outbox.data() + place(to, round); }
  void send(std::size_t round) override {
    for_others([&](int unit) {
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
    return _inbox.data() + place(from, round);
  }
  MPI_Request* request(std::size_t round) { return &_requests[round % 2].emplace_back(); }

  PrivateTable _table;
  std::vector<Word> _outbox;
  std::vector<Word> _inbox;
  std::array<std::vector<MPI_Request>, 2> _requests;
};

/// Batches are put into inboxes that are empty before: no update is 0, so what is not 0 has come, word by
/// word, and nothing has to be flushed.
class RmaBucketedUpdater final : public RoundsUpdater {
 public:
  explicit RmaBucketedUpdater(const Distribution& distribution)
      : RoundsUpdater(distribution),
        _table(distribution.local_size),
        _outbox(box_size()),
        _inbox(box_size() * sizeof(Word), MpiMemory::Kind::window, {{"same_disp_unit", "true"}}) {}

  std::span<Word> local() override { return _table; }

 private:
  /// Beside the number of updates, which may be none.
  static constexpr Word there = Word{1} << 63;

  /// Those of two rounds before have been applied, and nobody sends to their place before this
  /// round's message has come to him.
  void expect(std::size_t round) override {
    if (round < 2) return;
    for_others([&](int from) {
      Word* const message = inbox(from, round - 2);
      std::fill_n(message, *message + 1, Word{0});
    });
  }
  Word* outgoing(int to, std::size_t round) override { return _outbox.data() + place(to, round); }
  void send(std::size_t round) override {
    for_others([&](int unit) {
      Word* const message = outgoing(unit, round);
      const int size = static_cast<int>(*message + 1);
      *message |= there;
      MPI_Put(message, size, MPI_UINT64_T, unit,
              static_cast<MPI_Aint>(place(_distribution.unit, round) * sizeof(Word)), size,
              MPI_UINT64_T, _inbox.window());
    });
  }
  void receive(std::size_t round) override {
    for_others([&](int from) {
      Word* const message = inbox(from, round);
      await(message[0]);
      message[0] &= ~there;
      for (Word i = message[0]; i > 0; --i)
        await(message[i]);
    });
  }
  const Word* incoming(int from, std::size_t round) const override { return inbox(from, round); }

  Word* inbox(int from, std::size_t round) const {
    return _inbox.local<Word>() + place(from, round);
  }
  static void await(Word& word) {
    const std::atomic_ref<Word> coming(word);
    kernels::wait_for_puts([&] { return coming.load(std::memory_order_acquire) != 0; });
  }

  PrivateTable _table;
  std::vector<Word> _outbox;
  MpiMemory _inbox;
};

}  // namespace

std::unique_ptr<Updater> make_mpi_updater(const Distribution& distribution, const std::string& via,
                                          const std::string& variant) {
  if (via == "shared") return make_shared_updater(distribution, variant);
  if (via == "two-sided") {
    if (variant != "bucketed") {
      throw kernels::UserError(
          "--via two-sided has no words of others to access one by one: "
          "--variant bucketed");
    }
    return std::make_unique<TwoSidedUpdater>(distribution);
  }
  if (variant == "atomic") return std::make_unique<RmaAtomicUpdater>(distribution);
  if (variant == "get-put") return std::make_unique<RmaGetPutUpdater>(distribution);
  return std::make_unique<RmaBucketedUpdater>(distribution);
}

}  // namespace random_access
