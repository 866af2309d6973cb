#include "Sorting.h"

#include <algorithm>
#include <numeric>

namespace isx {

std::vector<std::uint64_t> Buckets::begins(std::span<const Key> keys) const {
  std::vector<std::uint64_t> begins(_count + 1, 0);
  for (const Key key : keys)
    ++begins[of(key) + 1];
  std::partial_sum(begins.begin(), begins.end(), begins.begin());
  return begins;
}

void Buckets::arrange(std::span<const Key> keys, std::span<const std::uint64_t> begins,
                      std::span<Key> send_buffer) const {
  std::vector<std::uint64_t> next(begins.begin(), begins.end() - 1);
  for (const Key key : keys)
    send_buffer[next[of(key)]++] = key;
}

std::uint64_t fingerprint(Key key) {
  // The finalizer of SplitMix64.
  std::uint64_t mixed = (std::uint64_t{key} + 1) * 0x9e3779b97f4a7c15U;
  mixed = (mixed ^ (mixed >> 30)) * 0xbf58476d1ce4e5b9U;
  mixed = (mixed ^ (mixed >> 27)) * 0x94d049bb133111ebU;
  return mixed ^ (mixed >> 31);
}

std::vector<std::uint64_t> Buckets::fingerprints(std::span<const Key> keys) const {
  std::vector<std::uint64_t> fingerprints(_count, 0);
  for (const Key key : keys)
    fingerprints[of(key)] += fingerprint(key);
  return fingerprints;
}

void Counters::reset() {
  std::fill(_counts.begin(), _counts.end(), 0);
  _received = 0;
  _misplaced = 0;
}

void Counters::add(std::span<const Key> keys) {
  const std::size_t width = _counts.size();
  std::uint64_t misplaced = 0;
  for (const Key key : keys) {
    const Key index = key - _first;
    if (index < width) {
      ++_counts[index];
    } else {
      ++misplaced;
    }
  }
  _received += keys.size();
  _misplaced += misplaced;
}

std::uint64_t Counters::below(Key key) const {
  const auto end = _counts.begin() + static_cast<std::ptrdiff_t>(key - _first);
  return std::accumulate(_counts.begin(), end, std::uint64_t{0});
}

Counters::Totals Counters::totals() const {
  Totals totals;
  Key key = _first;
  for (const std::uint64_t count : _counts) {
    totals.keys += count;
    totals.fingerprint += fingerprint(key++) * count;
  }
  return totals;
}

}  // namespace isx
