#include "CopyQueue.h"

#include <algorithm>
#include <cstring>
#include <mutex>

#include "dash/async/Engine.h"
#include "dash/core/CopyKernel.h"
#include "dash/core/Settings.h"
#include "dash/core/Statistics.h"
#include "dash/core/Trace.h"

namespace dash::exec {

struct CopyQueue::Job final : State {
  Job(void* to, const void* from, std::size_t size) noexcept
      : dest(static_cast<char*>(to)),
        src(static_cast<const char*>(from)),
        nbytes(size),
        nontemporal(size >= core::settings().nontemporal_min),
        unfinished(size) {}

  Label label() const noexcept override {
    return {"a copy of {} bytes on the node", {static_cast<long>(nbytes)}};
  }

  char* const dest;
  const char* const src;
  const std::size_t nbytes;
  const bool nontemporal;
  std::size_t claimed = 0;              // bytes handed out; guarded by the queue's lock
  std::atomic<std::size_t> unfinished;  // bytes not copied yet; who brings it to 0 completes
  Job* next = nullptr;
};

Operation CopyQueue::submit(void* dest, const void* src, std::size_t nbytes) {
  auto* job = new Job(dest, src, nbytes);
  if (core::tracing()) core::trace_flight_begin(core::TraceKind::copy, "copy", job, nbytes);
  auto state = StatePtr<State>::share(job);  // the queue owns the other reference
  {
    std::lock_guard lock(_lock);
    (_last == nullptr ? _first : _last->next) = job;
    _last = job;
    _unclaimed.fetch_add(1, std::memory_order_release);
  }
  return Operation(std::move(state));
}

bool CopyQueue::poll() noexcept {
  if (_unclaimed.load(std::memory_order_acquire) == 0) return false;
  Job* job = nullptr;
  std::size_t begin = 0;
  std::size_t length = 0;
  {
    std::lock_guard lock(_lock);
    job = _first;
    if (job == nullptr) return false;
    begin = job->claimed;
    length = std::min(quantum, job->nbytes - begin);
    job->claimed += length;
    _first = job->next;
    job->next = nullptr;
    if (_first == nullptr) _last = nullptr;
    if (job->claimed == job->nbytes) {
      _unclaimed.fetch_sub(1, std::memory_order_relaxed);
    } else {
      (_last == nullptr ? _first : _last->next) = job;
      _last = job;
    }
  }
  const core::TraceSpan span(core::TraceKind::copy, "quantum", length);
  core::count(on_progress_thread() ? core::Counter::pieces_by_thread
                                   : core::Counter::pieces_by_callers);
  if (job->nontemporal) {
    core::copy_nontemporal(job->dest + begin, job->src + begin, length);
  } else {
    std::memcpy(job->dest + begin, job->src + begin, length);
  }
  // Release: the bytes are visible to whoever sees the job done, on whichever thread it completes.
  if (job->unfinished.fetch_sub(length, std::memory_order_acq_rel) == length) {
    if (core::tracing()) core::trace_flight_end(core::TraceKind::copy, "copy", job);
    job->complete();
    job->release();
  }
  return true;
}

}  // namespace dash::exec
