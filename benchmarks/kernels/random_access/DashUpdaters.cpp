#include "DashUpdaters.h"

#include <dash/Array.h>
#include <dash/Atomic.h>
#include <dash/Future.h>
#include <dash/Signal.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <vector>

#include "NodeTable.h"
#include "Rounds.h"
#include "support/NodeBlocks.h"

namespace random_access {

namespace {

using Table = dash::Array<Word>;
using Index = Table::index_type;

/// Each update is an atomic operation on its word: an atomic instruction if all words are on the
/// node, otherwise one of up to 1024 pending messages.
class AtomicUpdater final : public Updater {
 public:
  explicit AtomicUpdater(const Distribution& distribution)
      : _mask(distribution.mask),
        _table(distribution.size),
        _on_node(distribution, word_blocks(_table)) {}

  std::span<Word> local() override { return {word(_table.lbegin()), _table.lsize()}; }

  void run(const Share& share, kernels::Stopwatch& communication) override {
    communication.time([&] {
      Word x = element(share.begin);
      if (_on_node.is_whole()) return _on_node.update_atomically(x, share.size);
      for (std::uint64_t done = 0; done < share.size; done += look_ahead) {
        for_updates(x, updates_in_batch(share, done, look_ahead), [&](Word update) {
          _table.async[static_cast<Index>(update & _mask)].op(dash::bit_xor<Word>(), update);
        });
        _table.flush();
      }
    });
  }

 private:
  using AtomicTable = dash::Array<dash::Atomic<Word>>;

  // An atomic element has the layout of its value.
  static Word* word(dash::Atomic<Word>* element) { return reinterpret_cast<Word*>(element); }

  static std::vector<Word*> word_blocks(AtomicTable& table) {
    std::vector<Word*> blocks;
    for (auto* const block : kernels::blocks_on_node(table))
      blocks.push_back(word(block));
    return blocks;
  }

  std::uint64_t _mask;
  AtomicTable _table;
  NodeTable _on_node;
};

/// Reads, changes and writes words. Concurrent updates of a word by two units get lost; the more,
/// the longer the time between reading and writing. Words on other nodes are read and written in
/// batches.
class GetPutUpdater final : public Updater {
 public:
  explicit GetPutUpdater(const Distribution& distribution)
      : _distribution(distribution),
        _table(distribution.size),
        _blocks(kernels::blocks_on_node(_table)),
        _on_node(distribution, _blocks),
        _remote(get_put_batch_size(distribution)) {}

  std::span<Word> local() override { return {_table.lbegin(), _table.lsize()}; }

  void run(const Share& share, kernels::Stopwatch& communication) override {
    communication.time([&] {
      Word x = element(share.begin);
      if (_on_node.is_whole()) return _on_node.load_and_store(x, share.size);
      for (std::uint64_t done = 0; done < share.size; done += _remote.size())
        run_batch(x, updates_in_batch(share, done, _remote.size()));
    });
  }

 private:
  struct Remote {
    Word update;
    Word word;
  };

  Index index_of(Word x) const { return static_cast<Index>(x & _distribution.mask); }

  void run_batch(Word& x, std::size_t n) {
    std::size_t num_remote = 0;
    for_updates(x, n, [&](Word update) {
      const std::uint64_t index = update & _distribution.mask;
      const auto owner = static_cast<std::size_t>(_distribution.owner(index));
      if (Word* const block = _blocks[owner]) {
        const std::atomic_ref<Word> word(block[index - owner * _distribution.block]);
        word.store(word.load(std::memory_order_relaxed) ^ update, std::memory_order_relaxed);
      } else {
        Remote& remote = _remote[num_remote++];
        remote.update = update;
        _table.async[index_of(update)].get(&remote.word);
      }
    });
    if (num_remote == 0) return;
    _table.flush();
    for (Remote& remote : std::span(_remote).first(num_remote)) {
      remote.word ^= remote.update;
      _table.async[index_of(remote.update)].set(&remote.word);
    }
    _table.flush();
  }

  const Distribution _distribution;
  Table _table;
  std::vector<Word*> _blocks;  // by unit: its block of the table, null on another node
  NodeTable _on_node;
  std::vector<Remote> _remote;
};

/// Batches are generated directly in the owner's memory if it is on the node, otherwise put there;
/// a signal notifies the owner.
class BucketedUpdater final : public RoundsUpdater {
 public:
  explicit BucketedUpdater(const Distribution& distribution)
      : RoundsUpdater(distribution),
        _table(distribution.size),
        _receive_buffer(static_cast<std::size_t>(distribution.units) * buffer_size()),
        _node_receive_buffers(kernels::blocks_on_node(_receive_buffer)),
        _send_buffer(buffer_size()),
        _arrived(static_cast<std::size_t>(distribution.units)) {
    for (int unit = 0; unit < distribution.units; ++unit) {
      _remote_signals.push_back(
          _arrived(dash::team_unit_t(unit), static_cast<std::size_t>(distribution.unit)));
    }
  }

  std::span<Word> local() override { return {_table.lbegin(), _table.lsize()}; }

 private:
  using Sent = std::vector<dash::Future<Table::iterator>>;

  static dash::signal_t signal_of(std::size_t round) {
    return static_cast<dash::signal_t>(round + 1);
  }
  static void wait_for(Sent& sent) {
    for (auto& each : sent)
      each.get();
    sent.clear();
  }

  void prepare(std::size_t round) override { wait_for(_sent[round % batches_in_flight]); }

  Word* outgoing(int to, std::size_t round) override {
    Word* const receive_buffer = _node_receive_buffers[static_cast<std::size_t>(to)];
    return receive_buffer != nullptr ? receive_buffer + message_offset(_distribution.unit, round)
                                     : _send_buffer.data() + message_offset(to, round);
  }

  void send(std::size_t round) override {
    for_other_units([&](int to) {
      const auto& signal = _remote_signals[static_cast<std::size_t>(to)];
      if (_node_receive_buffers[static_cast<std::size_t>(to)] != nullptr) {
        signal.set(signal_of(round));
        return;
      }
      const Word* const message = outgoing(to, round);
      const auto begin =
          static_cast<std::size_t>(to) * buffer_size() + message_offset(_distribution.unit, round);
      _sent[round % batches_in_flight].push_back(dash::put_signal_async(
          message, message + 1 + *message, _receive_buffer.begin() + static_cast<Index>(begin),
          signal, signal_of(round)));
    });
  }

  void receive(std::size_t round) override {
    for_other_units(
        [&](int from) { _arrived[static_cast<std::size_t>(from)].wait_until(signal_of(round)); });
  }
  const Word* incoming(int from, std::size_t round) const override {
    return _receive_buffer.lbegin() + message_offset(from, round);
  }
  void complete() override {
    for (Sent& sent : _sent)
      wait_for(sent);
  }

  Table _table;
  Table _receive_buffer;
  std::vector<Word*> _node_receive_buffers;  // by unit: its receive buffer, null on another node
  std::vector<Word> _send_buffer;
  dash::SignalArray _arrived;
  std::vector<dash::GlobSignal> _remote_signals;  // by unit: its signal that the caller sets
  std::array<Sent, batches_in_flight> _sent;
};

}  // namespace

std::unique_ptr<Updater> make_dash_updater(const Distribution& distribution,
                                           const std::string& /*via*/, const std::string& variant) {
  if (variant == "atomic") return std::make_unique<AtomicUpdater>(distribution);
  if (variant == "get-put") return std::make_unique<GetPutUpdater>(distribution);
  return std::make_unique<BucketedUpdater>(distribution);
}

}  // namespace random_access
