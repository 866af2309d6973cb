#pragma once

#include <cstdint>

namespace dash::exec {

/// Sets the calling thread's time slice. Kernels that know none of threads ignore it.
void set_time_slice(std::uint64_t nanoseconds) noexcept;

/// Lets the calling thread's sleeps end on time: without the slack that the kernel allows itself.
void remove_timer_slack() noexcept;

}  // namespace dash::exec
