#include "copy/CopyEngine.h"

#include <algorithm>

namespace dash::exec {

CopyEngine::CopyEngine(Machine machine) : _machine(machine), _queues(1) {}

void CopyEngine::set_domains(const std::vector<core::NumaDomain>& domains) {
  const std::size_t count = std::max<std::size_t>(domains.size(), 1);
  _queues = std::vector<CopyQueue>(count);
  _os_indices.clear();
  _queue_near.clear();
  if (count == 1) return;
  _queue_near.assign(core::CpuSet::capacity, 0);
  for (std::size_t i = 0; i < count; ++i) {
    _os_indices.push_back(domains[i].os_index);
    for (const int cpu : domains[i].processors)
      _queue_near[static_cast<std::size_t>(cpu)] = static_cast<std::uint16_t>(i);
  }
}

std::size_t CopyEngine::queue_of_domain(int os_index) const noexcept {
  const auto found = std::find(_os_indices.begin(), _os_indices.end(), os_index);
  return static_cast<std::size_t>(found - _os_indices.begin());
}

/// Where nobody has touched the destination yet, its pages come to be near to who copies: then the
/// source decides. A domain that is not the unit's is as far from all of its processors.
std::size_t CopyEngine::queue_of(const CopyJob& job) const noexcept {
  if (_queues.size() == 1) return 0;
  for (const void* const memory : {job._dest, job._src}) {
    const std::size_t queue = queue_of_domain(_machine.domain_of(memory));
    if (queue < _queues.size()) return queue;
  }
  return queue_here();
}

std::size_t CopyEngine::queue_here() const noexcept {
  if (_queues.size() == 1) return 0;
  const auto cpu = static_cast<std::size_t>(_machine.processor());  // unknown: too large
  return cpu < _queue_near.size() ? _queue_near[cpu] : 0;
}

/// In a crowd a copy is offered to callers first: the one that has started it often waits for it.
bool CopyEngine::thread_stands_back() noexcept {
  const std::uint64_t taken = _callers_took.load(std::memory_order_relaxed);
  _callers_poll = taken != _seen_taken;
  _seen_taken = taken;
  const bool offered = _offered;
  _offered = demand() != Demand::none;
  return _crowded && (_callers_poll || !offered);
}

bool CopyEngine::poll() noexcept {
  if (on_progress_thread()) {
    if (thread_stands_back()) return false;
  } else if (demand() == Demand::none) {
    return false;
  } else {
    _callers_took.store(_callers_took.load(std::memory_order_relaxed) + 1,
                        std::memory_order_relaxed);
  }
  const std::size_t nearest = queue_here();
  for (std::size_t i = 0; i < _queues.size(); ++i) {
    CopyQueue& queue = _queues[(nearest + i) % _queues.size()];
    const CopyQueue::Quantum quantum = queue.take();
    if (quantum.job == nullptr) continue;
    CopyQueue::run(quantum);
    return true;
  }
  return false;
}

Demand CopyEngine::demand() const noexcept {
  const bool nothing = std::all_of(_queues.begin(), _queues.end(),
                                   [](const CopyQueue& queue) { return queue.empty(); });
  return nothing ? Demand::none : Demand::busy;
}

}  // namespace dash::exec
