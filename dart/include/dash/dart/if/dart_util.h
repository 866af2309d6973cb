#pragma once

/// \file
/// Markers and helper macros of the C interface.

/// \addtogroup c_runtime
/// @{

/// Version of the C interface.
#define DART_VERSION_STR "3.2.0"
/// Date and time at which the including source file was compiled.
#define DART_BUILD_STR __DATE__ " " __TIME__

/// Expands to nothing; accepted for source compatibility with DASH 0.4.
#define DART_INTERFACE_ON
/// Expands to nothing; accepted for source compatibility with DASH 0.4.
#define DART_INTERFACE_OFF

/// \def DART_NOTHROW
/// Marks functions that do not throw: `noexcept` in C++, nothing in C.
#ifdef __cplusplus
#define DART_NOTHROW noexcept
#else
#define DART_NOTHROW
#endif

/// Suppresses the warning about an unused function.
#define DART_MAYBE_UNUSED __attribute__((unused))
/// Specifiers of the functions that the headers define.
#define DART_INLINE static inline DART_MAYBE_UNUSED

/// Visible outside the shared library.
#define DART_API __attribute__((visibility("default")))

/// @}
