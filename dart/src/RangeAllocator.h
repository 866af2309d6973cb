#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>

namespace dash::dart {

/// Free and used parts of an address range, by arithmetic alone: it never touches the memory.
///
/// First fit by offset, so that units that do the same allocations choose the same offsets.
/// \threads one at a time
class RangeAllocator {
 public:
  RangeAllocator(std::uint64_t begin, std::uint64_t end);

  /// The lowest offset of at least `at_least` where `nbytes` (a multiple of the alignment) are free.
  /// Changes nothing.
  std::optional<std::uint64_t> find(std::uint64_t nbytes, std::uint64_t at_least) const;

  /// Takes [offset, offset + nbytes), which has to be free.
  void take(std::uint64_t offset, std::uint64_t nbytes);

  /// Gives back what was taken at `offset`.
  /// \returns its size; nothing, and no change, if nothing was taken there
  std::optional<std::uint64_t> release(std::uint64_t offset);

  /// Offsets from here on have never been taken: fresh memory of the system is zero there.
  std::uint64_t high_water() const noexcept { return _high_water; }

 private:
  std::map<std::uint64_t, std::uint64_t> _free;  // begin -> end, coalesced
  std::map<std::uint64_t, std::uint64_t> _used;  // begin -> size
  std::uint64_t _high_water;
};

}  // namespace dash::dart
