#pragma once

#include "dash/dart/if/dart_types.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct {
  /* 0 switches off all that the library logs in this process, errors too */
  int log_enabled;
} dart_config_t;

/// Gives access to the settings that a program may change while it runs.
/// \param config_out  receives a pointer to the one mutable object
/// \collective no  \blocks never  \threads one at a time
DART_API void dart_config(dart_config_t** config_out) DART_NOTHROW;

#ifdef __cplusplus
}
#endif
