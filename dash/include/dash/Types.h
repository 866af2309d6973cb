#pragma once

#include <sys/types.h>

#include <array>
#include <concepts>
#include <cstddef>
#include <type_traits>

#include "dash/dart/if/dart_types.h"

namespace dash {

/// A number of dimensions, or the index of a dimension.
/// \ingroup utilities
using dim_t = int;

#if defined(DASH_ENABLE_DEFAULT_INDEX_TYPE_LONG)
using default_index_t = long;
using default_size_t = unsigned long;
#elif defined(DASH_ENABLE_DEFAULT_INDEX_TYPE_INT)
using default_index_t = int;
using default_size_t = unsigned int;
#else
/// Signed index of an element in global or local index space.
/// \ingroup utilities
using default_index_t = ssize_t;
/// Number of elements.
/// \ingroup utilities
using default_size_t = std::size_t;
#endif

/// Extent in one dimension.
/// \ingroup utilities
using default_extent_t = default_size_t;
/// \ingroup utilities
using gptrdiff_t = default_index_t;
/// Type with the strictest alignment of the fundamental types.
/// \ingroup utilities
using max_align_t = std::max_align_t;

/// Order of the elements of an N-dimensional range in memory: in row-major order the last dimension
/// is contiguous, in column-major order the first.
/// \ingroup utilities
enum MemArrange { MEM_ARRANGE_UNDEFINED = 0, ROW_MAJOR, COL_MAJOR };

namespace internal {

enum DistributionType {
  DIST_UNDEFINED = 0,
  DIST_NONE,
  DIST_BLOCKED,
  DIST_CYCLIC,
  DIST_BLOCKCYCLIC,
  DIST_TILE
};

template <class T>
constexpr dart_datatype_t basic_datatype() {
  using U = std::remove_cv_t<T>;
  if constexpr (std::is_same_v<U, char> || std::is_same_v<U, unsigned char>) {
    return DART_TYPE_BYTE;
  } else if constexpr (std::is_same_v<U, short> || std::is_same_v<U, unsigned short>) {
    return DART_TYPE_SHORT;
  } else if constexpr (std::is_same_v<U, int>) {
    return DART_TYPE_INT;
  } else if constexpr (std::is_same_v<U, unsigned int>) {
    return DART_TYPE_UINT;
  } else if constexpr (std::is_same_v<U, long>) {
    return DART_TYPE_LONG;
  } else if constexpr (std::is_same_v<U, unsigned long>) {
    return DART_TYPE_ULONG;
  } else if constexpr (std::is_same_v<U, long long>) {
    return DART_TYPE_LONGLONG;
  } else if constexpr (std::is_same_v<U, unsigned long long>) {
    return DART_TYPE_ULONGLONG;
  } else if constexpr (std::is_same_v<U, float>) {
    return DART_TYPE_FLOAT;
  } else if constexpr (std::is_same_v<U, double>) {
    return DART_TYPE_DOUBLE;
  } else if constexpr (std::is_same_v<U, long double>) {
    return DART_TYPE_LONG_DOUBLE;
  } else {
    return DART_TYPE_UNDEFINED;
  }
}

template <class T>
constexpr dart_datatype_t punned_datatype() {
  if constexpr (basic_datatype<T>() != DART_TYPE_UNDEFINED) {
    return basic_datatype<T>();
  } else if constexpr (sizeof(T) == 1) {
    return DART_TYPE_BYTE;
  } else if constexpr (sizeof(T) == sizeof(short)) {
    return DART_TYPE_SHORT;
  } else if constexpr (sizeof(T) == sizeof(int)) {
    return DART_TYPE_INT;
  } else if constexpr (sizeof(T) == sizeof(long long)) {
    return DART_TYPE_LONGLONG;
  } else {
    return DART_TYPE_UNDEFINED;
  }
}

}  // namespace internal

/// Coordinates in an N-dimensional index space.
/// \ingroup utilities
template <dim_t NumDimensions, typename IndexType = default_index_t>
struct Point {
  /// One coordinate for each dimension.
  std::array<IndexType, NumDimensions> coords;
};

/// Extents of an N-dimensional range.
/// \ingroup utilities
template <dim_t NumDimensions, typename SizeType = default_size_t>
struct Extent {
  /// One extent for each dimension.
  std::array<SizeType, NumDimensions> sizes;
};

/// The DART basic type of an arithmetic T; DART_TYPE_UNDEFINED for all other types.
/// \ingroup utilities
template <class T>
struct dart_datatype {
  /// The basic type.
  static constexpr dart_datatype_t value = internal::basic_datatype<T>();
};

/// Like dart_datatype, but other types map to the basic type of the same size, if there is one.
/// \ingroup utilities
template <class T>
struct dart_punned_datatype {
  /// The basic type.
  static constexpr dart_datatype_t value = internal::punned_datatype<T>();
};

/// Describes elements of T to the runtime: as a basic type, or as bytes.
/// \ingroup utilities
template <class T>
struct dart_storage {
  /// Number of elements of type dtype.
  const std::size_t nelem;
  /// The basic type of T, or DART_TYPE_BYTE.
  static constexpr dart_datatype_t dtype =
      dart_datatype<T>::value == DART_TYPE_UNDEFINED ? DART_TYPE_BYTE : dart_datatype<T>::value;

  /// \param nvalues  number of elements of T
  constexpr dart_storage(std::size_t nvalues) noexcept  // NOLINT: as DASH's
      : nelem(dart_datatype<T>::value == DART_TYPE_UNDEFINED ? nvalues * sizeof(T) : nvalues) {}
};

/// Whether T has a basic type of DART, see dart_datatype.
/// \ingroup utilities
template <class T>
struct is_arithmetic : std::bool_constant<dart_datatype<T>::value != DART_TYPE_UNDEFINED> {};

/// Whether T can be the element type of a container: its bytes represent its value on every unit.
/// \ingroup utilities
template <class T>
struct is_container_compatible
    : std::bool_constant<std::is_standard_layout_v<T> && std::is_trivially_copyable_v<T>> {};

namespace internal {

/// Fails to compile, with one message for each T, if T cannot be an element of global memory.
template <class T>
struct ContainerElement {
  static_assert(is_container_compatible<T>::value,
                "dash: elements have to be trivially copyable and of standard layout, since their "
                "bytes are moved between units; instead of std::pair there is dash::Pair");
  static_assert(
      alignof(T) <= 64,
      "dash: the memory of containers is aligned to 64 bytes; the element type has a larger "
      "alignment");
  static constexpr bool value = true;
};

}  // namespace internal

/// Whether T can be the type of atomic elements, see Atomic: arithmetic types.
/// \ingroup utilities
template <class T>
struct is_atomic_compatible : std::bool_constant<std::is_arithmetic_v<T>> {};

/// Whether T and U can be compared with ==, giving bool.
/// \ingroup utilities
template <class T, class U = T>
    struct has_operator_equal : std::bool_constant < requires(const T& a, const U& b) {
  { a == b } -> std::same_as<bool>;
} > {};

}  // namespace dash
