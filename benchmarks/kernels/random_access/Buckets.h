#pragma once

#include <algorithm>
#include <cstddef>
#include <span>

#include "Stream.h"

namespace random_access {

/// Distribution of the table of 2^m words in blocks of equal size, except the last ones. The block
/// of unit u begins at u * block.
struct Distribution {
  Distribution(unsigned log2_size, int num_units, int own_unit);

  std::uint64_t size;
  std::uint64_t mask;
  int units;
  int unit;
  std::uint64_t block;
  /// The block of the calling unit.
  std::uint64_t first;
  std::uint64_t local_size;

  int owner(std::uint64_t index) const {
    if (_shift >= 0) return static_cast<int>(index >> _shift);
    // For numbers below 2^53 the computed quotient is wrong by at most one.
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

/// The share of a unit in the updates of the stream.
struct Share {
  std::uint64_t begin = 0;  // the first update is x_(begin + 1)
  std::uint64_t size = 0;
  std::uint64_t largest = 0;  // size of the largest share of all units

  Share(std::uint64_t updates, int units, int unit);
};

/// Maximum number of updates that are generated but not yet applied, a rule of the benchmark.
inline constexpr std::size_t look_ahead = 1024;
/// Maximum number of batches in flight if units send buckets to each other: one is being generated,
/// one is being sent, and the receiver may be two batches behind.
inline constexpr std::size_t batches_in_flight = 4;
inline constexpr std::size_t batch_size = look_ahead / batches_in_flight;

/// Maximum length of a message in words: the number of updates, then the updates.
inline constexpr std::size_t message_size = batch_size + 1;
/// Distance of messages in memory, in words: whole cache lines.
inline constexpr std::size_t message_stride = (message_size + 7) / 8 * 8;

/// The number of updates in the next batch, at most `max`, after `done` updates.
inline std::size_t updates_in_batch(const Share& share, std::uint64_t done, std::size_t max) {
  return done >= share.size ? 0 : std::min<std::uint64_t>(max, share.size - done);
}

/// Calls f for the n updates after x, and advances x.
template <class F>
void for_updates(Word& x, std::size_t n, const F& f) {
  Word current = x;
  for (std::size_t i = 0; i < n; ++i) {
    current = next(current);
    f(current);
  }
  x = current;
}

/// The number of words that are read before they are written in batches of `get-put`, at most 1024.
/// An update is lost if its word is read twice in a batch. With uniformly distributed words that
/// happens for one of 2000 words, but the stream begins with elements of few bits and thus repeats
/// some words.
std::size_t get_put_batch_size(const Distribution& distribution);

/// Generates the n updates after x, advances x, and appends each update to the message for the
/// owner of its word.
/// \param messages  by unit: a buffer of message_size words
/// \param ends      scratch memory of the same length
void generate(Word& x, std::size_t n, const Distribution& distribution,
              std::span<Word* const> messages, std::span<Word*> ends);

/// Applies the updates of a message to the caller's words.
inline void apply(const Word* message, const Distribution& distribution, Word* local) {
  for (const Word x : std::span<const Word>(message + 1, *message))
    local[(x & distribution.mask) - distribution.first] ^= x;
}

}  // namespace random_access
