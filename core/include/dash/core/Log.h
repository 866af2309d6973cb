#pragma once

#include <string_view>

#include "dash/core/Export.h"
#include "dash/core/LogLevel.h"

namespace dash::core {

/// Writes one line with time, level and unit to the standard error stream if the level is enabled. May be
/// called before initialization, and by destructors at exit.
/// \threads thread-safe   \blocks while another thread writes its line   \throws nothing
DASH_API void log(LogLevel level, std::string_view text) noexcept;

/// Whether `log` writes messages of this level: depends on `set_log_level` and `set_log_enabled`.
/// \threads thread-safe   \cost two loads
DASH_API bool log_enabled(LogLevel level) noexcept;

/// Sets the least severe level that is written; initially `warn`. The settings call it whenever
/// DART_LOG_LEVEL changes.
/// \threads thread-safe
DASH_API void set_log_level(LogLevel level) noexcept;

/// Sets the unit that later lines contain: "[unit 3]", padded to the width of the largest of `nunits` ids.
/// \param   unit  global id; -1 if unknown, as before initialization
/// \threads thread-safe
DASH_API void set_log_unit(int unit, int nunits) noexcept;

/// Sets what later lines contain instead of a unit, for a process that is no unit: "[progress
/// process of unit 3]".
/// \param   name  of static storage duration
/// \threads thread-safe
DASH_API void set_log_name(const char* name) noexcept;

/// The unit set by `set_log_unit`; -1 before, and after `set_log_name`. \threads thread-safe
DASH_API int log_unit() noexcept;

/// Enables or disables all log output of this process (default: enabled).
/// \threads thread-safe
DASH_API void set_log_enabled(bool enabled) noexcept;

/// Replaces the switch of set_log_enabled() by a variable of an upper layer, which applications may modify.
/// It is initialized with the current value.
/// \param   flag  0 disables log output; must stay valid until the process ends
/// \threads externally synchronized
DASH_API void use_log_switch(int* flag) noexcept;

}  // namespace dash::core
