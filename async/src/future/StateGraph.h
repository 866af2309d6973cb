#pragma once

#include "dash/core/Spin.h"

namespace dash::exec {

/// Guards what depends on what against cancellation, while somebody follows it from state to state.
core::SpinLock& state_graph_lock() noexcept;

}  // namespace dash::exec
