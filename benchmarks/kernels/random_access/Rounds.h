#pragma once

#include <array>
#include <vector>

#include "Kernel.h"
#include "support/LargePages.h"

namespace random_access {

/// The words of a unit that receives updates in messages: no other unit accesses them.
using PrivateTable = std::vector<Word, kernels::LargePages<Word>>;

/// Sends batches of updates to their owners, one message per round to each unit.
///
/// In round r a unit sends its batch of round r and then applies those of round r - 1 of all other
/// units. When it generates the batch of round r, it has received those of round r - 2 of the other
/// units, which had applied those of round r - 4 before they sent them. So the buffers of round
/// r - 4 can be reused without a notification.
class RoundsUpdater : public Updater {
 public:
  void run(const Share& share, kernels::Stopwatch& communication) final;

 protected:
  explicit RoundsUpdater(const Distribution& distribution);

  /// Called before a batch is generated.
  virtual void prepare(std::size_t /*round*/) {}
  /// The buffer in which the message to another unit is generated: in the caller's memory, or
  /// directly in that of the receiver. It is reused after four rounds.
  virtual Word* outgoing(int to, std::size_t round) = 0;
  /// Starts sending the messages of a round.
  virtual void send(std::size_t round) = 0;
  /// Waits for the messages of a round.
  virtual void receive(std::size_t round) = 0;
  virtual const Word* incoming(int from, std::size_t round) const = 0;
  /// Completes all sends.
  virtual void complete() {}

  /// Size of a receive or send buffer in words: batches_in_flight messages from or to each unit.
  std::size_t buffer_size() const {
    return static_cast<std::size_t>(_distribution.units) * batches_in_flight * message_stride;
  }
  /// Offset of a message in a buffer.
  static std::size_t message_offset(int unit, std::size_t round) {
    return (static_cast<std::size_t>(unit) * batches_in_flight + round % batches_in_flight) *
           message_stride;
  }
  template <class F>
  void for_other_units(const F& f) const {
    for (int distance = 1; distance < _distribution.units; ++distance)
      f((_distribution.unit + distance) % _distribution.units);
  }

  const Distribution _distribution;

 private:
  void generate_round(Word& x, std::size_t n);
  void apply_round(std::size_t round);

  std::array<Word, message_size> _own{};  // updates of own words
  std::vector<Word*> _messages;           // by unit: the message to it
  std::vector<Word*> _ends;
  std::size_t _round = 0;
};

}  // namespace random_access
