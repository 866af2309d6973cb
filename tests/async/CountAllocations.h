#pragma once

/// \file
/// Replaces operator new by one that counts what the calling thread allocates. For one translation
/// unit of a program.

#include <cstddef>
#include <cstdlib>
#include <new>

inline thread_local std::size_t allocations = 0;

// Not inlined, where the compiler would take the pair of malloc and delete for a mistake.
[[gnu::noinline]] void* operator new(std::size_t nbytes) {
  ++allocations;
  if (void* memory = std::malloc(nbytes)) return memory;
  throw std::bad_alloc();
}
[[gnu::noinline]] void* operator new(std::size_t nbytes, const std::nothrow_t&) noexcept {
  ++allocations;
  return std::malloc(nbytes);
}
[[gnu::noinline]] void* operator new(std::size_t nbytes, std::align_val_t alignment) {
  ++allocations;
  if (void* memory = std::aligned_alloc(static_cast<std::size_t>(alignment), nbytes)) return memory;
  throw std::bad_alloc();
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
