#pragma once

/// \file
/// Replaces operator new by one that calls allocation_fails(nbytes, is_over_aligned), which the including
/// file must define first. Weak definitions, so that several translation units of a program may include it.

#include <cstddef>
#include <cstdlib>
#include <new>

// Not inlined: the compiler would otherwise warn about a mismatch of malloc and delete.
[[gnu::noinline, gnu::weak]] void* operator new(std::size_t nbytes) {
  void* const memory = dash::test::allocation_fails(nbytes) ? nullptr : std::malloc(nbytes);
  if (memory == nullptr) throw std::bad_alloc();
  return memory;
}
[[gnu::noinline, gnu::weak]] void* operator new(std::size_t nbytes,
                                                const std::nothrow_t&) noexcept {
  return dash::test::allocation_fails(nbytes) ? nullptr : std::malloc(nbytes);
}
[[gnu::noinline, gnu::weak]] void* operator new(std::size_t nbytes, std::align_val_t alignment) {
  void* const memory = dash::test::allocation_fails(nbytes, true)
                           ? nullptr
                           : std::aligned_alloc(static_cast<std::size_t>(alignment), nbytes);
  if (memory == nullptr) throw std::bad_alloc();
  return memory;
}
[[gnu::noinline, gnu::weak]] void operator delete(void* memory) noexcept {
  std::free(memory);
}
[[gnu::noinline, gnu::weak]] void operator delete(void* memory, std::size_t) noexcept {
  std::free(memory);
}
[[gnu::noinline, gnu::weak]] void operator delete(void* memory, std::align_val_t) noexcept {
  std::free(memory);
}
[[gnu::noinline, gnu::weak]] void operator delete(void* memory, std::size_t,
                                                  std::align_val_t) noexcept {
  std::free(memory);
}
// The array forms of the sanitizers do not call the functions above.
[[gnu::noinline, gnu::weak]] void* operator new[](std::size_t nbytes) {
  return operator new(nbytes);
}
[[gnu::noinline, gnu::weak]] void* operator new[](std::size_t nbytes,
                                                  const std::nothrow_t& tag) noexcept {
  return operator new(nbytes, tag);
}
[[gnu::noinline, gnu::weak]] void* operator new[](std::size_t nbytes, std::align_val_t alignment) {
  return operator new(nbytes, alignment);
}
[[gnu::noinline, gnu::weak]] void operator delete[](void* memory) noexcept {
  std::free(memory);
}
[[gnu::noinline, gnu::weak]] void operator delete[](void* memory, std::size_t) noexcept {
  std::free(memory);
}
[[gnu::noinline, gnu::weak]] void operator delete[](void* memory, std::align_val_t) noexcept {
  std::free(memory);
}
