#include <array>
#include <atomic>
#include <vector>

#include "MpiUpdaters.h"
#include "NodeTable.h"
#include "Rounds.h"
#include "support/MpiProgram.h"
#include "support/StoreWait.h"

namespace random_access {

namespace {

using kernels::MpiMemory;

/// Base class of the updaters with the table in shared memory.
class SharedUpdater : public Updater {
 public:
  explicit SharedUpdater(const Distribution& distribution)
      : _memory(distribution.local_size * sizeof(Word), MpiMemory::Kind::shared),
        _local(_memory.local<Word>(), distribution.local_size),
        _table(distribution, blocks(_memory, distribution.units)) {}

  std::span<Word> local() override { return _local; }

 protected:
  const NodeTable& table() const { return _table; }

 private:
  static std::vector<Word*> blocks(const MpiMemory& memory, int units) {
    std::vector<Word*> blocks;
    for (int unit = 0; unit < units; ++unit)
      blocks.push_back(memory.of<Word>(unit));
    return blocks;
  }

  MpiMemory _memory;
  std::span<Word> _local;
  NodeTable _table;
};

class SharedAtomicUpdater final : public SharedUpdater {
 public:
  using SharedUpdater::SharedUpdater;

  void run(const Share& share, kernels::Stopwatch& communication) override {
    communication.time([&] {
      Word x = element(share.begin);
      table().update_atomically(x, share.size);
    });
  }
};

class SharedGetPutUpdater final : public SharedUpdater {
 public:
  using SharedUpdater::SharedUpdater;

  void run(const Share& share, kernels::Stopwatch& communication) override {
    communication.time([&] {
      Word x = element(share.begin);
      table().load_and_store(x, share.size);
    });
  }
};

/// Batches are generated directly in the owner's memory; a counter of each sender gives their
/// number.
class SharedBucketedUpdater final : public RoundsUpdater {
 public:
  explicit SharedBucketedUpdater(const Distribution& distribution)
      : RoundsUpdater(distribution),
        _table(distribution.local_size),
        _receive_buffer(static_cast<std::size_t>(distribution.units) * sizeof(MessageSlots),
                        MpiMemory::Kind::shared) {
    for (int unit = 0; unit < distribution.units; ++unit)
      _slots.push_back(_receive_buffer.of<MessageSlots>(unit));
  }

  std::span<Word> local() override { return _table; }

 private:
  /// The messages from one unit to another.
  struct alignas(64) MessageSlots {
    std::array<std::array<Word, message_stride>, batches_in_flight> batches;
    alignas(64) std::atomic<std::uint64_t> arrived;
  };

  MessageSlots& slots(int to, int from) const { return _slots[static_cast<std::size_t>(to)][from]; }

  Word* outgoing(int to, std::size_t round) override {
    return slots(to, _distribution.unit).batches[round % batches_in_flight].data();
  }
  void send(std::size_t round) override {
    for_other_units([&](int to) {
      slots(to, _distribution.unit).arrived.store(round + 1, std::memory_order_release);
    });
  }
  void receive(std::size_t round) override {
    for_other_units([&](int from) {
      const auto& arrived = slots(_distribution.unit, from).arrived;
      kernels::wait_for_stores([&] { return arrived.load(std::memory_order_acquire) > round; });
    });
  }
  const Word* incoming(int from, std::size_t round) const override {
    return slots(_distribution.unit, from).batches[round % batches_in_flight].data();
  }

  PrivateTable _table;
  MpiMemory _receive_buffer;
  std::vector<MessageSlots*> _slots;
};

}  // namespace

std::unique_ptr<Updater> make_shared_updater(const Distribution& distribution,
                                             const std::string& variant) {
  if (variant == "atomic") return std::make_unique<SharedAtomicUpdater>(distribution);
  if (variant == "get-put") return std::make_unique<SharedGetPutUpdater>(distribution);
  return std::make_unique<SharedBucketedUpdater>(distribution);
}

}  // namespace random_access
