#include "dash/async/Executor.h"

#include <oneapi/tbb/blocked_range.h>
#include <oneapi/tbb/parallel_for.h>
#include <oneapi/tbb/task_arena.h>
#include <oneapi/tbb/task_scheduler_observer.h>
#include <oneapi/tbb/version.h>

#include <algorithm>
#include <memory>
#include <mutex>
#include <optional>

#include "executor/Arena.h"
#include "base/TsanHandover.h"
#include "executor/Scheduler.h"
#include "dash/Exception.h"
#include "dash/async/Watch.h"
#include "dash/core/Clock.h"
#include "dash/core/CpuSet.h"
#include "dash/core/Log.h"
#include "dash/core/Topology.h"
#include "dash/core/Trace.h"

namespace dash::exec {

namespace {

/// What goes from thread to thread through the arena.
TsanHandover& handed_over() {
  static TsanHandover instance;
  return instance;
}

/// What runs in the arena. oneTBB copies it where it makes a task of another: what it refers to is
/// taken and handed over there.
class Calls {
 public:
  explicit Calls(FunctionRef<void(int)> body) : _body(body) {}
  Calls(const Calls& other) : _body((handed_over().take(), other._body)) { handed_over().give(); }
  Calls& operator=(const Calls&) = delete;
  ~Calls() = default;

  void operator()(const tbb::blocked_range<int>& range) const {
    handed_over().take();
    for (int i = range.begin(); i != range.end(); ++i)
      _body(tbb::this_task_arena::current_thread_index());
    handed_over().give();
  }

 private:
  FunctionRef<void(int)> _body;
};

/// Binds the workers of an arena when they first come: oneTBB starts them with the processors that the
/// process had when it first looked, which may have been before the unit was given its share.
class Binder final : public tbb::task_scheduler_observer {
 public:
  Binder(tbb::task_arena& arena, const core::CpuSet& processors)
      : tbb::task_scheduler_observer(arena), _processors(processors) {
    handed_over().give();
    observe(true);
  }
  Binder(const Binder&) = delete;
  Binder& operator=(const Binder&) = delete;
  ~Binder() override {
    observe(false);  // which waits for those that are being called
    handed_over().take();
  }

  void on_scheduler_entry(bool is_worker) override {
    if (!is_worker) return;
    handed_over().take();
    static thread_local core::CpuSet bound_to;
    if (bound_to != _processors) {
      try {
        core::bind_this_thread(_processors);
      } catch (const std::exception& error) {
        core::log(core::LogLevel::debug, std::string("a worker is not bound: ") + error.what());
      }
      bound_to = _processors;
    }
    handed_over().give();
  }

 private:
  core::CpuSet _processors;
};

/// The arena of this unit, whose threads may use the processors of the thread that set their number:
/// the unit's share.
struct Executor {
  std::mutex mutex;
  int workers = 1;
  core::CpuSet processors;
  std::unique_ptr<tbb::task_arena> arena;  // made when first needed
  std::unique_ptr<Binder> binder;

  tbb::task_arena& get() {
    std::lock_guard lock(mutex);
    return made();
  }

  /// Under the lock: the progress thread calls it for a job that another thread may have finished
  /// meanwhile, after which the arena may go.
  void enqueue_serve() {
    std::lock_guard lock(mutex);
    made().enqueue([] { Scheduler::instance().serve(); });
  }

  void set(int number, const core::CpuSet& their_processors) {
    std::lock_guard lock(mutex);
    if (number != workers || their_processors != processors) {
      binder.reset();
      arena.reset();
    }
    workers = number;
    processors = their_processors;
  }

 private:
  tbb::task_arena& made() {
    if (!arena) {
      arena = std::make_unique<tbb::task_arena>(workers);
      if (!processors.empty()) binder = std::make_unique<Binder>(*arena, processors);
    }
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
}

void stop_executor() noexcept {
  Scheduler& scheduler = Scheduler::instance();
  scheduler.dismiss_workers();
  if (const std::size_t left = scheduler.unfinished()) {
    core::log(core::LogLevel::warn, std::to_string(left) + " tasks are left and will not run");
  }
}

void arena_enqueue_serve() noexcept {
  executor().enqueue_serve();
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

void arena_run(FunctionRef<void(int)> body) {
  // Isolated: a thread that waits here for the others takes on nothing else, as the jobs that an
  // idle worker would look for.
  executor().get().execute([&] {
    tbb::this_task_arena::isolate([&] {
      tbb::parallel_for(tbb::blocked_range<int>(0, executor_workers(), 1), Calls(body),
                        tbb::simple_partitioner());
    });
  });
  handed_over().take();
}

std::string executor_library() {
  return std::string("oneTBB ") + TBB_runtime_version();
}

}  // namespace dash::exec
