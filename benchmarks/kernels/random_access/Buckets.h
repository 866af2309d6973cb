#pragma once

#include <algorithm>
#include <cstddef>
#include <span>

#include "Stream.h"

namespace random_access {

/// The table of 2^m words in blocks of equal size, but for the last ones: block of unit u begins at
/// u * block.
struct Distribution {
  Distribution(unsigned log2_size, int num_units, int own_unit);

  std::uint64_t size;
  std::uint64_t mask;
  int units;
  int unit;
  std::uint64_t block;
  /// Of the calling unit.
  std::uint64_t first;
  std::uint64_t local_size;

  int owner(std::uint64_t index) const {
    if (_shift >= 0) return static_cast<int>(index >> _shift);
    // The quotient of numbers below 2^53 is off by one at most.
    auto quotient = static_cast<std::uint64_t>(static_cast<double>(index) * _inverse);
    if (quotient * block > index) {
      --quotient;
    } else if ((quotient + 1) * block <= index) {
      ++quotient;
    }
    return static_cast<int>(quotient);
  }

 private:
  int _shift = -1;
  double _inverse = 0;
};

/// The updates of the stream that are a unit's to make.
struct Share {
  std::uint64_t begin = 0;  // before x_(begin + 1)
  std::uint64_t size = 0;
  std::uint64_t largest = 0;  // of all units

  Share(std::uint64_t updates, int units, int unit);
};

/// At most so many updates are generated and not applied yet, by the rules of the benchmark.
inline constexpr std::size_t look_ahead = 1024;
/// Batches that are under way at once where units send each other buckets: one is made, one is on its
/// way, and the receiver may be two behind.
inline constexpr std::size_t batches_under_way = 4;
inline constexpr std::size_t batch = look_ahead / batches_under_way;

/// Words of a message at most: their number, then the updates.
inline constexpr std::size_t message_size = batch + 1;
/// Words from one message to the next in memory: whole cache lines.
inline constexpr std::size_t message_stride = (message_size + 7) / 8 * 8;

/// How many updates are left after `done` of them, `most` at most.
inline std::size_t updates_in_batch(const Share& share, std::uint64_t done, std::size_t most) {
  return done >= share.size ? 0 : std::min<std::uint64_t>(most, share.size - done);
}

/// Calls f(x) for n updates after x, which goes along.
template <class F>
void for_updates(Word& x, std::size_t n, const F& f) {
  Word current = x;
  for (std::size_t i = 0; i < n; ++i) {
    current = next(current);
    f(current);
  }
  x = current;
}

/// How many words are read before they are written where that is done by the batch, at most 1024. Updates of a
/// word that is read twice get lost, in one of 2000 words if all were alike; but the stream begins with
/// elements of few bits, and so comes back to some words again and again.
std::size_t reads_in_batch(const Distribution& distribution);

/// Generates `n` updates after x, which goes along, and writes each into the message to the unit that
/// owns its word.
/// \param messages  where they are to be, of each unit: message_size words
/// \param ends      as many, which are overwritten
void generate(Word& x, std::size_t n, const Distribution& distribution,
              std::span<Word* const> messages, std::span<Word*> ends);

/// Applies the updates of a message, which are of the caller's words.
inline void apply(const Word* message, const Distribution& distribution, Word* local) {
  for (const Word x : std::span<const Word>(message + 1, *message))
    local[(x & distribution.mask) - distribution.first] ^= x;
}

}  // namespace random_access
