#include "dash/async/Executor.h"

#include <oneapi/tbb/blocked_range.h>
#include <oneapi/tbb/parallel_for.h>
#include <oneapi/tbb/task_arena.h>
#include <oneapi/tbb/version.h>

#include <algorithm>
#include <memory>
#include <mutex>
#include <optional>

#include "Arena.h"
#include "HandOver.h"
#include "Scheduler.h"
#include "dash/Exception.h"
#include "dash/async/Watch.h"
#include "dash/core/Clock.h"
#include "dash/core/Log.h"
#include "dash/core/Trace.h"

namespace dash::exec {

namespace {

/// The arena of this unit. Its threads inherit the processors of the thread that first uses it,
/// which the runtime has bound to the unit's share before.
struct Executor {
  std::mutex mutex;
  int workers = 1;
  std::unique_ptr<tbb::task_arena> arena;  // made when first needed

  tbb::task_arena& get() {
    std::lock_guard lock(mutex);
    if (!arena) arena = std::make_unique<tbb::task_arena>(workers);
    return *arena;
  }
};

Executor& executor() {
  static Executor instance;
  return instance;
}

/// finish_jobs() says what it waits for after this time.
constexpr std::uint64_t finish_report_ns = 10'000'000'000;

}  // namespace

int executor_workers() noexcept {
  return executor().workers;
}

void set_executor_workers(int workers, bool jobs_on_workers) noexcept {
  Executor& self = executor();
  workers = std::max(workers, 1);
  Scheduler& scheduler = Scheduler::instance();
  scheduler.dismiss_workers();
  {
    std::lock_guard lock(self.mutex);
    if (workers != self.workers) self.arena.reset();
    self.workers = workers;
  }
  scheduler.set_workers(jobs_on_workers ? workers : 1);
}

void stop_executor() noexcept {
  Scheduler& scheduler = Scheduler::instance();
  scheduler.dismiss_workers();
  if (const std::size_t left = scheduler.unfinished()) {
    core::log(core::LogLevel::warn, std::to_string(left) + " tasks are left and will not run");
  }
}

void arena_enqueue_serve() noexcept {
  executor().get().enqueue([] { Scheduler::instance().serve(); });
}

void expect_job() noexcept {
  Scheduler::instance().expect();
}

void submit_job(Job& job) noexcept {
  Scheduler::instance().submit(job);
}

bool in_job() noexcept {
  return Fiber::current() != nullptr;
}

bool yield_to_jobs() noexcept {
  Scheduler& scheduler = Scheduler::instance();
  if (scheduler.yield()) return true;
  const bool ran = scheduler.run_some(1, [] { return true; });
  if (scheduler.watches()) Engine::instance().notify();
  return ran;
}

void finish_jobs() {
  if (in_job()) {
    throw exception::RuntimeError(
        "a task waits until all tasks have finished, itself included; wait for their futures");
  }
  Scheduler& scheduler = Scheduler::instance();
  Engine& engine = Engine::instance();
  const std::uint64_t begin = core::now_ns();
  bool told = false;
  const Purpose purpose("the last tasks of this unit to run");
  std::optional<WatchedWait> watched;
  // Not one long wait: it has to look at the clock.
  while (const std::size_t left = scheduler.unfinished()) {
    const bool ran = scheduler.run_some(1, [] { return true; });
    if (engine.progress_as_worker() || ran) continue;
    if (watching() && !watched) watched.emplace(begin);
    engine.nap();
    if (told || core::now_ns() - begin < finish_report_ns) continue;
    told = true;
    core::log(core::LogLevel::warn, "the end waits for " + std::to_string(left) + " tasks, " +
                                        std::to_string(scheduler.waiting()) +
                                        " of which wait for something themselves");
  }
}

const void* running() noexcept {
  static thread_local char thread;
  const Fiber* const fiber = Fiber::current();
  return fiber != nullptr ? static_cast<const void*>(fiber) : &thread;
}

JobCounts job_counts() noexcept {
  const Scheduler& scheduler = Scheduler::instance();
  return {scheduler.unfinished(), scheduler.waiting()};
}

void run_chunks(std::size_t nchunks, FunctionRef<void(std::size_t)> body) {
  const auto run = [&](std::size_t chunk) {
    const core::TraceSpan span(core::TraceKind::task, "chunk");
    body(chunk);
  };
  if (executor_workers() == 1 || nchunks <= 1) {
    for (std::size_t i = 0; i < nchunks; ++i)
      run(i);
    return;
  }
  HandOver chunks;
  chunks.give();
  executor().get().execute([&] {
    // One task per chunk: the caller has cut them to the size it wants.
    tbb::parallel_for(
        tbb::blocked_range<std::size_t>(0, nchunks, 1),
        [&](const tbb::blocked_range<std::size_t>& range) {
          chunks.take();
          for (std::size_t i = range.begin(); i != range.end(); ++i)
            run(i);
          chunks.give();
        },
        tbb::simple_partitioner());
  });
  chunks.take();
}

std::string executor_library() {
  return std::string("oneTBB ") + TBB_runtime_version();
}

}  // namespace dash::exec
