#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <utility>

namespace dash::dart {

/// Free and used parts of an address range. It computes with offsets only and never accesses the
/// memory.
///
/// Units that take and release the same ranges in the same order find the same offsets.
/// \threads externally synchronized
class RangeAllocator {
 public:
  RangeAllocator(std::uint64_t begin, std::uint64_t end);

  /// Offset of the smallest free range of at least `nbytes`; the lowest one among equals.
  /// \cost logarithmic
  std::optional<std::uint64_t> find_best(std::uint64_t nbytes) const;

  /// The lowest offset, not below `at_least`, where `nbytes` are free.
  /// \cost linear in the number of free ranges after `at_least`
  std::optional<std::uint64_t> find(std::uint64_t nbytes, std::uint64_t at_least) const;

  /// Takes [offset, offset + nbytes), which has to be free.
  void take(std::uint64_t offset, std::uint64_t nbytes);

  /// Releases the range that was taken at `offset`.
  /// \returns its size; nothing, without a change, if no range was taken there
  std::optional<std::uint64_t> release(std::uint64_t offset);

  /// Offsets from here on have never been taken, so memory there is still zero.
  std::uint64_t high_water() const noexcept { return _high_water; }

  /// Size of the range that was taken at `offset`; nothing if none was.
  std::optional<std::uint64_t> size_of_used(std::uint64_t offset) const;

  /// Number of ranges taken.
  std::size_t num_used() const noexcept { return _used.size(); }

 private:
  void add_free(std::uint64_t begin, std::uint64_t end);
  std::map<std::uint64_t, std::uint64_t>::iterator remove_free(
      std::map<std::uint64_t, std::uint64_t>::iterator range);

  std::map<std::uint64_t, std::uint64_t> _free;                     // begin -> end, coalesced
  std::set<std::pair<std::uint64_t, std::uint64_t>> _free_by_size;  // (size, begin)
  std::map<std::uint64_t, std::uint64_t> _used;                     // begin -> size
  std::uint64_t _high_water;
};

}  // namespace dash::dart
