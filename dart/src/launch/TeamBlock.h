#pragma once

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <cstdint>

#include "dash/async/Engine.h"

namespace dash::dart {

/// Counters on which the members of a team synchronize on a node; in the block of the node's first
/// member. They only grow, and no unit resets them.
///
/// A unit changes a counter, with release, after its accesses to the memory of the team. A unit
/// that loads it with acquire may then access that memory. An increment of `arrived` also acquires,
/// for the last unit to arrive. Where units sleep on a word, its changes are sequentially
/// consistent (SharedWord).
struct TeamControl {
  alignas(64) exec::SharedWord arrived;   // arrivals of units, summed over all rounds
  alignas(64) exec::SharedWord released;  // completed rounds
};

/// Counters of one slot of the collective queue; in the block of the node's first member. The words
/// are ordered as those of TeamControl, and all their changes are sequentially consistent.
struct SlotControl {
  alignas(64) exec::SharedWord arrived;   // units of the node that deposited, over all steps
  alignas(64) exec::SharedWord released;  // steps whose result is complete
  alignas(64) exec::SharedWord finished;  // units of the node that read the result, over all steps
  // Sum of the signatures of this step. Relaxed: a unit adds to it before it increments `arrived`,
  // and the last unit to arrive reads and resets it before it increments `finished`. No unit adds
  // to it again before it has read in `finished` that all units have finished this step.
  alignas(64) std::atomic<std::uint64_t> signatures{0};
  // Number (from 1) of the step whose root deposited. The root stores it with release after its
  // data, then increments `arrived`, on which the leader may sleep. The leader loads it with
  // acquire before it reads the data.
  std::atomic<std::uint32_t> root_arrived{0};
};

/// Layout of the memory that a team has in the heap of each member: control words, then two halves
/// for the unit's contribution and two for a leader's result, then the slots of the collective queue.
/// Small contributions and results share the page of the control words, so that a team which never
/// moves more data touches no other page.
struct TeamBlock {
  static constexpr std::size_t page = 4096;
  static constexpr std::size_t small_bytes = 512;
  static constexpr std::size_t small_contributions = 1024;
  static constexpr std::size_t small_results = 2048;

  /// \param min_contribution_bytes, min_result_bytes  lower bounds of the size of one half
  TeamBlock(int nunits, int largest_node, std::size_t min_contribution_bytes,
            std::size_t min_result_bytes) noexcept
      : contribution_bytes(
            std::max(min_contribution_bytes, whole_pages(static_cast<std::size_t>(nunits)))),
        result_bytes(std::max({min_result_bytes, whole_pages(static_cast<std::size_t>(nunits)),
                               whole_pages(static_cast<std::size_t>(largest_node) *
                                           static_cast<std::size_t>(largest_node))})),
        slot_contribution_bytes(contribution_bytes / 2),
        slot_result_bytes(
            std::max(contribution_bytes / 2, whole_pages(32 * static_cast<std::size_t>(nunits)))) {}

  /// The layout for the team of all units.
  static TeamBlock of_all(int nunits, int largest_node) noexcept {
    return TeamBlock(nunits, largest_node, 64 * 1024, 256 * 1024);
  }
  /// The layout for other teams: smaller, since there may be thousands.
  static TeamBlock of_team(int nunits, int largest_node) noexcept {
    return TeamBlock(nunits, largest_node, 16 * 1024, 64 * 1024);
  }

  std::size_t contribution_bytes;  // size of one half
  std::size_t result_bytes;        // size of one half

  static constexpr std::size_t slots = 8;
  std::size_t slot_contribution_bytes;  // size in one slot
  std::size_t slot_result_bytes;        // size in one slot: at least 32 bytes for each unit

  // Offsets in the block.
  std::size_t contribution(std::uint32_t half) const noexcept {
    return page + half * contribution_bytes;
  }
  std::size_t result(std::uint32_t half) const noexcept {
    return page + 2 * contribution_bytes + half * result_bytes;
  }
  std::size_t slot_control(std::size_t slot) const noexcept {
    return first_slot() + slot * sizeof(SlotControl);
  }
  /// A SharedWord: nonzero once units of the node have started different collectives.
  std::size_t mismatch() const noexcept { return slot_control(slots); }
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
  static std::size_t whole_pages(std::size_t nbytes) noexcept {
    return (nbytes + page - 1) / page * page;
  }
};
static_assert(TeamBlock::slots * sizeof(SlotControl) + sizeof(exec::SharedWord) <= TeamBlock::page);
static_assert(sizeof(TeamControl) <= TeamBlock::small_contributions);

}  // namespace dash::dart
