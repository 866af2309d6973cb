#pragma once

#include <cstddef>
#include <cstring>

namespace dash::dart {

/// Copies to or from memory of the node; the ranges may overlap. Sizes of single elements have a
/// case each, because a call of memmove would take longer than the access.
inline void copy_on_node(void* dest, const void* src, std::size_t nbytes) noexcept {
  switch (nbytes) {
    case 0:
      return;
    case 1:
      std::memcpy(dest, src, 1);
      return;
    case 2:
      std::memcpy(dest, src, 2);
      return;
    case 4:
      std::memcpy(dest, src, 4);
      return;
    case 8:
      std::memcpy(dest, src, 8);
      return;
    default:
      std::memmove(dest, src, nbytes);
  }
}

/// Whether two ranges of `nbytes` bytes have bytes in common.
bool is_overlapping(const void* a, const void* b, std::size_t nbytes) noexcept;

/// As copy_on_node(), with non-temporal stores where they are faster.
void copy_on_node_large(void* dest, const void* src, std::size_t nbytes) noexcept;

/// From this size on, the choice of the copy kernel saves more than the 15 ns it takes.
inline constexpr std::size_t large_copy = std::size_t{256} << 10;

/// The copy of a blocking transfer.
inline void copy_on_node_blocking(void* dest, const void* src, std::size_t nbytes) noexcept {
  if (nbytes < large_copy) {
    copy_on_node(dest, src, nbytes);
  } else {
    copy_on_node_large(dest, src, nbytes);
  }
}

}  // namespace dash::dart
