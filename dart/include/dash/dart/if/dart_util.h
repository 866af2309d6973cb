#pragma once

/// \file
/// Markers and helper macros of the C interface.

#define DART_VERSION_STR "3.2.0"
#define DART_BUILD_STR __DATE__ " " __TIME__

#define DART_INTERFACE_ON
#define DART_INTERFACE_OFF

#ifdef __cplusplus
#define DART_NOTHROW noexcept
#else
#define DART_NOTHROW
#endif

#define DART_MAYBE_UNUSED __attribute__((unused))
#define DART_INLINE static inline DART_MAYBE_UNUSED

/// Visible outside the shared library.
#define DART_API __attribute__((visibility("default")))
