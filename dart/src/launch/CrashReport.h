#pragma once

namespace dash::dart {

/// From here on a unit that dies of SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT, SIGTERM or an uncaught
/// exception says which one it is, in one line on standard error, and then dies as it would have: what
/// was installed before (the application's handlers, a sanitizer's) is called or restored. SIGTERM is
/// left to an application that handles it.
///
/// The main thread gets a stack for it where it has none, so that a stack overflow is reported, too.
/// A forked child reports nothing.
/// \threads the main thread
void install_crash_report(int unit, int nunits);

/// Puts back what was there before, as far as nobody has replaced it since.
void remove_crash_report() noexcept;

}  // namespace dash::dart
