#pragma once

#include "dash/core/Spin.h"

namespace dash::exec {

/// Prevents the cancellation of states while a thread follows the dependencies between them.
core::SpinLock& state_graph_lock() noexcept;

}  // namespace dash::exec
