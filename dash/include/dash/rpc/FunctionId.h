#pragma once

#include <cstdint>

#include "dash/core/Export.h"

namespace dash::internal {

/// Identifies a function in all units of the job: the program or shared library that contains it, and its offset there.
/// Units may load libraries in different orders and at different addresses.
struct FunctionId {
  std::uint64_t object = 0;  // the first bytes of the build id
  std::uint64_t offset = 0;

  bool operator==(const FunctionId&) const = default;
};

/// \param function  address of a function
/// \throws exception::RuntimeError if its program or library has no build id
/// \threads thread-safe  \cost a search of the loaded libraries
DASH_API FunctionId function_id(const void* function);

/// The address of a function in this process.
/// \throws exception::RuntimeError if this process has not loaded the program or library, or the offset is not that of
///         code in it
/// \threads thread-safe
DASH_API void* find_function(const FunctionId& id);

}  // namespace dash::internal
