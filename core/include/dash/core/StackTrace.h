#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>

#include "dash/core/Export.h"

namespace dash::core {

/// Return addresses of the calling thread's stack, those of the innermost calls first, this one's left
/// out. \returns how many
/// \threads any  \blocks never, but the first call in a process loads a library  \cost some microseconds
DASH_API std::size_t take_stack(std::span<void*> addresses) noexcept;

/// A call on a stack, as far as it is known.
struct StackFrame {
  std::string function;       // demangled; empty if unknown
  std::string file;           // of the program, or of the library
  std::uintptr_t offset = 0;  // in that file, as addr2line takes it
};

/// What a return address stands for: from the symbol table of the file, functions that are not
/// exported included, if it was not stripped.
/// \threads any  \cost reads the file
DASH_API StackFrame describe_frame(void* return_address);

}  // namespace dash::core
