#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>

namespace dash::dart {

/// The number and the size of the slabs of a heap. It decides when a slab is removed, and how large the next one is, so
/// that a unit registers little memory in few windows.
///
/// The decisions depend only on values that are equal on all units. docs/decisions/019-registered-memory.md derives them.
struct SlabPolicy {
  /// Each slab has a window. MPI has about 2,000 windows and communicators, which the application needs, too.
  static constexpr std::size_t max_slabs = 16;
  /// Empty slabs are kept up to this size of all slabs, because creating a window takes time.
  static constexpr std::uint64_t kept_bytes = 256 * 1024 * 1024;

  std::uint64_t nbytes = 0;  // of all slabs
  std::size_t num_slabs = 0;

  /// The size of all slabs that is not exceeded unless the slabs are fragmented.
  /// \param peak  largest memory in blocks of the slabs at a time
  static std::uint64_t limit(std::uint64_t peak) noexcept;

  /// Whether empty slabs are removed at an allocation.
  /// \param in_use  memory in blocks of the slabs, including the block that is allocated
  bool has_surplus(std::uint64_t in_use) const noexcept;
  /// Whether empty slabs are removed before a slab for a block is added.
  /// \param peak  includes the block
  bool must_shrink(std::uint64_t needed, std::uint64_t peak) const noexcept;

  struct NextSlab {
    std::uint64_t wanted;
    std::uint64_t least;  // if there is no space for the wanted size
  };
  /// The size of a further slab for a block of `needed` bytes.
  /// \param page  all sizes are multiples of it
  /// \param peak  includes the block
  /// \returns nothing if there are enough slabs
  std::optional<NextSlab> next(std::uint64_t needed, std::uint64_t peak,
                               std::uint64_t page) const noexcept;
};

}  // namespace dash::dart
