#include "copy/CopyQueue.h"

#include <algorithm>
#include <mutex>

#include "dash/async/Engine.h"
#include "dash/core/Settings.h"
#include "dash/core/Statistics.h"
#include "dash/core/Trace.h"

namespace dash::exec {

std::size_t CopyJob::quantum_bytes() noexcept {
  return core::settings().copy_quantum;
}

std::size_t CopyJob::quantum_of_runs(std::size_t run) noexcept {
  constexpr std::size_t line = 64;  // what memory moves for each at the least
  const std::size_t quantum = quantum_bytes();
  if (run == 0 || run > quantum) return quantum;
  return std::max<std::size_t>(1, quantum / std::max(run, line)) * run;
}

/// \pre the lock is held
void CopyQueue::append(CopyJob& job) noexcept {
  job._next = nullptr;
  (_last == nullptr ? _first : _last->_next) = &job;
  _last = &job;
}

void CopyQueue::submit(CopyJob& job) noexcept {
  if (core::tracing()) core::trace_flight_begin(core::TraceKind::copy, "copy", &job, job._nbytes);
  std::lock_guard lock(_lock);
  append(job);
  _unclaimed.fetch_add(1, std::memory_order_seq_cst);  // see Engine::Impl::dozes()
}

CopyQueue::Quantum CopyQueue::take() noexcept {
  if (empty()) return {};
  std::lock_guard lock(_lock);
  CopyJob* const job = _first;
  if (job == nullptr) return {};
  const Quantum quantum{job, job->_claimed, std::min(job->_quantum, job->_nbytes - job->_claimed)};
  job->_claimed += quantum.length;
  _first = job->_next;
  if (_first == nullptr) _last = nullptr;
  if (job->_claimed == job->_nbytes) {
    _unclaimed.fetch_sub(1, std::memory_order_relaxed);
  } else {
    append(*job);
  }
  return quantum;
}

void CopyQueue::run(const Quantum& quantum) noexcept {
  CopyJob& job = *quantum.job;
  const core::TraceSpan span(core::TraceKind::copy, "quantum", quantum.length);
  core::count(on_progress_thread() ? core::Counter::pieces_by_thread
                                   : core::Counter::pieces_by_callers);
  job.copy(quantum.begin, quantum.length);
  // Release: the bytes are visible to whoever sees the job done, on whichever thread it completes.
  if (job._unfinished.fetch_sub(quantum.length, std::memory_order_acq_rel) != quantum.length) {
    return;
  }
  if (core::tracing()) core::trace_flight_end(core::TraceKind::copy, "copy", &job);
  job.complete();
  job.release();
}

}  // namespace dash::exec
