#pragma once

#include <cstddef>
#include <new>

#include "dash/core/Export.h"

namespace dash::core {

/// Base class whose derived classes allocate from memory pools: memory of deleted objects is reused, so the
/// heap is used only when the number of objects reaches a new maximum.
///
/// The pools for objects of up to 768 bytes keep their memory. The pool for objects of a page and a header
/// keeps a limited amount and returns the rest to the system. The pools live as long as the process: a handle
/// may outlive the runtime. Each thread keeps a small cache of free objects; the rest is shared, since an
/// operation may end on another thread than it began on. Under AddressSanitizer every object is a separate
/// allocation, so that a use after free is detected.
/// \threads thread-safe
/// \cost one heap allocation for 16 small objects, when their number reaches a new maximum
class DASH_API Pooled {
 public:
  /// Object size of the largest pool.
  static constexpr std::size_t large_bytes = 4096 + 64;

  static void* operator new(std::size_t nbytes);
  static void operator delete(void* memory, std::size_t nbytes) noexcept;

  // Over-aligned objects are not pooled.
  static void* operator new(std::size_t nbytes, std::align_val_t alignment) {
    return ::operator new(nbytes, alignment);
  }
  static void operator delete(void* memory, std::size_t /*nbytes*/,
                              std::align_val_t alignment) noexcept {
    // Unsized: clang provides sized deallocation only on request.
    ::operator delete(memory, alignment);
  }
};

}  // namespace dash::core
