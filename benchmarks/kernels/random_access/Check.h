#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>

#include "Buckets.h"
#include "support/World.h"

namespace random_access {

/// Characteristic values of a table, which are compared with known ones.
struct Fingerprint {
  Word bits = 0;  // xor of all words
  Word sum = 0;
  Word second = 0;              // T[1]
  Word last = 0;                // T[N - 1]
  std::uint64_t unchanged = 0;  // number of words with T[i] == i

  bool operator==(const Fingerprint&) const = default;
};

/// \collective
Fingerprint fingerprint_of(kernels::World& world, const Distribution& distribution,
                           std::span<const Word> local);

/// The known fingerprint after 4 * 2^m updates without losses; empty if it is not known for this
/// size.
std::optional<Fingerprint> known_fingerprint(unsigned log2_size);

/// Undoes all updates without communication and without losses: each unit generates the whole
/// stream and applies the updates of its local words.
void undo(const Distribution& distribution, std::uint64_t updates, std::span<Word> local);

/// The number of words that differ from their initial values, after undo(). \collective
std::uint64_t count_errors(kernels::World& world, const Distribution& distribution,
                           std::span<const Word> local);

/// Formats a fingerprint: "xor 0x..., sum 0x..., ..."
std::string text_of(const Fingerprint& fingerprint);

}  // namespace random_access
