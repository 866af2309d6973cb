#include "transfer/CopyOnNode.h"

#include <functional>

#include "dash/core/CopyKernel.h"

namespace dash::dart {

bool is_overlapping(const void* a, const void* b, std::size_t nbytes) noexcept {
  const auto* const x = static_cast<const char*>(a);
  const auto* const y = static_cast<const char*>(b);
  return std::less<>()(x, y + nbytes) && std::less<>()(y, x + nbytes);
}

void copy_on_node_large(void* dest, const void* src, std::size_t nbytes) noexcept {
  if (is_overlapping(dest, src, nbytes)) {
    std::memmove(dest, src, nbytes);
  } else {
    core::copy_bytes(dest, src, nbytes);
  }
}

}  // namespace dash::dart
