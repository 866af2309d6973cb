#pragma once

/// \file
/// Settings of the process that may change at run time.

#include "dash/dart/if/dart_types.h"

#ifdef __cplusplus
extern "C" {
#endif

/// \addtogroup c_runtime
/// @{

/// The settings that dart_config returns.
typedef struct {
  /// 0 disables all log output of the library in this process, including errors.
  int log_enabled;
} dart_config_t;

/// Returns the settings that a program may change at run time.
/// \param config_out  receives a pointer to the settings of the process
/// \collective no  \blocks never  \threads externally synchronized
DART_API void dart_config(dart_config_t** config_out) DART_NOTHROW;

/// @}

#ifdef __cplusplus
}
#endif
