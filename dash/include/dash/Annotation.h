#pragma once

namespace dash {

/// A compiler barrier: the compiler assumes that all memory is read and written here. For
/// benchmarks.
inline void prevent_opt_elimination() noexcept {
  asm volatile("" ::: "memory");
}

/// \overload that also forces the value to be computed.
template <class T>
void prevent_opt_elimination(T&& value) noexcept {
  asm volatile("" ::"g"(&value) : "memory");
}

}  // namespace dash
