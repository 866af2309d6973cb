#pragma once

/// \file
/// Replaces operator new by one that asks allocation_fails(nbytes, is_over_aligned), which whoever includes this has
/// defined before. For one translation unit of a program.

#include <cstddef>
#include <cstdlib>
#include <new>

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
  void* const memory = dash::test::allocation_fails(nbytes, true)
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
