#pragma once

#include <algorithm>
#include <cstddef>
#include <functional>
#include <utility>
#include <vector>

#include "dash/algorithm/internal/Tasks.h"

namespace dash::internal {

/// Merges [a, a_end) and [b, b_end), of equal elements those of a first.
///
/// Of the output, one of the two may be the end: what is left of it stays behind what is written.
/// Which of the two comes next is no branch: it cannot be predicted, and a miss costs more than the
/// rest.
template <class T, class Compare>
void merge_forward(const T* a, const T* a_end, const T* b, const T* b_end, T* out,
                   Compare& before) {
  while (a != a_end && b != b_end) {
    const bool take_b = before(*b, *a);
    const T* const next = take_b ? b : a;
    *out++ = *next;
    a += take_b ? 0 : 1;
    b += take_b ? 1 : 0;
  }
  if (a != out) out = std::copy(a, a_end, out);
  if (b != out) std::copy(b, b_end, out);
}

/// How many of the first `rank` elements of the merge of two sorted sequences are from the first.
/// \see Odeh, Green, Mwassi, Shmueli, Birk, Merge Path: Parallel Merging Made Simple, 2012
template <class T, class Compare>
std::size_t merge_split(const T* a, std::size_t a_size, const T* b, std::size_t b_size,
                        std::size_t rank, Compare& before) {
  std::size_t low = rank > b_size ? rank - b_size : 0;
  std::size_t high = std::min(rank, a_size);
  while (low < high) {
    const std::size_t middle = low + (high - low) / 2;
    if (before(b[rank - 1 - middle], a[middle])) {
      high = middle;
    } else {
      low = middle + 1;
    }
  }
  return low;
}

/// Sorted sequences that follow each other in memory, merged two by two by all workers.
template <class T, class Compare>
class Merger {
 public:
  /// \param bounds  where the sequences begin, and where the last one ends
  Merger(std::vector<std::size_t> bounds, const Compare& before, int workers)
      : _bounds(std::move(bounds)), _before(before), _workers(workers) {}

  /// \param from   the sequences
  /// \param other  as much memory
  /// \returns which of the two has the result
  /// \cost so many passes as the number of sequences has binary digits, less one for powers of two
  T* merge(T* from, T* other) {
    while (_bounds.size() > 2) {
      merge_pairs(from, other);
      std::swap(from, other);
    }
    return from;
  }

 private:
  /// The elements number begin ... end - 1 of the merge of a pair.
  struct Piece {
    std::size_t pair;
    std::size_t begin;
    std::size_t end;
  };

  std::size_t bound(std::size_t i) const { return _bounds[std::min(i, _bounds.size() - 1)]; }

  void merge_pairs(const T* from, T* to) {
    const std::size_t total = _bounds.back() - _bounds.front();
    constexpr std::size_t least = 4096;
    const std::size_t length =
        _workers > 1 ? std::max(total / (4 * static_cast<std::size_t>(_workers)), least) : total;
    std::vector<Piece> pieces;
    std::vector<std::size_t> bounds;
    for (std::size_t pair = 0; pair + 1 < _bounds.size(); pair += 2) {
      const std::size_t size = bound(pair + 2) - bound(pair);
      for (std::size_t begin = 0; begin < size; begin += length)
        pieces.push_back({pair, begin, std::min(begin + length, size)});
      bounds.push_back(bound(pair));
    }
    bounds.push_back(_bounds.back());
    run_tasks(pieces.size(), _workers, [&](std::size_t i) { merge_piece(pieces[i], from, to); });
    _bounds = std::move(bounds);
  }

  void merge_piece(const Piece& piece, const T* from, T* to) const {
    Compare before = _before;  // a copy for each piece: it may have a state
    const std::size_t a_begin = bound(piece.pair);
    const std::size_t b_begin = bound(piece.pair + 1);
    const std::size_t a_size = b_begin - a_begin;
    const std::size_t b_size = bound(piece.pair + 2) - b_begin;
    const T* const a = from + a_begin;
    const T* const b = from + b_begin;
    const std::size_t first = merge_split(a, a_size, b, b_size, piece.begin, before);
    const std::size_t last = merge_split(a, a_size, b, b_size, piece.end, before);
    merge_forward(a + first, a + last, b + (piece.begin - first), b + (piece.end - last),
                  to + a_begin + piece.begin, before);
  }

  std::vector<std::size_t> _bounds;
  Compare _before;
  int _workers;
};

/// Copies native memory by all workers. The ranges must not overlap.
template <class T>
void copy_elements(const T* from, std::size_t size, T* to, int workers) {
  constexpr std::size_t length = std::max<std::size_t>((std::size_t{1} << 20) / sizeof(T), 1);
  run_tasks((size + length - 1) / length, workers, [&](std::size_t i) {
    const std::size_t begin = i * length;
    std::copy(from + begin, from + std::min(begin + length, size), to + begin);
  });
}

/// Sorts native memory by all workers: each a part, which are merged then.
/// \param stable  whether equal elements keep their order
/// \cost with several workers, and to be stable, as much memory again
template <class T, class Compare>
void sort_native(T* data, std::size_t size, const Compare& before, bool stable, int workers) {
  const auto sort = [&](std::size_t begin, std::size_t end) {
    Compare own = before;
    if (stable) {
      std::stable_sort(data + begin, data + end, std::ref(own));
    } else {
      std::sort(data + begin, data + end, std::ref(own));
    }
  };
  constexpr std::size_t least = std::size_t{1} << 13;
  const std::size_t parts = std::min<std::size_t>(static_cast<std::size_t>(workers), size / least);
  if (parts < 2) {
    sort(0, size);
    return;
  }
  std::vector<std::size_t> bounds(parts + 1);
  for (std::size_t i = 0; i <= parts; ++i)
    bounds[i] = size * i / parts;
  run_tasks(parts, workers, [&](std::size_t i) { sort(bounds[i], bounds[i + 1]); });
  const Scratch<T> scratch(size);
  Merger<T, Compare> merger(std::move(bounds), before, workers);
  const T* const result = merger.merge(data, scratch.data());
  if (result != data) copy_elements(result, size, data, workers);
}

}  // namespace dash::internal
