#include "dash/async/Executor.h"

#include <oneapi/tbb/blocked_range.h>
#include <oneapi/tbb/parallel_for.h>
#include <oneapi/tbb/task_arena.h>
#include <oneapi/tbb/task_scheduler_observer.h>
#include <oneapi/tbb/version.h>

#include <algorithm>
#include <atomic>
#include <memory>
#include <mutex>
#include <optional>
#include <utility>

#include "base/ProgressService.h"
#include "base/TsanHandover.h"
#include "dash/Exception.h"
#include "dash/async/PollContext.h"
#include "dash/async/Watch.h"
#include "dash/core/Clock.h"
#include "dash/core/CpuSet.h"
#include "dash/core/Log.h"
#include "dash/core/Topology.h"
#include "dash/core/Trace.h"
#include "executor/Arena.h"
#include "executor/Scheduler.h"

namespace dash::exec {

namespace {

/// For all data that passes between threads through the arena.
TsanHandover& arena_handover() {
  static TsanHandover instance;
  return instance;
}

/// The body of a parallel loop in the arena. oneTBB copies it when it splits a task, which is where data
/// passes from one thread to another.
class Calls {
 public:
  explicit Calls(FunctionRef<void(int)> body) : _body(body) {}
  Calls(const Calls& other) : _body((arena_handover().acquire(), other._body)) {
    arena_handover().release();
  }
  Calls& operator=(const Calls&) = delete;
  ~Calls() = default;

  void operator()(const tbb::blocked_range<int>& range) const {
    arena_handover().acquire();
    for (int i = range.begin(); i != range.end(); ++i)
      _body(tbb::this_task_arena::current_thread_index());
    arena_handover().release();
  }

 private:
  FunctionRef<void(int)> _body;
};

/// In the arena of the executor: there is one at a time.
std::atomic<int> num_active_workers{0};

/// Counts the workers in an arena, and binds them when they enter it for the first time. oneTBB starts them with the
/// processors that the process had at its first use, possibly before the unit was bound to its share.
class WorkerObserver final : public tbb::task_scheduler_observer {
 public:
  WorkerObserver(tbb::task_arena& arena, const core::CpuSet& processors)
      : tbb::task_scheduler_observer(arena), _processors(processors) {
    arena_handover().release();
    observe(true);
  }
  WorkerObserver(const WorkerObserver&) = delete;
  WorkerObserver& operator=(const WorkerObserver&) = delete;
  ~WorkerObserver() override {
    observe(false);  // waits for calls in progress; workers that leave later are not observed
    num_active_workers.store(0, std::memory_order_relaxed);
    arena_handover().acquire();
  }

  void on_scheduler_entry(bool is_worker) override {
    if (!is_worker) return;
    arena_handover().acquire();
    num_active_workers.fetch_add(1, std::memory_order_relaxed);
    if (!_processors.empty()) bind();
    arena_handover().release();
  }
  void on_scheduler_exit(bool is_worker) override {
    if (is_worker) num_active_workers.fetch_sub(1, std::memory_order_relaxed);
  }

 private:
  void bind() const noexcept {
    static thread_local core::CpuSet bound_to;
    if (bound_to == _processors) return;
    try {
      core::bind_this_thread(_processors);
    } catch (const std::exception& error) {
      core::log(core::LogLevel::debug, std::string("a worker is not bound: ") + error.what());
    }
    bound_to = _processors;
  }

  core::CpuSet _processors;
};

/// The arena of this unit. Its threads may use the processors of the thread that called
/// set_executor_workers(): the unit's share.
struct Executor {
  std::mutex mutex;
  int workers = 1;
  core::CpuSet processors;
  std::unique_ptr<tbb::task_arena> arena;  // created on first use
  std::unique_ptr<WorkerObserver> observer;

  tbb::task_arena& get() {
    std::lock_guard lock(mutex);
    return get_locked();
  }

  /// Holds the lock during the call: the progress thread calls it for a job that another thread may finish at
  /// the same time, after which the arena may be destroyed.
  void enqueue_serve(Scheduler& scheduler) {
    std::lock_guard lock(mutex);
    get_locked().enqueue([&scheduler] { scheduler.serve(); });
  }

  void set(int number, const core::CpuSet& their_processors) {
    std::lock_guard lock(mutex);
    if (number != workers || their_processors != processors) {
      observer.reset();
      arena.reset();
    }
    workers = number;
    processors = their_processors;
  }

 private:
  tbb::task_arena& get_locked() {
    if (!arena) {
      arena = std::make_unique<tbb::task_arena>(workers);
      observer = std::make_unique<WorkerObserver>(*arena, processors);
    }
    return *arena;
  }
};

Executor& executor() {
  static Executor instance;
  return instance;
}

/// finish_jobs() reports what it waits for after this time.
constexpr std::uint64_t finish_report_ns = 10'000'000'000;

}  // namespace

int executor_workers() noexcept {
  return executor().workers;
}

bool has_job_workers() noexcept {
  return Scheduler::instance().workers() > 1;
}

void set_executor_workers(int workers, bool jobs_on_workers) noexcept {
  workers = std::max(workers, 1);
  Scheduler& scheduler = Scheduler::instance();
  scheduler.dismiss_workers();
  core::CpuSet processors;
  try {
    processors = core::this_thread_affinity();
  } catch (const std::exception& error) {
    core::log(core::LogLevel::debug, error.what());
  }
  executor().set(workers, processors);
  scheduler.set_workers(jobs_on_workers ? workers : 1);
  progress_service().notify_thread();  // now it may have to poll for jobs and continuations
}

void stop_executor() noexcept {
  Scheduler& scheduler = Scheduler::instance();
  scheduler.dismiss_workers();
  if (const std::size_t left = scheduler.unfinished()) {
    core::log(core::LogLevel::warn,
              std::to_string(left) + " tasks have not finished and will not run");
  }
}

int active_workers() noexcept {
  return num_active_workers.load(std::memory_order_relaxed);
}

void arena_enqueue_serve(Scheduler& scheduler) noexcept {
  executor().enqueue_serve(scheduler);
}

void announce_job() noexcept {
  Scheduler::instance().announce();
}

void submit_job(Job& job) noexcept {
  Scheduler::instance().submit(job);
}

/// The tag of the calling job, or of the thread. Not inlined: a job may continue on another thread, and compilers keep
/// addresses of thread_local variables.
[[gnu::noinline]] static JobTag& job_tag() noexcept {
  constinit static thread_local JobTag of_thread = 0;
  Fiber* const fiber = Fiber::current();
  return fiber != nullptr ? fiber->job_tag() : of_thread;
}

JobTag current_job_tag() noexcept {
  return job_tag();
}

JobTagScope::JobTagScope(JobTag tag) noexcept : _outer(std::exchange(job_tag(), tag)) {}
JobTagScope::~JobTagScope() {
  job_tag() = _outer;
}

bool in_job() noexcept {
  return Fiber::current() != nullptr;
}

bool yield_to_jobs() noexcept {
  if (PollScope::active()) return false;
  Scheduler& scheduler = Scheduler::instance();
  if (scheduler.yield()) return true;
  const bool ran = scheduler.run_some(1, [] { return true; });
  progress_service().leave_suspended_jobs();
  return ran;
}

void finish_jobs() {
  if (in_job()) {
    throw exception::RuntimeError(
        "a task waits until all tasks have finished, itself included; wait for their futures");
  }
  Scheduler& scheduler = Scheduler::instance();
  ProgressService& service = progress_service();
  const std::uint64_t begin = core::now_ns();
  bool reported = false;
  const Purpose purpose("the last tasks of this unit to run");
  std::optional<WatchedWait> watched;
  // Many short waits rather than one: the loop checks the time for its report.
  while (const std::size_t left = scheduler.unfinished()) {
    const bool ran = scheduler.run_some(Scheduler::jobs_between_polls, [] { return false; });
    if (service.progress_without_jobs() || ran) continue;
    if (watchdog_enabled() && !watched) watched.emplace(begin, false);
    service.sleep_briefly();
    if (reported || core::now_ns() - begin < finish_report_ns) continue;
    reported = true;
    core::log(core::LogLevel::warn, "shutdown waits for " + std::to_string(left) + " tasks, " +
                                        std::to_string(scheduler.waiting()) +
                                        " of which are suspended in a wait");
  }
}

const void* current_execution() noexcept {
  static thread_local char thread;
  const Fiber* const fiber = Fiber::current();
  return fiber != nullptr ? static_cast<const void*>(fiber) : &thread;
}

JobCounts job_counts() noexcept {
  const Scheduler& scheduler = Scheduler::instance();
  return {scheduler.unfinished(), scheduler.waiting()};
}

void arena_run(FunctionRef<void(int)> body) {
  // Isolated: a thread that waits here for the others must not run unrelated tasks of oneTBB, such as
  // Scheduler::serve().
  executor().get().execute([&] {
    tbb::this_task_arena::isolate([&] {
      tbb::parallel_for(tbb::blocked_range<int>(0, executor_workers(), 1), Calls(body),
                        tbb::simple_partitioner());
    });
  });
  arena_handover().acquire();
}

std::string executor_library() {
  return std::string("oneTBB ") + TBB_runtime_version();
}

}  // namespace dash::exec
