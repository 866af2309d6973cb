#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>

#include "dash/core/Export.h"

namespace dash::core {

/// Stores the return addresses of the calling thread's stack, innermost call first, without this function.
/// \returns their number
/// \threads thread-safe  \blocks never, but the first call in a process loads a library  \cost some
///          microseconds
DASH_API std::size_t capture_stack(std::span<void*> addresses) noexcept;

/// A frame of a stack; unknown parts are empty.
struct StackFrame {
  std::string function;       // demangled; empty if unknown
  std::string file;           // path of the executable or of the shared library
  std::uintptr_t offset = 0;  // in that file, as used by addr2line
};

/// Describes a return address, using the symbol table of the file. It includes functions that are not
/// exported, unless the file was stripped.
/// \threads thread-safe  \cost reads the file
DASH_API StackFrame describe_frame(void* return_address);

}  // namespace dash::core
