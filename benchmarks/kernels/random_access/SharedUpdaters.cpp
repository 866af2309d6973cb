#include <algorithm>
#include <array>
#include <atomic>
#include <thread>
#include <vector>

#include "MpiUpdaters.h"
#include "support/MpiProgram.h"

namespace random_access {

namespace {

using kernels::MpiMemory;

/// The table in shared memory that all units access by the processor.
class SharedUpdater : public Updater {
 public:
  explicit SharedUpdater(const Distribution& distribution)
      : _distribution(distribution),
        _table(distribution.local_size * sizeof(Word), MpiMemory::Kind::shared) {
    for (int unit = 0; unit < distribution.units; ++unit) {
      // So that the index in the whole table is one in the part.
      _parts.push_back(_table.of<Word>(unit) -
                       static_cast<std::uint64_t>(unit) * distribution.block);
    }
  }

  std::span<Word> local() override { return {_table.local<Word>(), _distribution.local_size}; }

 protected:
  Word& word_of(Word x) const {
    const std::uint64_t index = x & _distribution.mask;
    return _parts[static_cast<std::size_t>(_distribution.owner(index))][index];
  }

  Distribution _distribution;

 private:
  MpiMemory _table;
  std::vector<Word*> _parts;
};

class SharedAtomicUpdater final : public SharedUpdater {
 public:
  using SharedUpdater::SharedUpdater;

  void run(const Share& share, kernels::Stopwatch& communication) override {
    communication.time([&] {
      Word x = element(share.begin);
      for (std::uint64_t k = 0; k < share.size; ++k) {
        x = next(x);
        std::atomic_ref<Word>(word_of(x)).fetch_xor(x, std::memory_order_relaxed);
      }
    });
  }
};

class SharedGetPutUpdater final : public SharedUpdater {
 public:
  using SharedUpdater::SharedUpdater;

  void run(const Share& share, kernels::Stopwatch& communication) override {
    communication.time([&] {
      Word x = element(share.begin);
      for (std::uint64_t k = 0; k < share.size; ++k) {
        x = next(x);
        const std::atomic_ref<Word> word(word_of(x));
        word.store(word.load(std::memory_order_relaxed) ^ x, std::memory_order_relaxed);
      }
    });
  }
};

/// Batches are copied to the owner; a counter of each unit says how many there are.
class SharedBucketedUpdater final : public Updater {
 public:
  explicit SharedBucketedUpdater(const Distribution& distribution)
      : _distribution(distribution),
        _table(distribution.local_size),
        _inbox(static_cast<std::size_t>(distribution.units) * sizeof(Letters),
               MpiMemory::Kind::shared),
        _buckets(distribution.units) {
    for (int unit = 0; unit < distribution.units; ++unit)
      _letters.push_back(_inbox.of<Letters>(unit));
  }

  std::span<Word> local() override { return _table; }

  void run(const Share& share, kernels::Stopwatch& communication) override {
    Word x = element(share.begin);
    bool is_first = true;
    for (std::uint64_t done = 0; done < share.largest; done += batch) {
      const std::uint64_t left = done >= share.size ? 0 : share.size - done;
      send(x, std::min<std::uint64_t>(batch, left));
      if (!is_first) receive(_round - 1, communication);
      is_first = false;
      ++_round;
    }
    receive(_round - 1, communication);
  }

 private:
  /// What a unit has from another one.
  struct Letters {
    std::array<std::array<Word, Buckets::message_size>, batches_under_way> batches;
    alignas(64) std::atomic<std::uint64_t> arrived;
  };

  Letters& letters(int to, int from) const { return _letters[static_cast<std::size_t>(to)][from]; }

  void send(Word& x, std::size_t n) {
    _buckets.generate(x, n, _distribution);
    for (int distance = 1; distance < _distribution.units; ++distance) {
      const int to = (_distribution.unit + distance) % _distribution.units;
      Letters& sent = letters(to, _distribution.unit);
      const auto message = _buckets.message(to);
      std::copy(message.begin(), message.end(), sent.batches[_round % batches_under_way].begin());
      sent.arrived.store(_round + 1, std::memory_order_release);
    }
    apply(_buckets.message(_distribution.unit).data(), _distribution, _table.data());
  }

  void receive(std::uint64_t round, kernels::Stopwatch& communication) {
    for (int distance = 1; distance < _distribution.units; ++distance) {
      const int from = (_distribution.unit + distance) % _distribution.units;
      const Letters& received = letters(_distribution.unit, from);
      communication.time([&] {
        for (int spins = 0; received.arrived.load(std::memory_order_acquire) <= round; ++spins) {
          if (spins > 1000) std::this_thread::yield();
        }
      });
      apply(received.batches[round % batches_under_way].data(), _distribution, _table.data());
    }
  }

  Distribution _distribution;
  std::vector<Word> _table;
  MpiMemory _inbox;
  std::vector<Letters*> _letters;
  Buckets _buckets;
  std::uint64_t _round = 0;
};

}  // namespace

std::unique_ptr<Updater> make_shared_updater(const Distribution& distribution,
                                             const std::string& variant) {
  if (variant == "atomic") return std::make_unique<SharedAtomicUpdater>(distribution);
  if (variant == "get-put") return std::make_unique<SharedGetPutUpdater>(distribution);
  return std::make_unique<SharedBucketedUpdater>(distribution);
}

}  // namespace random_access
