#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "dash/Types.h"
#include "dash/async/FunctionRef.h"
#include "dash/core/Export.h"
#include "dash/memory/GlobalSegment.h"

namespace dash::internal {

/// The messages that a unit exchanges with units on other nodes.
struct PairwiseMessages {
  using Sizes = std::vector<std::size_t>;

  /// The sizes in bytes of the messages to a unit, and of those from a unit; none may be 0. Both
  /// units of a pair know them. None for units of the caller's node, and for the caller.
  exec::FunctionRef<Sizes(team_unit_t)> sizes_to;
  exec::FunctionRef<Sizes(team_unit_t)> sizes_from;
  /// Writes a message, given by its index in sizes_to(unit).
  exec::FunctionRef<void(team_unit_t, std::size_t, std::byte*)> pack;
  /// Reads a message, given by its index in sizes_from(unit).
  exec::FunctionRef<void(team_unit_t, std::size_t, const std::byte*)> unpack;
};

/// Exchanges messages between all pairs of units of a segment's team, one pair after the other. Two messages in each
/// direction are in flight at the same time, so packing and unpacking overlap with transfers.
/// \param memory  identifies the messages; its content is not used
/// \collective over the segment's team, among the units that exchange messages
/// \blocks until the caller's messages have been received
/// \throws the first exception of pack() or unpack(), after the exchange
DASH_API void exchange_pairwise(const GlobalSegment& memory, const PairwiseMessages& messages);

}  // namespace dash::internal
