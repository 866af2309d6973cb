#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <utility>

namespace dash::dart {

/// Free and used parts of an address range, by arithmetic alone: it never touches the memory.
///
/// Units that take and release the same things find the same places.
/// \threads one at a time
class RangeAllocator {
 public:
  RangeAllocator(std::uint64_t begin, std::uint64_t end);

  /// Where `nbytes` are free: in the smallest range that has them, the lowest of these.
  /// Changes nothing. \cost logarithmic
  std::optional<std::uint64_t> find_best(std::uint64_t nbytes) const;

  /// The lowest offset of at least `at_least` where `nbytes` are free. Changes nothing.
  /// \cost linear in the free ranges behind it
  std::optional<std::uint64_t> find(std::uint64_t nbytes, std::uint64_t at_least) const;

  /// Takes [offset, offset + nbytes), which has to be free.
  void take(std::uint64_t offset, std::uint64_t nbytes);

  /// Gives back what was taken at `offset`.
  /// \returns its size; nothing, and no change, if nothing was taken there
  std::optional<std::uint64_t> release(std::uint64_t offset);

  /// Offsets from here on have never been taken: fresh memory of the system is zero there.
  std::uint64_t high_water() const noexcept { return _high_water; }

  /// Ranges that are taken.
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
