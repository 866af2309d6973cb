#pragma once

#include <cstddef>
#include <cstdint>
#include <string>

#include "dash/async/FunctionRef.h"
#include "dash/core/Export.h"

namespace dash::exec {

/// The threads that run chunks and jobs of this unit, the calling one included: the processors of
/// the unit's share of its host.
DASH_API int executor_workers() noexcept;

/// Sets the number of threads; the runtime does so at init.
/// \param jobs_on_workers  whether jobs run on all of them, or only on threads that wait: where MPI
///                         is not open to every thread
/// \pre no chunks and no jobs are running
DASH_API void set_executor_workers(int workers, bool jobs_on_workers = true) noexcept;

/// Work that takes less is done before another thread is awake.
inline constexpr double worth_sharing_ns = 10'000;

/// Calls body(begin, end) for ranges that make up 0 ... n - 1, on the threads of the unit: inline, as
/// one range, if there is one thread, and few and inline if the whole takes some microseconds. What
/// is behind the numbers may cost what it will. The body must not wait for communication.
/// \completion all calls have returned
/// \threads any
/// \throws the first exception of a call, after the running ones have returned; numbers may be left out
DASH_API void run_ranges(std::size_t n, FunctionRef<void(std::size_t, std::size_t)> body);

/// Calls body(i) for i from 0 to nchunks - 1, each once, as run_ranges(): in order and inline if there
/// is one thread.
template <class Body>
void run_chunks(std::size_t nchunks, Body&& body) {
  run_ranges(nchunks, [&body](std::size_t begin, std::size_t end) {
    for (std::size_t i = begin; i < end; ++i)
      body(i);
  });
}

/// Calls body() on the calling thread and on the workers that come meanwhile, as many times as there
/// are workers. The body finds its own part of the work, and must not wait for communication.
/// \completion all calls have returned
/// \threads any
/// \throws the first exception of a call, after the running ones have returned
DASH_API void run_on_workers(FunctionRef<void()> body);

/// A piece of work that may wait: it runs once, on a stack of its own, which is set aside while it
/// waits. What it runs on may be another thread afterwards.
class DASH_API Job {
 public:
  enum class Priority : std::uint8_t { low, normal, high };

  explicit Job(Priority priority = Priority::normal) noexcept : _priority(priority) {}
  Job(const Job&) = delete;
  Job& operator=(const Job&) = delete;

  /// The last that happens to the job: it may delete itself.
  virtual void run() noexcept = 0;

  Priority priority() const noexcept { return _priority; }

 protected:
  ~Job() = default;
  void set_priority(Priority priority) noexcept { _priority = priority; }

 private:
  friend class JobQueue;
  Job* _next = nullptr;
  Priority _priority;
};

/// Takes note of a job that will be submitted: finish_jobs() waits for it. \threads any
DASH_API void expect_job() noexcept;

/// Lets an expected job run: on a worker of the unit, or on a thread that waits or makes progress.
/// Higher priorities first; in the order of submission within one. \threads any   \blocks never
DASH_API void submit_job(Job& job) noexcept;

/// Whether the caller is a job, or called by one.
DASH_API bool in_job() noexcept;

/// Lets others run that are ready: from a job, suspends it meanwhile; from a thread, runs one job.
/// \returns whether anything ran
DASH_API bool yield_to_jobs() noexcept;

/// Returns when no job is expected, queued, running or waiting, and says so if that takes long.
/// \throws exception::RuntimeError in a job, which it would wait for
DASH_API void finish_jobs();

/// Ends the workers' part in jobs; what is left does not run any more.
DASH_API void stop_executor() noexcept;

/// Who runs: the job, if the caller is one, else the thread. Equal for the same one only; to be
/// used instead of the id of the thread where a job may own something while it waits.
DASH_API const void* running() noexcept;

/// Counts of jobs, for tests and statistics.
struct JobCounts {
  std::size_t unfinished = 0;  // expected, queued, running, waiting
  std::size_t waiting = 0;
};
DASH_API JobCounts job_counts() noexcept;

/// Name and version of the library that runs the threads. \threads any
DASH_API std::string executor_library();

}  // namespace dash::exec
