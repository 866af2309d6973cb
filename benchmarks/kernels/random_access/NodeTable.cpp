#include "NodeTable.h"

#include <atomic>
#include <utility>

namespace random_access {

NodeTable::NodeTable(const Distribution& distribution, std::vector<Word*> blocks)
    : _distribution(distribution), _blocks(std::move(blocks)) {
  for (std::size_t unit = 0; unit < _blocks.size(); ++unit) {
    const bool has_words = unit * distribution.block < distribution.size;
    if (has_words && _blocks[unit] == nullptr) _is_whole = false;
  }
}

void NodeTable::update_atomically(Word& x, std::size_t n) const {
  for_updates(x, n, [this](Word update) {
    std::atomic_ref<Word>(word_of(update)).fetch_xor(update, std::memory_order_relaxed);
  });
}

void NodeTable::load_and_store(Word& x, std::size_t n) const {
  for_updates(x, n, [this](Word update) {
    const std::atomic_ref<Word> word(word_of(update));
    word.store(word.load(std::memory_order_relaxed) ^ update, std::memory_order_relaxed);
  });
}

}  // namespace random_access
