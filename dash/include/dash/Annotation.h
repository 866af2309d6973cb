#pragma once

namespace dash {

/// Lets the compiler assume that all memory is read and written here: for benchmarks.
inline void prevent_opt_elimination() noexcept {
  asm volatile("" ::: "memory");
}

/// The same, and that a value is used.
template <class T>
void prevent_opt_elimination(T&& value) noexcept {
  asm volatile("" ::"g"(&value) : "memory");
}

}  // namespace dash
