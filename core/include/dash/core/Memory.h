#pragma once

#include <cstddef>
#include <string>

#include "dash/core/Export.h"

namespace dash::core {

/// Memory in bytes that this process can still allocate without swapping or being killed: the available
/// memory of the system or, if that is less, the remainder of the limit of a control group of the process.
/// Reclaimable file pages count as available. An estimate, since other processes allocate memory, too.
/// \threads thread-safe   \cost reads some files of /proc and /sys
DASH_API std::size_t available_memory();

/// The same, but reads /proc and /sys below `root` instead of "/": for tests.
DASH_API std::size_t available_memory(const std::string& root);

/// Size of a page of virtual memory in bytes. \threads thread-safe
DASH_API std::size_t page_size() noexcept;

}  // namespace dash::core
