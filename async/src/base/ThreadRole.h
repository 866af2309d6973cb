#pragma once

namespace dash::exec {

/// The role of the calling thread. The engine sets is_progress_thread on its thread, and
/// is_main_thread on the thread that starts it.
inline constinit thread_local bool is_progress_thread = false;
inline constinit thread_local bool is_main_thread = false;
/// Functions of the application that the thread runs while it polls (HandlerScope).
inline constinit thread_local unsigned active_handlers = 0;

}  // namespace dash::exec
