#pragma once

#include <array>
#include <vector>

#include "Kernel.h"
#include "support/LargePages.h"

namespace random_access {

/// The words of a unit whose updates come in messages: no other unit accesses them.
using PrivateTable = std::vector<Word, kernels::LargePages<Word>>;

/// Owners get updates by the batch, one message a round from each unit.
///
/// In round r a unit sends its batch of r, then applies those of r - 1 of all others. So when it makes
/// that of r, it has those of r - 2 of others, who had applied those of r - 4 before they sent them:
/// the place of r - 4 is free, without anybody saying so.
class RoundsUpdater : public Updater {
 public:
  void run(const Share& share, kernels::Stopwatch& communication) final;

 protected:
  explicit RoundsUpdater(const Distribution& distribution);

  /// Before a batch is made.
  virtual void expect(std::size_t /*round*/) {}
  /// Where the message to another unit is made: in the caller's memory, or at once where it is to be.
  /// Free again after four rounds.
  virtual Word* outgoing(int to, std::size_t round) = 0;
  /// Starts to send them.
  virtual void send(std::size_t round) = 0;
  /// Waits for the messages of a round.
  virtual void receive(std::size_t round) = 0;
  virtual const Word* incoming(int from, std::size_t round) const = 0;
  /// The last messages need not be kept any more.
  virtual void complete() {}

  /// Words of an inbox, or of an outbox: some places for messages of, or to, each unit.
  std::size_t box_size() const {
    return static_cast<std::size_t>(_distribution.units) * batches_under_way * message_stride;
  }
  /// Of a message in it.
  static std::size_t place(int unit, std::size_t round) {
    return (static_cast<std::size_t>(unit) * batches_under_way + round % batches_under_way) *
           message_stride;
  }
  template <class F>
  void for_others(const F& f) const {
    for (int distance = 1; distance < _distribution.units; ++distance)
      f((_distribution.unit + distance) % _distribution.units);
  }

  const Distribution _distribution;

 private:
  void generate_round(Word& x, std::size_t n);
  void apply_round(std::size_t round);

  std::array<Word, message_size> _own{};  // updates of own words
  std::vector<Word*> _messages;           // to each unit
  std::vector<Word*> _ends;
  std::size_t _round = 0;
};

}  // namespace random_access
