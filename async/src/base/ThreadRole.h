#pragma once

namespace dash::exec {

/// The role of the calling thread. Each is set by the engine, for its own thread and for the thread that
/// starts it.
inline constinit thread_local bool is_progress_thread = false;
inline constinit thread_local bool is_main_thread = false;

}  // namespace dash::exec
