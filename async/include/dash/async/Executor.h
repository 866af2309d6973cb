#pragma once

#include <cstddef>
#include <cstdint>
#include <string>

#include "dash/async/FunctionRef.h"
#include "dash/core/Export.h"

namespace dash::exec {

/// Number of threads that run chunks and jobs of this unit, including the calling one: the number of
/// processors in the unit's share of the host.
DASH_API int executor_workers() noexcept;
/// Whether jobs and continuations run on workers, too, and not only on waiting threads.
DASH_API bool has_job_workers() noexcept;

/// Sets the number of threads; the runtime calls it during initialization.
/// \param jobs_on_workers  true: jobs run on all of them; false: only on waiting user threads,
///                         because MPI does not allow calls from every thread
/// \pre no chunks and no jobs are running
DASH_API void set_executor_workers(int workers, bool jobs_on_workers = true) noexcept;

/// Work that takes less time is finished before another thread has woken up.
inline constexpr double parallel_threshold_ns = 10'000;

/// Calls body(begin, end) for ranges that cover [0, n), on the threads of the unit. Runs one range inline if
/// there is one thread, and a few ranges inline if all take some microseconds. The items may have
/// different costs. The body must not wait for communication.
/// \completion all calls have returned
/// \threads thread-safe
/// \throws the first exception of a call, after the running calls have returned; the remaining items are not
///         processed
DASH_API void run_ranges(std::size_t n, FunctionRef<void(std::size_t, std::size_t)> body);

/// Calls body(i) once for each i in [0, nchunks), like run_ranges(): in order and inline if there is one
/// thread.
template <class Body>
void run_chunks(std::size_t nchunks, Body&& body) {
  run_ranges(nchunks, [&body](std::size_t begin, std::size_t end) {
    for (std::size_t i = begin; i < end; ++i)
      body(i);
  });
}

/// Calls body() executor_workers() times, on the calling thread and on idle workers. The body chooses its
/// part of the work, and must not wait for communication.
/// \completion all calls have returned
/// \threads thread-safe
/// \throws the first exception of a call, after the running calls have returned
DASH_API void run_on_workers(FunctionRef<void()> body);

/// A value that a job passes on to the jobs it creates: the id of the team to which they belong, 0 for that of all units.
using JobTag = std::int32_t;

/// The tag of the innermost JobTagScope of the caller, otherwise that of the calling job; outside of jobs 0, the id of the
/// team of all units.
DASH_API JobTag current_job_tag() noexcept;

/// Sets the tag for jobs that the caller creates, until the end of the scope, in which it must not wait.
class DASH_API JobTagScope {
 public:
  explicit JobTagScope(JobTag tag) noexcept;
  ~JobTagScope();
  JobTagScope(const JobTagScope&) = delete;
  JobTagScope& operator=(const JobTagScope&) = delete;

 private:
  JobTag _outer;
};

/// A unit of work that may wait. It runs once, on a separate stack, and is suspended while it waits. It may
/// continue on another thread.
class DASH_API Job {
 public:
  enum class Priority : std::uint8_t { low, normal, high };

  explicit Job(Priority priority = Priority::normal) noexcept : Job(priority, current_job_tag()) {}
  Job(Priority priority, JobTag tag) noexcept : _priority(priority), _tag(tag) {}
  Job(const Job&) = delete;
  Job& operator=(const Job&) = delete;

  /// Runs the job. The executor does not access the job afterwards: it may delete itself.
  virtual void run() noexcept = 0;

  Priority priority() const noexcept { return _priority; }
  JobTag tag() const noexcept { return _tag; }

 protected:
  ~Job() = default;
  void set_priority(Priority priority) noexcept { _priority = priority; }

 private:
  friend class JobQueue;
  Job* _next = nullptr;
  Priority _priority;
  JobTag _tag;
};

/// Announces a job that will be submitted: finish_jobs() waits for it. \threads thread-safe
DASH_API void announce_job() noexcept;

/// Enqueues an expected job. It runs on a worker of the unit, or on a thread that waits or makes progress: by
/// priority, and in the order of submission within a priority. \threads thread-safe   \blocks never
DASH_API void submit_job(Job& job) noexcept;

/// Whether the caller runs in a job.
DASH_API bool in_job() noexcept;

/// Lets ready jobs run: suspends the caller if it is a job, else runs one job on the calling thread.
/// \returns whether a job ran
DASH_API bool yield_to_jobs() noexcept;

/// Returns when no job is expected, queued, running or suspended; logs a warning if that takes long.
/// \throws exception::RuntimeError in a job, since it would wait for itself
DASH_API void finish_jobs();

/// Ends the execution of jobs on workers. Jobs that have not finished do not run any more.
DASH_API void stop_executor() noexcept;

/// Identity of the calling job, or of the calling thread outside of jobs. Use it instead of a thread id
/// for resources, such as locks, that a job may own while it is suspended.
DASH_API const void* current_execution() noexcept;

/// Numbers of jobs, for tests and statistics.
struct JobCounts {
  std::size_t unfinished = 0;  // expected, queued, running or suspended
  std::size_t waiting = 0;     // suspended
};
DASH_API JobCounts job_counts() noexcept;

/// Name and version of the library that runs the threads. \threads thread-safe
DASH_API std::string executor_library();

}  // namespace dash::exec
