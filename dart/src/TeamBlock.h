#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>

#include "dash/async/Engine.h"

namespace dash::dart {

/// The words on which the units of a team meet on a node; in the block of the node's first member.
/// Serial numbers: they only grow, and nobody resets them.
struct TeamControl {
  alignas(64) exec::SharedWord arrived;   // units that have entered, over all meetings
  alignas(64) exec::SharedWord released;  // meetings that are over
};

/// What a team has in the heap of each member: control words, then two halves of the unit's
/// contribution and two of a leader's result. Contributions and results that are small share the
/// page of the control words, so that a team which never moves more has no other page.
struct TeamBlock {
  static constexpr std::size_t page = 4096;
  static constexpr std::size_t small_bytes = 512;
  static constexpr std::size_t small_contributions = 1024;
  static constexpr std::size_t small_results = 2048;

  /// \param contribution_room, result_room  what a half has at least
  TeamBlock(int nunits, int largest_node, std::size_t contribution_room,
            std::size_t result_room) noexcept
      : contribution_bytes(std::max(contribution_room, whole(static_cast<std::size_t>(nunits)))),
        result_bytes(std::max({result_room, whole(static_cast<std::size_t>(nunits)),
                               whole(static_cast<std::size_t>(largest_node) *
                                     static_cast<std::size_t>(largest_node))})) {}

  /// Of the team of all units, and of those made later, of which there may be thousands.
  static TeamBlock of_all(int nunits, int largest_node) noexcept {
    return TeamBlock(nunits, largest_node, 64 * 1024, 256 * 1024);
  }
  static TeamBlock of_team(int nunits, int largest_node) noexcept {
    return TeamBlock(nunits, largest_node, 16 * 1024, 64 * 1024);
  }

  std::size_t contribution_bytes;  // of one half
  std::size_t result_bytes;        // of one half

  std::size_t contribution(std::uint32_t half) const noexcept {
    return page + half * contribution_bytes;
  }
  std::size_t result(std::uint32_t half) const noexcept {
    return page + 2 * contribution_bytes + half * result_bytes;
  }
  std::size_t total_bytes() const noexcept {
    return page + 2 * contribution_bytes + 2 * result_bytes;
  }

 private:
  static std::size_t whole(std::size_t nbytes) noexcept {
    return (nbytes + page - 1) / page * page;
  }
};
static_assert(sizeof(TeamControl) <= TeamBlock::small_contributions);

}  // namespace dash::dart
