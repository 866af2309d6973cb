#pragma once

namespace dash::dart {

/// What the caller does after it has started a transfer. If it waits, its thread copies within a node, and the peer of a
/// contiguous transfer between nodes polls without sleeping.
enum class Caller { continues, waits };

}  // namespace dash::dart
