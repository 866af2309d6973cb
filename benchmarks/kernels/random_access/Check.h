#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>

#include "Buckets.h"
#include "support/World.h"

namespace random_access {

/// What a table is told by.
struct Figures {
  Word bits = 0;  // the xor of all words
  Word sum = 0;
  Word second = 0;            // T[1]
  Word last = 0;              // T[N - 1]
  std::uint64_t at_rest = 0;  // how many T[i] == i

  bool operator==(const Figures&) const = default;
};

/// \collective
Figures figures_of(kernels::World& world, const Distribution& distribution,
                   std::span<const Word> local);

/// After the usual 4 * 2^m updates, none of them lost, where somebody has computed them.
std::optional<Figures> known_figures(unsigned log2_size);

/// Undoes all updates: each unit goes through the whole stream and applies what is its own, so that
/// no exchange is involved and none gets lost.
void undo(const Distribution& distribution, std::uint64_t updates, std::span<Word> local);

/// After that: how many words are not what they were at first. \collective
std::uint64_t count_errors(kernels::World& world, const Distribution& distribution,
                           std::span<const Word> local);

/// "xor 0x..., sum 0x..., ..."
std::string text_of(const Figures& figures);

}  // namespace random_access
