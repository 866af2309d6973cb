#pragma once

#include <cstddef>
#include <string>

#include "dash/core/Export.h"

namespace dash::core {

/// Bytes that this process could still take without swapping or being killed: what the system has
/// available, or what the tightest control group around the process leaves, if that is less.
/// Reclaimable file pages count as available. An estimate: other processes take memory too.
/// \threads any   \cost reads some files of /proc and /sys
DASH_API std::size_t available_memory();

/// As above, reading /proc and /sys below `root` instead of "/": for tests.
DASH_API std::size_t available_memory(const std::string& root);

/// Bytes of a page of virtual memory. \threads any
DASH_API std::size_t page_size() noexcept;

}  // namespace dash::core
