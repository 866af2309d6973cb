#pragma once

#include <atomic>
#include <cstdint>

namespace dash::exec {

/// The role of the calling thread. The engine sets is_progress_thread on its thread, and
/// is_main_thread on the thread that starts it.
inline constinit thread_local bool is_progress_thread = false;
inline constinit thread_local bool is_main_thread = false;
/// The word in which the thread counts as a caller that waits and polls; null if it does not wait.
inline constinit thread_local std::atomic<std::uint32_t>* counted_in = nullptr;

}  // namespace dash::exec
