#include "dash/algorithm/internal/sort/Selection.h"

#include <algorithm>
#include <bit>
#include <cstdint>
#include <optional>

#include "dash/internal/work/Collective.h"

namespace dash::internal {

namespace {

/// Of all units together: 1 MiB, which each has.
constexpr std::size_t most_listed = std::size_t{1} << 16;
/// What all units look at together of longer ones.
constexpr default_index_t window_bits = default_index_t{1} << 20;
constexpr default_index_t word_bits = 64;
constexpr std::size_t window_words = window_bits / word_bits;

struct Listed {
  default_index_t position;
  default_index_t count;
};

/// By a list of all runs. \param longest  number of runs of the unit that has most
void rank_by_list(Call& call, std::vector<SelectedRun>& runs, std::size_t longest) {
  std::vector<Listed> own;
  std::vector<Listed> all;
  call.prepare([&] {
    own.assign(longest, Listed{0, 0});
    all.resize(longest * call.size());
  });
  std::transform(runs.begin(), runs.end(), own.begin(), [](const SelectedRun& run) {
    return Listed{run.position, run.count};
  });
  call.allgather(own.data(), all.data(), longest * sizeof(Listed));
  std::sort(all.begin(), all.end(),
            [](const Listed& a, const Listed& b) { return a.position < b.position; });
  auto next = all.begin();
  default_index_t before = 0;
  for (SelectedRun& run : runs) {
    for (; next->position < run.position; ++next)
      before += next->count;
    run.rank = before;
  }
}

/// A bit for each position of a part of the range.
class Window {
 public:
  /// Begins the part behind the last one, of which nothing is selected.
  /// \param begin  its first position
  void move_to(default_index_t begin) {
    _begin = begin;
    std::fill(_own.begin(), _own.end(), 0);
  }

  /// Sets the bits of a run as if it had selected the first of its positions: so many of them are of
  /// one unit, and only their number matters.
  void set(const SelectedRun& run) {
    const auto first = std::max(run.position - _begin, default_index_t{0});
    const auto last = std::min(run.position + run.count - _begin, window_bits);
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

  /// Number of elements selected before a position of the window.
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
  default_index_t _before = 0;  // elements selected before it; after combine(), before its end
  std::vector<std::uint64_t> _own = std::vector<std::uint64_t>(window_words);
  std::vector<std::uint64_t> _bits = std::vector<std::uint64_t>(window_words);
  std::vector<default_index_t> _ranks = std::vector<default_index_t>(window_words);
};

void rank_by_bits(Call& call, std::vector<SelectedRun>& runs, default_index_t size) {
  std::optional<Window> window;
  call.prepare([&] { window.emplace(); });
  auto first = runs.begin();  // of those that reach into the window
  for (default_index_t begin = 0; begin < size; begin += window_bits) {
    const default_index_t end = begin + window_bits;
    const auto last = std::find_if(first, runs.end(),
                                   [end](const SelectedRun& run) { return run.position >= end; });
    window->move_to(begin);
    for (auto run = first; run != last; ++run)
      window->set(*run);
    window->combine(call.team());
    for (auto run = first; run != last; ++run) {
      if (run->position >= begin) run->rank = window->rank_of(run->position);
    }
    // Only the last run may go on behind the window.
    first = last != first && (last - 1)->position + (last - 1)->count > end ? last - 1 : last;
  }
}

}  // namespace

Selection rank_selected(Call& call, exec::FunctionRef<std::vector<SelectedRun>()> select,
                        default_index_t size) {
  struct Own {
    default_index_t nruns;
    default_index_t count;
  };
  Selection selection{{}, 0};
  std::vector<SelectedRun>& runs = selection.runs;
  const auto all = call.contribute<Own>([&]() -> std::optional<Own> {
    runs = select();
    std::sort(runs.begin(), runs.end(),
              [](const SelectedRun& a, const SelectedRun& b) { return a.position < b.position; });
    Own own{static_cast<default_index_t>(runs.size()), 0};
    for (const SelectedRun& run : runs)
      own.count += run.count;
    return own;
  });
  std::size_t longest = 0;
  for (std::size_t unit = 0; unit < all.size(); ++unit) {
    longest = std::max(longest, static_cast<std::size_t>(all[unit].nruns));
    selection.total += all[unit].count;
  }
  if (longest == 0) return selection;
  if (longest * all.size() <= most_listed) {
    rank_by_list(call, runs, longest);
  } else {
    rank_by_bits(call, runs, size);
  }
  return selection;
}

}  // namespace dash::internal
