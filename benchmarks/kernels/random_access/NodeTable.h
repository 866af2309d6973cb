#pragma once

#include <cstddef>
#include <vector>

#include "Buckets.h"

namespace random_access {

/// Access to the table by processor instructions, for a unit that shares memory with all owners.
class NodeTable {
 public:
  /// \param blocks  by unit: address of its block in this process; null on another node and for
  ///                units without words
  NodeTable(const Distribution& distribution, std::vector<Word*> blocks);

  /// Whether all words are accessible. If not, the other functions must not be called.
  bool is_whole() const { return _is_whole; }

  /// Makes the n updates after x with atomic operations, and advances x.
  void update_atomically(Word& x, std::size_t n) const;
  /// Like update_atomically, but with a load and a store: an update by another unit in between gets
  /// lost.
  void load_and_store(Word& x, std::size_t n) const;

 private:
  Word& word_of(Word x) const {
    const std::uint64_t index = x & _distribution.mask;
    const auto owner = static_cast<std::size_t>(_distribution.owner(index));
    return _blocks[owner][index - owner * _distribution.block];
  }

  Distribution _distribution;
  std::vector<Word*> _blocks;
  bool _is_whole = true;
};

}  // namespace random_access
