#include "rpc/CallCounts.h"

#include <array>

namespace dash::internal {

namespace {

/// By team id. In .bss: only pages of teams with calls are ever accessed.
std::array<std::atomic<CallCounts*>, 65536> all_counts{};

std::atomic<CallCounts*>& entry(exec::JobTag team) noexcept {
  return all_counts[static_cast<std::uint16_t>(team)];
}

/// The largest id of a team with calls, plus one. Only grows.
std::atomic<std::uint32_t> end_of_teams{0};

}  // namespace

CallCounts& CallCounts::of_team(exec::JobTag team) {
  std::atomic<CallCounts*>& counts = entry(team);
  // Acquire: the caller sees the constructed object.
  CallCounts* known = counts.load(std::memory_order_acquire);
  if (known != nullptr) return *known;
  auto* const created = new CallCounts();
  if (!counts.compare_exchange_strong(known, created, std::memory_order_acq_rel)) {
    delete created;
    return *known;
  }
  const std::uint32_t end = static_cast<std::uint16_t>(team) + 1U;
  std::uint32_t before = end_of_teams.load(std::memory_order_relaxed);
  while (before < end && !end_of_teams.compare_exchange_weak(before, end)) {
  }
  return *created;
}

std::uint32_t CallCounts::end() noexcept {
  return end_of_teams.load();
}

const CallCounts* CallCounts::find(std::uint32_t index) noexcept {
  return all_counts[index].load(std::memory_order_acquire);
}

}  // namespace dash::internal
