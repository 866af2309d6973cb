#include "DashUpdaters.h"

#include <dash/Array.h>
#include <dash/Atomic.h>
#include <dash/Future.h>
#include <dash/Signal.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <limits>
#include <vector>

#include "support/OnNode.h"

namespace random_access {

namespace {

using Table = dash::Array<Word>;
using Index = Table::index_type;

std::size_t updates_in_batch(const Share& share, std::uint64_t done, std::size_t most) {
  return done >= share.size ? 0 : std::min<std::uint64_t>(most, share.size - done);
}

class DashUpdater : public Updater {
 public:
  explicit DashUpdater(const Distribution& distribution)
      : _distribution(distribution),
        _table(distribution.size),
        _parts(kernels::parts_on_node(_table)) {}

  std::span<Word> local() override { return {_table.lbegin(), _table.lsize()}; }

 protected:
  /// Calls on_node(word, x) or remote(index, x) for up to 1024 updates after x, which goes along.
  template <class OnNode, class Remote>
  void for_updates(Word& x, std::size_t n, const OnNode& on_node, const Remote& remote) {
    const Distribution distribution = _distribution;
    Word* const* const parts = _parts.data();
    Word current = x;
    for (std::size_t i = 0; i < n; ++i) {
      current = next(current);
      const std::uint64_t index = current & distribution.mask;
      const int owner = distribution.owner(index);
      if (Word* const part = parts[owner]) [[likely]] {
        on_node(part[index - static_cast<std::uint64_t>(owner) * distribution.block], current);
      } else {
        remote(static_cast<Index>(index), current);
      }
    }
    x = current;
  }

  Distribution _distribution;
  Table _table;
  std::vector<Word*> _parts;
};

/// Each update is an atomic operation on its word, which is a processor's instruction on the node, and
/// one of up to 1024 messages on their way to other nodes.
class AtomicUpdater final : public DashUpdater {
 public:
  using DashUpdater::DashUpdater;

  void run(const Share& share, kernels::Stopwatch& communication) override {
    communication.time([&] {
      Word x = element(share.begin);
      for (std::uint64_t done = 0; done < share.size; done += look_ahead) {
        const std::size_t n = updates_in_batch(share, done, look_ahead);
        for_updates(
            x, n,
            [](Word& word, Word update) {
              std::atomic_ref<Word>(word).fetch_xor(update, std::memory_order_relaxed);
            },
            [&](Index index, Word update) {
              const dash::GlobRef<dash::Atomic<Word>> word(_table[index]);
              dash::GlobAsyncRef<dash::Atomic<Word>>(word).op(dash::bit_xor<Word>(), update);
            });
        _table.flush();
      }
    });
  }
};

/// Words are read, changed and written: updates of one word by two units at a time get lost, and the
/// longer it takes from reading to writing, the more.
class GetPutUpdater final : public DashUpdater {
 public:
  using DashUpdater::DashUpdater;

  void run(const Share& share, kernels::Stopwatch& communication) override {
    communication.time([&] {
      Word x = element(share.begin);
      for (std::uint64_t done = 0; done < share.size; done += puts_under_way) {
        const std::size_t n = updates_in_batch(share, done, puts_under_way);
        std::size_t sent = 0;
        for_updates(
            x, n,
            [](Word& here, Word update) {
              const std::atomic_ref<Word> word(here);
              word.store(word.load(std::memory_order_relaxed) ^ update, std::memory_order_relaxed);
            },
            [&](Index index, Word update) {
              _words[sent] = _table[index] ^ update;
              // Completed by the flush.
              _table.async[index].set(&_words[sent++]);
            });
        if (sent > 0) _table.flush();
      }
    });
  }

 private:
  /// A word that is on its way is read as it was.
  static constexpr std::size_t puts_under_way = 8;

  std::array<Word, puts_under_way> _words{};
};

/// Owners get updates by the batch, into a place that they have for each batch of each unit, and are
/// told by a signal.
///
/// In round r a unit sends its batch of r, then applies those of r - 1 of all others. So when it sends
/// that of r, others have sent theirs of r - 1, and had applied those of r - 3 before: the place of
/// r - 4 is free, without anybody saying so.
class BucketedUpdater final : public DashUpdater {
 public:
  explicit BucketedUpdater(const Distribution& distribution)
      : DashUpdater(distribution),
        _inbox(static_cast<std::size_t>(distribution.units) * size_of_inbox()),
        _inboxes(kernels::parts_on_node(_inbox)),
        _arrived(static_cast<std::size_t>(distribution.units)),
        _buckets{Buckets(distribution.units), Buckets(distribution.units)} {
    for (int unit = 0; unit < distribution.units; ++unit) {
      _told.push_back(
          _arrived(dash::team_unit_t(unit), static_cast<std::size_t>(distribution.unit)));
    }
  }

  void run(const Share& share, kernels::Stopwatch& communication) override {
    Word x = element(share.begin);
    const std::uint32_t begin = _round;
    for (std::uint64_t done = 0; done < share.largest; done += batch) {
      buckets(_round).generate(x, updates_in_batch(share, done, batch), _distribution);
      communication.time([&] { send(); });
      apply(buckets(_round).message(_distribution.unit).data(), _distribution, _table.lbegin());
      if (_round != begin) receive(_round - 1, communication);
      ++_round;
    }
    receive(_round - 1, communication);
    communication.time([&] {
      for (auto& sent : _sent)
        wait_for(sent);
    });
  }

 private:
  using Sent = std::vector<dash::Future<Table::iterator>>;

  std::size_t size_of_inbox() const {
    return static_cast<std::size_t>(_distribution.units) * batches_under_way *
           Buckets::message_size;
  }
  /// Of a batch from a unit, in an inbox.
  static std::size_t place(int from, std::uint32_t round) {
    return (static_cast<std::size_t>(from) * batches_under_way + round % batches_under_way) *
           Buckets::message_size;
  }
  Buckets& buckets(std::uint32_t round) { return _buckets[round % 2]; }

  template <class F>
  void for_others(const F& f) const {
    for (int distance = 1; distance < _distribution.units; ++distance)
      f((_distribution.unit + distance) % _distribution.units);
  }

  static void wait_for(Sent& sent) {
    for (auto& each : sent)
      each.get();
    sent.clear();
  }

  void send() {
    Sent& sent = _sent[_round % 2];
    for_others([&](int to) {
      const auto message = buckets(_round).message(to);
      const auto& signal = _told[static_cast<std::size_t>(to)];
      if (Word* const inbox = _inboxes[static_cast<std::size_t>(to)]) {
        std::copy(message.begin(), message.end(), inbox + place(_distribution.unit, _round));
        signal.set(_round + 1);
        return;
      }
      const auto begin =
          static_cast<std::size_t>(to) * size_of_inbox() + place(_distribution.unit, _round);
      sent.push_back(dash::put_signal_async(message.data(), message.data() + message.size(),
                                            _inbox.begin() + static_cast<Index>(begin), signal,
                                            _round + 1));
    });
    // The other buckets are the next to be filled.
    wait_for(_sent[(_round + 1) % 2]);
  }

  void receive(std::uint32_t round, kernels::Stopwatch& communication) {
    communication.time([&] {
      for_others([&](int from) {
        const auto signal = _arrived[static_cast<std::size_t>(from)];
        // Mostly it is there.
        if (signal.value() - (round + 1) > std::numeric_limits<dash::signal_t>::max() / 2)
          signal.wait_until(round + 1);
      });
    });
    for_others([&](int from) {
      apply(_inbox.lbegin() + place(from, round), _distribution, _table.lbegin());
    });
  }

  Table _inbox;
  std::vector<Word*> _inboxes;
  dash::SignalArray _arrived;
  std::vector<dash::GlobSignal> _told;  // of the other units, by the caller
  std::array<Buckets, 2> _buckets;
  std::array<Sent, 2> _sent;
  std::uint32_t _round = 0;
};

}  // namespace

std::unique_ptr<Updater> make_dash_updater(const Distribution& distribution,
                                           const std::string& /*via*/, const std::string& variant) {
  if (variant == "atomic") return std::make_unique<AtomicUpdater>(distribution);
  if (variant == "get-put") return std::make_unique<GetPutUpdater>(distribution);
  return std::make_unique<BucketedUpdater>(distribution);
}

}  // namespace random_access
