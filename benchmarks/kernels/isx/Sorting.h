#pragma once

/// \file
/// The local computation on keys, which the DASH program and the baselines share.

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "Keys.h"
#include "support/LargePages.h"

namespace isx {

/// The fingerprint of a set of keys is the sum of those of its keys, modulo 2^64, in any order.
/// Different sets almost certainly have different fingerprints, even with the same number and sum
/// of keys.
std::uint64_t fingerprint(Key key);

/// Buckets of equal width, one for each unit.
class Buckets {
 public:
  Buckets(int count, std::uint32_t width)
      : _count(static_cast<std::size_t>(count)),
        _width(width),
        _inverse((std::uint64_t{1} << 32) / width) {}

  std::uint32_t width() const { return _width; }
  Key first_key(int bucket) const { return static_cast<Key>(bucket) * _width; }
  std::size_t of(Key key) const {
    // The estimate is at most one too small.
    const auto bucket = static_cast<std::uint32_t>(key * _inverse >> 32);
    return bucket + (key - bucket * _width >= _width ? 1 : 0);
  }

  /// \returns the begin of each bucket in the sorted order of buckets, and the end
  std::vector<std::uint64_t> begins(std::span<const Key> keys) const;
  /// Stores keys in the order of their buckets.
  void arrange(std::span<const Key> keys, std::span<const std::uint64_t> begins,
               std::span<Key> send_buffer) const;
  /// Fingerprints of the keys of each bucket.
  std::vector<std::uint64_t> fingerprints(std::span<const Key> keys) const;

 private:
  std::size_t _count;
  std::uint32_t _width;
  std::uint64_t _inverse;
};

/// Counting sort of the keys of one bucket.
class Counters {
 public:
  Counters(Key first, std::uint32_t width) : _first(first), _counts(width) {}

  void reset();
  void add(std::span<const Key> keys);

  std::uint64_t received() const { return _received; }
  /// Number of keys that do not belong to the bucket.
  std::uint64_t misplaced() const { return _misplaced; }
  /// Number of counted keys below `key`. \pre has(key)
  std::uint64_t below(Key key) const;
  bool has(Key key) const { return key - _first < _counts.size(); }

  struct Totals {
    std::uint64_t keys = 0;
    std::uint64_t fingerprint = 0;
  };
  /// Number and fingerprint of the keys that the counters represent.
  Totals totals() const;

 private:
  Key _first;
  std::vector<std::uint32_t, kernels::LargePages<std::uint32_t>> _counts;
  std::uint64_t _received = 0;
  std::uint64_t _misplaced = 0;
};

}  // namespace isx
