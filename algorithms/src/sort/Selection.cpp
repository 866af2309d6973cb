#include "dash/algorithm/internal/sort/Selection.h"

#include <algorithm>
#include <bit>
#include <cstdint>
#include <optional>

#include "dash/internal/team/Collective.h"

namespace dash::internal {

namespace {

/// Maximum number of gathered blocks of all units: 1 MiB on each unit.
constexpr std::size_t max_listed = std::size_t{1} << 16;
/// Number of positions per all-reduce if there are more blocks.
constexpr default_index_t window_bits = default_index_t{1} << 20;
constexpr default_index_t word_bits = 64;
constexpr std::size_t window_words = window_bits / word_bits;

struct PositionedCount {
  default_index_t position;
  default_index_t count;
};

/// Computes ranks from an all-gather of all blocks.
/// \param longest  largest number of blocks of a unit
void rank_by_list(Call& call, std::vector<SelectedBlock>& blocks, std::size_t longest) {
  std::vector<PositionedCount> own;
  std::vector<PositionedCount> all;
  call.prepare([&] {
    own.assign(longest, PositionedCount{0, 0});
    all.resize(longest * call.size());
  });
  std::transform(blocks.begin(), blocks.end(), own.begin(), [](const SelectedBlock& block) {
    return PositionedCount{block.position, block.count};
  });
  call.allgather(own.data(), all.data(), longest * sizeof(PositionedCount));
  std::sort(all.begin(), all.end(), [](const PositionedCount& a, const PositionedCount& b) {
    return a.position < b.position;
  });
  auto next = all.begin();
  default_index_t before = 0;
  for (SelectedBlock& block : blocks) {
    for (; next->position < block.position; ++next)
      before += next->count;
    block.rank = before;
  }
}

/// A bitmap of a window of the range, with one bit per position.
class Window {
 public:
  /// Moves to the next window and clears it.
  /// \param begin  first position of the window
  void move_to(default_index_t begin) {
    _begin = begin;
    std::fill(_own.begin(), _own.end(), 0);
  }

  /// Sets one bit per selected element, at the first positions of the block. The positions of a
  /// block belong to one unit, so only their number matters.
  void set(const SelectedBlock& block) {
    const auto first = std::max(block.position - _begin, default_index_t{0});
    const auto last = std::min(block.position + block.count - _begin, window_bits);
    for (default_index_t bit = first; bit < last; ++bit)
      _own[word_of(bit)] |= mask_of(bit);
  }

  void combine(const Team& team) {
    or_on_all(_own.data(), _bits.data(), window_words, team);
    default_index_t before = _before;
    for (std::size_t word = 0; word < window_words; ++word) {
      _ranks[word] = before;
      before += std::popcount(_bits[word]);
    }
    _before = before;
  }

  /// Number of selected elements at lower positions than a position of the window.
  default_index_t rank_of(default_index_t position) const {
    const default_index_t bit = position - _begin;
    return _ranks[word_of(bit)] + std::popcount(_bits[word_of(bit)] & (mask_of(bit) - 1));
  }

 private:
  static std::size_t word_of(default_index_t bit) {
    return static_cast<std::size_t>(bit / word_bits);
  }
  static std::uint64_t mask_of(default_index_t bit) {
    return std::uint64_t{1} << (bit % word_bits);
  }

  default_index_t _begin = 0;
  default_index_t _before =
      0;  // selected elements before the window; after combine(), before its end
  std::vector<std::uint64_t> _own = std::vector<std::uint64_t>(window_words);
  std::vector<std::uint64_t> _bits = std::vector<std::uint64_t>(window_words);
  std::vector<default_index_t> _ranks = std::vector<default_index_t>(window_words);
};

void rank_by_bits(Call& call, std::vector<SelectedBlock>& blocks, default_index_t size) {
  std::optional<Window> window;
  call.prepare([&] { window.emplace(); });
  auto first = blocks.begin();  // first block that overlaps the window
  for (default_index_t begin = 0; begin < size; begin += window_bits) {
    const default_index_t end = begin + window_bits;
    const auto last = std::find_if(
        first, blocks.end(), [end](const SelectedBlock& block) { return block.position >= end; });
    window->move_to(begin);
    for (auto block = first; block != last; ++block)
      window->set(*block);
    window->combine(call.team());
    for (auto block = first; block != last; ++block) {
      if (block->position >= begin) block->rank = window->rank_of(block->position);
    }
    // Only the last block may extend past the window.
    first = last != first && (last - 1)->position + (last - 1)->count > end ? last - 1 : last;
  }
}

}  // namespace

Selection rank_selected(Call& call, exec::FunctionRef<std::vector<SelectedBlock>()> select,
                        default_index_t size) {
  struct Own {
    default_index_t nblocks;
    default_index_t count;
  };
  Selection selection{{}, 0};
  std::vector<SelectedBlock>& blocks = selection.blocks;
  const auto all = call.contribute<Own>([&]() -> std::optional<Own> {
    blocks = select();
    std::sort(blocks.begin(), blocks.end(), [](const SelectedBlock& a, const SelectedBlock& b) {
      return a.position < b.position;
    });
    Own own{static_cast<default_index_t>(blocks.size()), 0};
    for (const SelectedBlock& block : blocks)
      own.count += block.count;
    return own;
  });
  std::size_t longest = 0;
  for (std::size_t unit = 0; unit < all.size(); ++unit) {
    longest = std::max(longest, static_cast<std::size_t>(all[unit].nblocks));
    selection.total += all[unit].count;
  }
  if (longest == 0) return selection;
  if (longest * all.size() <= max_listed) {
    rank_by_list(call, blocks, longest);
  } else {
    rank_by_bits(call, blocks, size);
  }
  return selection;
}

}  // namespace dash::internal
