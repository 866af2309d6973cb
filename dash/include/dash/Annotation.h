#pragma once

namespace dash {

/// A compiler barrier: the compiler assumes that all memory is read and written here. For
/// benchmarks.
/// \ingroup utilities
inline void prevent_opt_elimination() noexcept {
  asm volatile("" ::: "memory");
}

/// Like prevent_opt_elimination(), and forces the value to be computed.
/// \ingroup utilities
template <class T>
void prevent_opt_elimination(T&& value) noexcept {
  asm volatile("" ::"g"(&value) : "memory");
}

}  // namespace dash
