#pragma once

#include <sys/mman.h>

#include <cstddef>
#include <new>

namespace kernels {

/// An allocator of memory in pages of 2 MiB, where the system provides them, for arrays with random
/// access. With small pages the time depends on the physical pages that a process happens to get,
/// especially in a virtual machine.
template <class T>
struct LargePages {
  using value_type = T;
  static constexpr std::size_t page = std::size_t{2} << 20;

  LargePages() = default;
  template <class U>
  LargePages(const LargePages<U>&) noexcept {}

  T* allocate(std::size_t count) {
    const std::size_t nbytes = (count * sizeof(T) + page - 1) / page * page;
    void* const memory = ::operator new(nbytes, std::align_val_t(page));
    ::madvise(memory, nbytes, MADV_HUGEPAGE);  // a hint
    return static_cast<T*>(memory);
  }
  void deallocate(T* memory, std::size_t) noexcept {
    ::operator delete(memory, std::align_val_t(page));
  }

  bool operator==(const LargePages&) const = default;
};

}  // namespace kernels
