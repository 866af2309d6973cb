#pragma once

#include <cstddef>
#include <vector>

#include "Buckets.h"

namespace random_access {

/// The table as a unit sees it whose processor reaches all of its parts.
class NodeTable {
 public:
  /// \param parts  of all units, where they are in this process: null for those out of reach, and for
  ///               units without words
  NodeTable(const Distribution& distribution, std::vector<Word*> parts);

  /// Whether no part with words is out of reach. If not, nothing else may be called.
  bool is_whole() const { return _is_whole; }

  /// Makes `n` updates after x, which goes along, by an atomic operation each.
  void update_atomically(Word& x, std::size_t n) const;
  /// As update_atomically, but by a load and a store: another unit's update in between gets lost.
  void load_and_store(Word& x, std::size_t n) const;

 private:
  Word& word_of(Word x) const {
    const std::uint64_t index = x & _distribution.mask;
    const auto owner = static_cast<std::size_t>(_distribution.owner(index));
    return _parts[owner][index - owner * _distribution.block];
  }

  Distribution _distribution;
  std::vector<Word*> _parts;
  bool _is_whole = true;
};

}  // namespace random_access
