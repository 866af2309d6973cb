#include "MpiUpdaters.h"

#include <mpi.h>

#include <algorithm>
#include <array>
#include <vector>

#include "support/MpiProgram.h"

namespace random_access {

namespace {

using kernels::MpiMemory;

std::size_t updates_in_batch(const Share& share, std::uint64_t done, std::size_t most) {
  return done >= share.size ? 0 : std::min<std::uint64_t>(most, share.size - done);
}

/// The table in a window of RMA.
class RmaUpdater : public Updater {
 public:
  explicit RmaUpdater(const Distribution& distribution)
      : _distribution(distribution),
        _table(distribution.local_size * sizeof(Word), MpiMemory::Kind::window) {}

  std::span<Word> local() override { return {_table.local<Word>(), _distribution.local_size}; }

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

  Distribution _distribution;
  MpiMemory _table;
};

/// An accumulate for each update, up to 1024 before a flush. The own ones, too: MPI's atomic operations
/// and the processor's do not know of each other.
class RmaAtomicUpdater final : public RmaUpdater {
 public:
  using RmaUpdater::RmaUpdater;

  void run(const Share& share, kernels::Stopwatch& communication) override {
    communication.time([&] {
      Word x = element(share.begin);
      for (std::uint64_t done = 0; done < share.size; done += look_ahead) {
        const std::size_t n = updates_in_batch(share, done, look_ahead);
        for (std::size_t i = 0; i < n; ++i) {
          _updates[i] = x = next(x);
          const Place place = place_of(x);
          MPI_Accumulate(&_updates[i], 1, MPI_UINT64_T, place.unit, place.offset, 1, MPI_UINT64_T,
                         MPI_BXOR, _table.window());
        }
        MPI_Win_flush_all(_table.window());
      }
    });
    // Those of others are the owner's to apply.
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_Win_sync(_table.window());
  }

 private:
  std::array<Word, look_ahead> _updates{};
};

/// Words are read, changed and written; the own ones without MPI. A flush for each, which completes the
/// put before, too.
class RmaGetPutUpdater final : public RmaUpdater {
 public:
  using RmaUpdater::RmaUpdater;

  void run(const Share& share, kernels::Stopwatch& communication) override {
    communication.time([&] {
      Word x = element(share.begin);
      for (std::uint64_t k = 0; k < share.size; ++k) {
        x = next(x);
        const Place place = place_of(x);
        if (place.unit == _distribution.unit) {
          _table.local<Word>()[(x & _distribution.mask) - _distribution.first] ^= x;
        } else {
          update(place, x, _words[k % look_ahead]);
        }
      }
      MPI_Win_flush_all(_table.window());
    });
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_Win_sync(_table.window());
  }

 private:
  void update(const Place& place, Word x, Word& word) {
    MPI_Get(&word, 1, MPI_UINT64_T, place.unit, place.offset, 1, MPI_UINT64_T, _table.window());
    MPI_Win_flush(place.unit, _table.window());
    word ^= x;
    MPI_Put(&word, 1, MPI_UINT64_T, place.unit, place.offset, 1, MPI_UINT64_T, _table.window());
  }

  std::array<Word, look_ahead> _words{};
};

/// Rounds as of the library's: a batch is sent, then those of the round before are applied.
class RoundsUpdater : public Updater {
 public:
  void run(const Share& share, kernels::Stopwatch& communication) override {
    Word x = element(share.begin);
    bool is_first = true;
    for (std::uint64_t done = 0; done < share.largest; done += batch) {
      communication.time([&] { expect(_round); });
      buckets(_round).generate(x, updates_in_batch(share, done, batch), _distribution);
      apply(buckets(_round).message(_distribution.unit).data(), _distribution, local().data());
      communication.time([&] {
        send(_round);
        if (!is_first) arrive(_round - 1);
      });
      if (!is_first) apply_all(_round - 1);
      is_first = false;
      ++_round;
    }
    communication.time([&] { arrive(_round - 1); });
    apply_all(_round - 1);
  }

 protected:
  explicit RoundsUpdater(const Distribution& distribution)
      : _distribution(distribution),
        _buckets{Buckets(distribution.units), Buckets(distribution.units)} {}

  /// Before a batch is made.
  virtual void expect(std::size_t round) = 0;
  virtual void send(std::size_t round) = 0;
  /// Ends the sends and receives of a round.
  virtual void arrive(std::size_t round) = 0;
  virtual const Word* message_from(int unit, std::size_t round) const = 0;

  Buckets& buckets(std::size_t round) { return _buckets[round % 2]; }
  std::size_t place(int from, std::size_t round) const {
    return (static_cast<std::size_t>(from) * batches_under_way + round % batches_under_way) *
           Buckets::message_size;
  }
  std::size_t inbox_size() const {
    return static_cast<std::size_t>(_distribution.units) * batches_under_way *
           Buckets::message_size;
  }
  template <class F>
  void for_others(const F& f) const {
    for (int distance = 1; distance < _distribution.units; ++distance)
      f((_distribution.unit + distance) % _distribution.units);
  }

  Distribution _distribution;

 private:
  void apply_all(std::size_t round) {
    for_others([&](int unit) { apply(message_from(unit, round), _distribution, local().data()); });
  }

  std::array<Buckets, 2> _buckets;
  std::size_t _round = 0;
};

class TwoSidedUpdater final : public RoundsUpdater {
 public:
  explicit TwoSidedUpdater(const Distribution& distribution)
      : RoundsUpdater(distribution), _table(distribution.local_size), _inbox(inbox_size()) {}

  std::span<Word> local() override { return _table; }

 private:
  void expect(std::size_t round) override {
    for_others([&](int unit) {
      MPI_Irecv(_inbox.data() + place(unit, round), Buckets::message_size, MPI_UINT64_T, unit, 0,
                MPI_COMM_WORLD, &_requests[round % 2].emplace_back());
    });
  }
  void send(std::size_t round) override {
    for_others([&](int unit) {
      const auto message = buckets(round).message(unit);
      MPI_Isend(message.data(), static_cast<int>(message.size()), MPI_UINT64_T, unit, 0,
                MPI_COMM_WORLD, &_requests[round % 2].emplace_back());
    });
  }
  void arrive(std::size_t round) override {
    auto& requests = _requests[round % 2];
    MPI_Waitall(static_cast<int>(requests.size()), requests.data(), MPI_STATUSES_IGNORE);
    requests.clear();
  }
  const Word* message_from(int unit, std::size_t round) const override {
    return _inbox.data() + place(unit, round);
  }

  std::vector<Word> _table;
  std::vector<Word> _inbox;
  std::array<std::vector<MPI_Request>, 2> _requests;
};

/// Batches are put into inboxes; an empty message says so after the flush.
class RmaBucketedUpdater final : public RoundsUpdater {
 public:
  explicit RmaBucketedUpdater(const Distribution& distribution)
      : RoundsUpdater(distribution),
        _table(distribution.local_size),
        _inbox(inbox_size() * sizeof(Word), MpiMemory::Kind::window) {}

  std::span<Word> local() override { return _table; }

 private:
  void expect(std::size_t round) override {
    for_others([&](int unit) {
      MPI_Irecv(nullptr, 0, MPI_BYTE, unit, 0, MPI_COMM_WORLD,
                &_requests[round % 2].emplace_back());
    });
  }
  void send(std::size_t round) override {
    for_others([&](int unit) {
      const auto message = buckets(round).message(unit);
      const int size = static_cast<int>(message.size_bytes());
      MPI_Put(message.data(), size, MPI_BYTE, unit,
              static_cast<MPI_Aint>(place(_distribution.unit, round) * sizeof(Word)), size,
              MPI_BYTE, _inbox.window());
    });
    MPI_Win_flush_all(_inbox.window());
    for_others([&](int unit) {
      MPI_Isend(nullptr, 0, MPI_BYTE, unit, 0, MPI_COMM_WORLD,
                &_requests[round % 2].emplace_back());
    });
  }
  void arrive(std::size_t round) override {
    auto& requests = _requests[round % 2];
    MPI_Waitall(static_cast<int>(requests.size()), requests.data(), MPI_STATUSES_IGNORE);
    requests.clear();
    MPI_Win_sync(_inbox.window());
  }
  const Word* message_from(int unit, std::size_t round) const override {
    return _inbox.local<Word>() + place(unit, round);
  }

  std::vector<Word> _table;
  MpiMemory _inbox;
  std::array<std::vector<MPI_Request>, 2> _requests;
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
