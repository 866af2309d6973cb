#pragma once

#include <cstddef>

namespace dash::dart {

/// Gives what derives from it memory that was used before: nothing is allocated once as many
/// objects have lived at a time, up to a limit; what a burst used beyond it is given back.
///
/// The pools are part of the process, as the heap is: a handle may outlive the runtime. A thread
/// keeps some of what it frees for itself; the rest is shared, since an operation may end on
/// another thread than it began on. Under AddressSanitizer every object is an allocation, so that a
/// use after its end is seen.
/// \threads any
class Pooled {
 public:
  static void* operator new(std::size_t nbytes);
  static void operator delete(void* memory, std::size_t nbytes) noexcept;
};

}  // namespace dash::dart
