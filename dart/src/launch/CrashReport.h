#pragma once

#include <string_view>

namespace dash::dart {

/// Reports fatal errors of this process from now on. If it is terminated by SIGSEGV, SIGBUS, SIGFPE,
/// SIGILL, SIGABRT, SIGTERM or an uncaught exception, it writes one line to standard error that contains
/// its name, and then terminates as it would have without the report: handlers that were installed before (by
/// the application or a sanitizer) are called, or the default action is restored. SIGTERM is not
/// intercepted if the application handles it.
///
/// The main thread gets an alternate signal stack if it has none, so that a stack overflow is reported,
/// too. A forked child reports nothing.
/// \param name  the process: "unit 3 of 8"
/// \threads the main thread only
void install_crash_report(std::string_view name);

/// Restores the previous handlers, except where the application has replaced ours in the meantime.
void remove_crash_report() noexcept;

}  // namespace dash::dart
