#pragma once

#include <cstdint>

#include "dash/dart/RemoteCall.h"

namespace dash::dart {

/// The service of a segment, by its id; nullptr if there is none.
CallService* find_service(std::int16_t segid) noexcept;

}  // namespace dash::dart
