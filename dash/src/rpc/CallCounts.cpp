#include "rpc/CallCounts.h"

#include <array>

#include "dash/async/Watch.h"

namespace dash::internal {

namespace {

/// By team id. In .bss: only pages of teams with calls are ever accessed.
std::array<std::atomic<CallCounts*>, 65536> all_counts{};

std::mutex creation_mutex;
std::atomic<const CallCounts*> latest_counts{nullptr};  // changed under the mutex

std::atomic<CallCounts*>& entry_of(exec::JobTag team) noexcept {
  return all_counts[static_cast<std::uint16_t>(team)];
}

}  // namespace

CallCounts* CallCounts::find(exec::JobTag team) noexcept {
  // Acquire: the caller sees the constructed object.
  return entry_of(team).load(std::memory_order_acquire);
}

CallCounts& CallCounts::of_team(exec::JobTag team) {
  if (CallCounts* const counts = find(team)) return *counts;
  std::lock_guard lock(creation_mutex);
  if (CallCounts* const counts = find(team)) return *counts;
  auto* const created = new CallCounts();
  created->_next = latest_counts.load(std::memory_order_relaxed);
  latest_counts.store(created, std::memory_order_release);
  entry_of(team).store(created, std::memory_order_release);
  return *created;
}

const CallCounts* CallCounts::latest() noexcept {
  return latest_counts.load(std::memory_order_acquire);
}

void CallCounts::reset() noexcept {
  const exec::Purpose purpose("the end of the remote procedure calls of a team that is destroyed");
  exec::Engine::instance().wait_until([this] { return unfinished() == 0; });
  _sent.store(0, std::memory_order_seq_cst);
  _ended.store(0, std::memory_order_seq_cst);
  take_error();
}

}  // namespace dash::internal
