#include "dash/async/Executor.h"

#include <oneapi/tbb/blocked_range.h>
#include <oneapi/tbb/parallel_for.h>
#include <oneapi/tbb/task_arena.h>
#include <oneapi/tbb/version.h>

#include <algorithm>
#include <memory>
#include <mutex>

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

}  // namespace

int executor_workers() noexcept {
  return executor().workers;
}

void set_executor_workers(int workers) noexcept {
  Executor& self = executor();
  std::lock_guard lock(self.mutex);
  workers = std::max(workers, 1);
  if (workers == self.workers) return;
  self.workers = workers;
  self.arena.reset();
}

void run_chunks(std::size_t nchunks, FunctionRef<void(std::size_t)> body) {
  if (executor_workers() == 1 || nchunks <= 1) {
    for (std::size_t i = 0; i < nchunks; ++i)
      body(i);
    return;
  }
  executor().get().execute([&] {
    // One task per chunk: the caller has cut them to the size it wants.
    tbb::parallel_for(
        tbb::blocked_range<std::size_t>(0, nchunks, 1),
        [&](const tbb::blocked_range<std::size_t>& range) {
          for (std::size_t i = range.begin(); i != range.end(); ++i)
            body(i);
        },
        tbb::simple_partitioner());
  });
}

std::string executor_library() {
  return std::string("oneTBB ") + TBB_runtime_version();
}

}  // namespace dash::exec
