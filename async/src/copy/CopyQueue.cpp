#include "copy/CopyQueue.h"

#include <algorithm>
#include <mutex>

#include "dash/async/PollContext.h"
#include "dash/core/Settings.h"
#include "dash/core/Statistics.h"
#include "dash/core/Trace.h"

namespace dash::exec {

std::size_t CopyJob::chunk_bytes() noexcept {
  return core::settings().copy_chunk;
}

std::size_t CopyJob::chunk_bytes_for_blocks(std::size_t block) noexcept {
  constexpr std::size_t line = 64;  // least memory traffic of a block
  const std::size_t chunk = chunk_bytes();
  if (block == 0 || block > chunk) return chunk;
  return std::max<std::size_t>(1, chunk / std::max(block, line)) * block;
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
  _unclaimed.fetch_add(1, std::memory_order_seq_cst);  // see Engine::Impl::is_backed_off()
}

CopyQueue::Chunk CopyQueue::take() noexcept {
  if (empty()) return {};
  std::lock_guard lock(_lock);
  CopyJob* const job = _first;
  if (job == nullptr) return {};
  const Chunk chunk{job, job->_claimed, std::min(job->_chunk, job->_nbytes - job->_claimed)};
  job->_claimed += chunk.length;
  _first = job->_next;
  if (_first == nullptr) _last = nullptr;
  if (job->_claimed == job->_nbytes) {
    // Relaxed: a thread that still reads the old number finds the list empty under the lock.
    _unclaimed.fetch_sub(1, std::memory_order_relaxed);
  } else {
    append(*job);
  }
  return chunk;
}

void CopyQueue::run(const Chunk& chunk) noexcept {
  CopyJob& job = *chunk.job;
  const core::TraceSpan span(core::TraceKind::copy, "chunk", chunk.length);
  core::count(on_progress_thread() ? core::Counter::chunks_by_thread
                                   : core::Counter::chunks_by_callers);
  job.copy(chunk.begin, chunk.length);
  // Release: publishes the bytes of this chunk. Acquire: the thread that ends the job publishes those of all
  // chunks when it completes the job.
  if (job._unfinished.fetch_sub(chunk.length, std::memory_order_acq_rel) != chunk.length) {
    return;
  }
  if (core::tracing()) core::trace_flight_end(core::TraceKind::copy, "copy", &job);
  job.complete();
  job.release();
}

}  // namespace dash::exec
