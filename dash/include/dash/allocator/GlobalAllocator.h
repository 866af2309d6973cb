#pragma once

#include <cstddef>
#include <limits>

#include "dash/GlobPtr.h"
#include "dash/Types.h"
#include "dash/allocator/AllocatorTraits.h"
#include "dash/memory/GlobStaticMem.h"
#include "dash/memory/MemorySpace.h"

namespace dash {

/// Allocates elements of global memory, collectively or by the caller alone, depending on the
/// memory type.
/// \tparam GlobMemType  GlobStaticMem, GlobLocalMemoryPool or another type with allocate(nbytes,
///         alignment)
/// \threads as the memory
/// \ingroup memory
template <class T, class GlobMemType,
          global_allocation_policy allocation_policy = global_allocation_policy::collective,
          template <class> class LocalAlloc = allocator::DefaultAllocator>
class GlobalAllocator {
 public:
  using value_type = T;
  /// Type of the global memory.
  using memory_space_type = GlobMemType;
  /// The same.
  using memory_resource = GlobMemType;
  /// The same allocator for elements of type U.
  template <class U>
  using rebind = GlobalAllocator<U, GlobMemType, allocation_policy, LocalAlloc>;
  using size_type = default_size_t;
  using difference_type = gptrdiff_t;
  using pointer = GlobPtr<T, GlobMemType>;
  using const_pointer = GlobPtr<const T, GlobMemType>;
  /// Global pointer to memory without a type.
  using void_pointer = GlobPtr<void, GlobMemType>;
  /// Global pointer to memory without a type, for reading.
  using const_void_pointer = GlobPtr<const void, GlobMemType>;

  /// \param memory  must outlive the allocator
  explicit GlobalAllocator(GlobMemType* memory) noexcept : _memory(memory) {}

  /// \param nelem  number of elements of the caller
  /// \collective as the memory's allocate()
  /// \throws as the memory's allocate(), including for more elements than can be addressed
  pointer allocate(size_type nelem) {
    return pointer(_memory->allocate(bytes_of(nelem), alignof(T)));
  }
  /// \collective as the memory's deallocate()
  void deallocate(pointer first, size_type nelem) {
    if (first) _memory->deallocate(first, nelem * sizeof(T), alignof(T));
  }

  /// The global memory, which the allocator does not own.
  GlobMemType* resource() const noexcept { return _memory; }

  friend bool operator==(const GlobalAllocator& a, const GlobalAllocator& b) noexcept {
    return a._memory == b._memory;
  }

 private:
  /// On overflow returns the largest size, so that the memory rejects the request on all units.
  static constexpr std::size_t bytes_of(size_type nelem) noexcept {
    constexpr std::size_t most = std::numeric_limits<std::ptrdiff_t>::max();
    return nelem > most / sizeof(T) ? most : nelem * sizeof(T);
  }

  GlobMemType* _memory;
};

}  // namespace dash
