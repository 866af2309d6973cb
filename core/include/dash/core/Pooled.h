#pragma once

#include <cstddef>
#include <new>

#include "dash/core/Export.h"

namespace dash::core {

/// Gives what derives from it memory that was used before: nothing is allocated once as many
/// objects have lived at a time.
///
/// There are pools for objects of up to 768 bytes, which keep their memory, and one for those of a
/// page and a header, which keeps some, and gives back what a burst used beyond it. The
/// pools are part of the process, as the heap is: a handle may outlive the runtime. A thread keeps
/// some of what it frees for itself; the rest is shared, since an operation may end on another
/// thread than it began on. Under AddressSanitizer every object is an allocation, so that a use
/// after its end is seen.
/// \threads any
/// \cost one allocation for 16 small objects, while there are more than ever before
class DASH_API Pooled {
 public:
  /// What the largest pool is for.
  static constexpr std::size_t large_bytes = 4096 + 64;

  static void* operator new(std::size_t nbytes);
  static void operator delete(void* memory, std::size_t nbytes) noexcept;

  // What wants a larger alignment than usual is allocated as if it did not derive from this.
  static void* operator new(std::size_t nbytes, std::align_val_t alignment) {
    return ::operator new(nbytes, alignment);
  }
  static void operator delete(void* memory, std::size_t /*nbytes*/,
                              std::align_val_t alignment) noexcept {
    // Not with the size: clang has that only on request.
    ::operator delete(memory, alignment);
  }
};

}  // namespace dash::core
