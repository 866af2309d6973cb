#pragma once

#include <string_view>

#include "dash/core/Export.h"
#include "dash/core/Settings.h"

namespace dash::core {

/// Writes one line with time, level and unit to the error stream if the level is enabled. May be
/// used before initialisation, and by destructors at exit.
/// \threads any   \blocks while another thread writes its line   \throws nothing
DASH_API void log(LogLevel level, std::string_view text) noexcept;

/// Whether `log` would write a line of this level: `settings().log_level`, and `set_log_enabled`.
/// \threads any   \cost two loads
DASH_API bool log_enabled(LogLevel level) noexcept;

/// Names the unit in the lines to come: "[unit 3]", padded to the width of the largest of `nunits`
/// ids.
/// \param   unit global id, or -1: unknown, as before initialisation
/// \threads any
DASH_API void set_log_unit(int unit, int nunits) noexcept;

/// The unit that `set_log_unit` named, -1 before. \threads any
DASH_API int log_unit() noexcept;

/// Switches all log output of this process off or on (default: on).
/// \threads any
DASH_API void set_log_enabled(bool enabled) noexcept;

/// Lets an upper layer hand the switch out: from here on it is this flag, which is set as the one
/// before.
/// \param   flag 0: off; lives as long as the process
/// \threads one at a time
DASH_API void use_log_switch(int* flag) noexcept;

}  // namespace dash::core
