#include "dash/algorithm/internal/sort/MergeSort.h"

#include <algorithm>
#include <cstring>
#include <utility>

#include "dash/algorithm/internal/call/ScratchBytes.h"
#include "dash/algorithm/internal/call/Tasks.h"

namespace dash::internal {

namespace {

/// Minimum numbers of elements that amortize the cost of a task: for sorting and for merging.
constexpr std::size_t min_sorted = std::size_t{1} << 13;
constexpr std::size_t min_merged = 4096;

class Merger {
 public:
  Merger(std::vector<std::size_t> bounds, const SortKernel& kernel, int workers)
      : _bounds(std::move(bounds)), _kernel(kernel), _workers(workers) {}

  std::byte* merge(std::byte* from, std::byte* other) {
    while (_bounds.size() > 2) {
      merge_pairs(from, other);
      std::swap(from, other);
    }
    return from;
  }

 private:
  /// The elements begin ... end - 1 of the merged output of a pair of sequences.
  struct Segment {
    std::size_t pair;
    std::size_t begin;
    std::size_t end;
  };

  std::size_t bound(std::size_t i) const { return _bounds[std::min(i, _bounds.size() - 1)]; }

  void merge_pairs(const std::byte* from, std::byte* to) {
    const std::size_t total = _bounds.back() - _bounds.front();
    const std::size_t length =
        _workers > 1 ? std::max(total / (4 * static_cast<std::size_t>(_workers)), min_merged)
                     : total;
    std::vector<Segment> segments;
    std::vector<std::size_t> bounds;
    for (std::size_t pair = 0; pair + 1 < _bounds.size(); pair += 2) {
      const std::size_t size = bound(pair + 2) - bound(pair);
      for (std::size_t begin = 0; begin < size; begin += length)
        segments.push_back({pair, begin, std::min(begin + length, size)});
      bounds.push_back(bound(pair));
    }
    bounds.push_back(_bounds.back());
    run_tasks(segments.size(), _workers,
              [&](std::size_t i) { merge_segment(segments[i], from, to); });
    _bounds = std::move(bounds);
  }

  void merge_segment(const Segment& segment, const std::byte* from, std::byte* to) const {
    const std::size_t begin = bound(segment.pair);
    const std::size_t middle = bound(segment.pair + 1);
    const std::size_t nbytes = _kernel.element_size();
    _kernel.merge({from + begin * nbytes, middle - begin, from + middle * nbytes,
                   bound(segment.pair + 2) - middle, to + begin * nbytes},
                  segment.begin, segment.end);
  }

  std::vector<std::size_t> _bounds;
  const SortKernel& _kernel;
  int _workers;
};

}  // namespace

void* merge_sequences(std::vector<std::size_t> bounds, void* elements, void* other,
                      const SortKernel& kernel, int workers) {
  return Merger(std::move(bounds), kernel, workers)
      .merge(static_cast<std::byte*>(elements), static_cast<std::byte*>(other));
}

void copy_native(const void* from, std::size_t nbytes, void* to, int workers) {
  constexpr std::size_t length = std::size_t{1} << 20;
  run_tasks((nbytes + length - 1) / length, workers, [&](std::size_t i) {
    const std::size_t begin = i * length;
    std::memcpy(static_cast<std::byte*>(to) + begin, static_cast<const std::byte*>(from) + begin,
                std::min(length, nbytes - begin));
  });
}

void sort_native(void* elements, std::size_t size, const SortKernel& kernel, int workers) {
  const std::size_t parts =
      std::min<std::size_t>(static_cast<std::size_t>(workers), size / min_sorted);
  if (parts < 2) {
    kernel.sort(elements, size);
    return;
  }
  const std::size_t nbytes = kernel.element_size();
  std::vector<std::size_t> bounds(parts + 1);
  for (std::size_t i = 0; i <= parts; ++i)
    bounds[i] = size * i / parts;
  run_tasks(parts, workers, [&](std::size_t i) {
    kernel.sort(static_cast<std::byte*>(elements) + bounds[i] * nbytes, bounds[i + 1] - bounds[i]);
  });
  const ScratchBytes scratch(size * nbytes, kernel.alignment());
  const void* const result =
      merge_sequences(std::move(bounds), elements, scratch.data(), kernel, workers);
  if (result != elements) copy_native(result, size * nbytes, elements, workers);
}

}  // namespace dash::internal
