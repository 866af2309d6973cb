#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>

#include "base/Error.h"
#include "dash/dart/if/dart_types.h"

namespace dash::dart {

/// Bytes of each basic type, by its number; 0 for DART_TYPE_UNDEFINED.
inline constexpr std::size_t basic_type_sizes[] = {0,
                                                   1,
                                                   sizeof(short),
                                                   sizeof(int),
                                                   sizeof(unsigned),
                                                   sizeof(long),
                                                   sizeof(unsigned long),
                                                   sizeof(long long),
                                                   sizeof(unsigned long long),
                                                   sizeof(float),
                                                   sizeof(double),
                                                   sizeof(long double)};

inline bool is_basic_type(dart_datatype_t type) noexcept {
  return static_cast<std::uintptr_t>(type) - 1 < static_cast<std::uintptr_t>(DART_TYPE_LAST) - 1;
}

/// Bytes of `nelem` elements.
/// \throws exception::RuntimeError if the type is not basic or the product does not fit
inline std::size_t size_in_bytes(std::size_t nelem, dart_datatype_t type) {
  if (!is_basic_type(type)) {
    throw_error(DART_ERR_INVAL, "data type {} is not a basic type (expected {} to {})", type,
                DART_TYPE_BYTE, DART_TYPE_LONG_DOUBLE);
  }
  const std::size_t size = basic_type_sizes[type];
  if (nelem > std::numeric_limits<std::size_t>::max() / size) {
    throw_error(DART_ERR_INVAL, "{} elements of {} bytes exceed the address space", nelem, size);
  }
  return nelem * size;
}

}  // namespace dash::dart
