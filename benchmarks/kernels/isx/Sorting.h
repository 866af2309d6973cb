#pragma once

/// \file
/// What a unit does with keys besides exchanging them: the same code for us and for the twins.

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "Keys.h"
#include "support/LargePages.h"

namespace isx {

/// That of several keys, in any order, is the sum modulo 2^64: other keys have another one, as good as
/// certainly, also where as many have the same sum.
std::uint64_t fingerprint(Key key);

/// Buckets of equally many values, one for each unit.
class Buckets {
 public:
  Buckets(int count, std::uint32_t width)
      : _count(static_cast<std::size_t>(count)),
        _width(width),
        _inverse((std::uint64_t{1} << 32) / width) {}

  std::uint32_t width() const { return _width; }
  Key first_key(int bucket) const { return static_cast<Key>(bucket) * _width; }
  std::size_t of(Key key) const {
    // One too few at the most.
    const auto bucket = static_cast<std::uint32_t>(key * _inverse >> 32);
    return bucket + (key - bucket * _width >= _width ? 1 : 0);
  }

  /// \returns where the keys of each bucket begin in their order, and their end
  std::vector<std::uint64_t> begins(std::span<const Key> keys) const;
  /// Puts keys in the order of their buckets.
  void arrange(std::span<const Key> keys, std::span<const std::uint64_t> begins,
               std::span<Key> room) const;
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
  /// Keys that do not belong to the bucket.
  std::uint64_t strays() const { return _strays; }
  /// Keys counted that are below `key`. \pre key is of the bucket
  std::uint64_t below(Key key) const;
  bool has(Key key) const { return key - _first < _counts.size(); }

  struct Totals {
    std::uint64_t keys = 0;
    std::uint64_t fingerprint = 0;
  };
  /// Of the sorted keys that the counters stand for.
  Totals totals() const;

 private:
  Key _first;
  std::vector<std::uint32_t, kernels::LargePages<std::uint32_t>> _counts;
  std::uint64_t _received = 0;
  std::uint64_t _strays = 0;
};

}  // namespace isx
