#pragma once

#include <cstdint>

namespace dash {

/// Whether an operation is complete when its call returns.
/// \ingroup utilities
enum class launch : std::uint16_t { sync = 0x1, async = 0x2 };

}  // namespace dash
