#pragma once

namespace dash::core {

/// Severity of a log message, from the fewest messages to the most.
enum class LogLevel { error, warn, info, debug, trace };

}  // namespace dash::core
