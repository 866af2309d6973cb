#pragma once

#include <algorithm>
#include <atomic>
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

/// The words of one slot of the non-blocking collectives; in the block of the node's first member.
struct SlotControl {
  alignas(64) exec::SharedWord arrived;   // units of the node, over all steps in this slot
  alignas(64) exec::SharedWord released;  // steps that are over
  alignas(64) exec::SharedWord finished;  // units that have read the result, over all steps
  alignas(64) std::atomic<std::uint64_t> signatures{0};  // sum of what the units have started
  std::atomic<std::uint32_t> given{0};  // number of the step (from 1) whose root has arrived
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
                                     static_cast<std::size_t>(largest_node))})),
        slot_contribution_bytes(contribution_bytes / 2),
        slot_result_bytes(
            std::max(contribution_bytes / 2, whole(32 * static_cast<std::size_t>(nunits)))) {}

  /// Of the team of all units, and of those made later, of which there may be thousands.
  static TeamBlock of_all(int nunits, int largest_node) noexcept {
    return TeamBlock(nunits, largest_node, 64 * 1024, 256 * 1024);
  }
  static TeamBlock of_team(int nunits, int largest_node) noexcept {
    return TeamBlock(nunits, largest_node, 16 * 1024, 64 * 1024);
  }

  std::size_t contribution_bytes;  // of one half
  std::size_t result_bytes;        // of one half

  /// Of the non-blocking collectives, behind the rest.
  static constexpr std::size_t slots = 8;
  std::size_t slot_contribution_bytes;  // of one slot
  std::size_t slot_result_bytes;        // of one slot: 32 for each unit at least

  std::size_t contribution(std::uint32_t half) const noexcept {
    return page + half * contribution_bytes;
  }
  std::size_t result(std::uint32_t half) const noexcept {
    return page + 2 * contribution_bytes + half * result_bytes;
  }
  std::size_t slot_control(std::size_t slot) const noexcept {
    return first_slot() + slot * sizeof(SlotControl);
  }
  /// A SharedWord: not 0 once units of the node have started different non-blocking collectives.
  std::size_t out_of_step() const noexcept { return slot_control(slots); }
  std::size_t slot_contribution(std::size_t slot) const noexcept {
    return first_slot() + page + slot * slot_contribution_bytes;
  }
  std::size_t slot_result(std::size_t slot) const noexcept {
    return slot_contribution(slots) + slot * slot_result_bytes;
  }
  std::size_t total_bytes() const noexcept { return slot_result(slots); }

 private:
  std::size_t first_slot() const noexcept {
    return page + 2 * contribution_bytes + 2 * result_bytes;
  }
  static std::size_t whole(std::size_t nbytes) noexcept {
    return (nbytes + page - 1) / page * page;
  }
};
static_assert(TeamBlock::slots * sizeof(SlotControl) + sizeof(exec::SharedWord) <= TeamBlock::page);
static_assert(sizeof(TeamControl) <= TeamBlock::small_contributions);

}  // namespace dash::dart
