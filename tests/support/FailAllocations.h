#pragma once

/// \file
/// Replaces operator new by one that fails when the calling thread is told to. For one translation
/// unit of a program.

#include <cstddef>
#include <cstdlib>
#include <new>

namespace dash::test {

/// Allocations of this thread until one fails; 0: none does.
inline thread_local std::size_t allocations_left = 0;
/// Those of fewer bytes do not count.
inline thread_local std::size_t least_allocation = 0;

/// The n-th allocation of this thread from here on fails, while this lives; only that one.
/// \param least  bytes of the smallest one that counts
class FailAllocation {
 public:
  explicit FailAllocation(std::size_t n, std::size_t least = 0) {
    allocations_left = n;
    least_allocation = least;
  }
  ~FailAllocation() { allocations_left = 0; }
  FailAllocation(const FailAllocation&) = delete;
  FailAllocation& operator=(const FailAllocation&) = delete;

  bool has_failed() const { return allocations_left == 0; }
};

inline bool allocation_fails(std::size_t nbytes) noexcept {
  return allocations_left != 0 && nbytes >= least_allocation && --allocations_left == 0;
}

}  // namespace dash::test

// Not inlined, where the compiler would take the pair of malloc and delete for a mistake.
[[gnu::noinline]] void* operator new(std::size_t nbytes) {
  void* const memory = dash::test::allocation_fails(nbytes) ? nullptr : std::malloc(nbytes);
  if (memory == nullptr) throw std::bad_alloc();
  return memory;
}
[[gnu::noinline]] void* operator new(std::size_t nbytes, const std::nothrow_t&) noexcept {
  return dash::test::allocation_fails(nbytes) ? nullptr : std::malloc(nbytes);
}
[[gnu::noinline]] void* operator new(std::size_t nbytes, std::align_val_t alignment) {
  void* const memory = dash::test::allocation_fails(nbytes)
                           ? nullptr
                           : std::aligned_alloc(static_cast<std::size_t>(alignment), nbytes);
  if (memory == nullptr) throw std::bad_alloc();
  return memory;
}
[[gnu::noinline]] void operator delete(void* memory) noexcept {
  std::free(memory);
}
[[gnu::noinline]] void operator delete(void* memory, std::size_t) noexcept {
  std::free(memory);
}
[[gnu::noinline]] void operator delete(void* memory, std::align_val_t) noexcept {
  std::free(memory);
}
[[gnu::noinline]] void operator delete(void* memory, std::size_t, std::align_val_t) noexcept {
  std::free(memory);
}
// The sanitizers' forms for arrays do not call those above.
[[gnu::noinline]] void* operator new[](std::size_t nbytes) {
  return operator new(nbytes);
}
[[gnu::noinline]] void* operator new[](std::size_t nbytes, const std::nothrow_t& tag) noexcept {
  return operator new(nbytes, tag);
}
[[gnu::noinline]] void* operator new[](std::size_t nbytes, std::align_val_t alignment) {
  return operator new(nbytes, alignment);
}
[[gnu::noinline]] void operator delete[](void* memory) noexcept {
  std::free(memory);
}
[[gnu::noinline]] void operator delete[](void* memory, std::size_t) noexcept {
  std::free(memory);
}
[[gnu::noinline]] void operator delete[](void* memory, std::align_val_t) noexcept {
  std::free(memory);
}
