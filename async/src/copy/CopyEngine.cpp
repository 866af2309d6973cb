#include "copy/CopyEngine.h"

#include <algorithm>

#include "dash/async/PollContext.h"

namespace dash::exec {

CopyEngine::CopyEngine(Machine machine) : _machine(machine), _queues(1) {}

void CopyEngine::set_domains(const std::vector<core::NumaDomain>& domains) {
  const std::size_t count = std::max<std::size_t>(domains.size(), 1);
  _queues = std::vector<CopyQueue>(count);
  _os_indices.clear();
  _nearest_queue_of.clear();
  if (count == 1) return;
  _nearest_queue_of.assign(core::CpuSet::capacity, 0);
  for (std::size_t i = 0; i < count; ++i) {
    _os_indices.push_back(domains[i].os_index);
    for (const int cpu : domains[i].processors)
      _nearest_queue_of[static_cast<std::size_t>(cpu)] = static_cast<std::uint16_t>(i);
  }
}

std::size_t CopyEngine::queue_of_domain(int os_index) const noexcept {
  const auto found = std::find(_os_indices.begin(), _os_indices.end(), os_index);
  return static_cast<std::size_t>(found - _os_indices.begin());
}

/// Pages of the destination that no thread has touched yet are allocated near the copying thread; then the
/// domain of the source decides. A domain outside of the unit's share is equally far from all its processors.
std::size_t CopyEngine::queue_of(const CopyJob& job) const noexcept {
  if (_queues.size() == 1) return 0;
  for (const void* const memory : {job._dest, job._src}) {
    const std::size_t queue = queue_of_domain(_machine.domain_of(memory));
    if (queue < _queues.size()) return queue;
  }
  return nearest_queue();
}

std::size_t CopyEngine::nearest_queue() const noexcept {
  if (_queues.size() == 1) return 0;
  const auto cpu = static_cast<std::size_t>(_machine.processor());  // unknown: too large
  return cpu < _nearest_queue_of.size() ? _nearest_queue_of[cpu] : 0;
}

/// If no processor is idle, callers get a copy first: the one that has started it often waits for it.
/// \returns whether the progress thread takes no chunk now
bool CopyEngine::thread_leaves_chunks() noexcept {
  const std::uint64_t taken = _num_taken_by_callers.load(std::memory_order_relaxed);
  _callers_poll = taken != _taken_at_last_poll;
  _taken_at_last_poll = taken;
  const bool had_chunks = _had_chunks;
  _had_chunks = demand() != Demand::none;
  return _no_idle_processor && (_callers_poll || !had_chunks);
}

bool CopyEngine::poll() noexcept {
  if (on_progress_thread()) {
    if (thread_leaves_chunks()) return false;
  } else if (demand() == Demand::none) {
    return false;
  } else {
    _num_taken_by_callers.store(_num_taken_by_callers.load(std::memory_order_relaxed) + 1,
                                std::memory_order_relaxed);
  }
  const std::size_t nearest = nearest_queue();
  for (std::size_t i = 0; i < _queues.size(); ++i) {
    CopyQueue& queue = _queues[(nearest + i) % _queues.size()];
    const CopyQueue::Chunk chunk = queue.take();
    if (chunk.job == nullptr) continue;
    CopyQueue::run(chunk);
    return true;
  }
  return false;
}

Demand CopyEngine::demand() const noexcept {
  const bool all_empty = std::all_of(_queues.begin(), _queues.end(),
                                     [](const CopyQueue& queue) { return queue.empty(); });
  return all_empty ? Demand::none : Demand::busy;
}

}  // namespace dash::exec
