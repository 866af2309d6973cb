#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "dash/async/CopyJob.h"
#include "dash/async/FunctionRef.h"
#include "dash/async/HostLoad.h"
#include "dash/async/Operation.h"
#include "dash/async/PollContext.h"
#include "dash/async/PollSource.h"
#include "dash/async/SharedWord.h"
#include "dash/async/State.h"
#include "dash/core/CpuSet.h"
#include "dash/core/Export.h"
#include "dash/core/NumaDomain.h"
#include "dash/core/Settings.h"

namespace dash::exec {

class ProgressService;
class Scheduler;

/// Drives the operations in flight: polls the sources, on its own thread and on behalf of callers that
/// wait, and runs continuations.
///
/// There is one engine per process. It works without the runtime; then only callers poll.
class DASH_API Engine {
 public:
  struct Options {
    core::ProgressMode mode = core::ProgressMode::automatic;
    /// How long a waiting caller spins before it sleeps, and the progress thread after its last work.
    std::uint64_t caller_spin_ns = 0;
    std::uint64_t thread_spin_ns = 0;
    /// Units share processors: a caller that waits for another unit yields some times before it sleeps.
    bool caller_yields = false;
    /// The host has more units than processors: threads of the library run less often, and callers that wait poll.
    bool units_share_processors = false;
    /// Interval at which the idle progress thread polls to serve other units.
    std::uint64_t service_interval_ns = 0;
    /// Processors that the progress thread may use while they are free; it is not bound if empty.
    core::CpuSet thread_processors;
    /// The number of processors that only this unit uses; 0 if it shares them or its threads are not bound. The progress
    /// thread may spin while the main thread and the workers use fewer.
    int num_own_processors = 0;
    /// The processor to which the calling thread, the unit's main thread, is bound; empty if it is not
    /// bound or may use several. While the owners of all processors are awake, the progress thread runs on this one.
    core::CpuSet main_processors;
    /// NUMA domains of the unit's share of the host; each gets a copy queue. None counts as one.
    std::vector<core::NumaDomain> domains;
    /// Shared by the units of the host; null if the engine keeps its own.
    HostLoad* host_load = nullptr;
    /// The number of callers that wait and poll, for other units of the node; null if no other unit reads it.
    std::atomic<std::uint32_t>* waiting_callers = nullptr;
  };

  /// The engine of this process.
  static Engine& instance();

  /// Starts the progress thread, unless the mode is `poll`.
  /// \pre not started; no copy is in flight
  void start(const Options& options);

  /// Ends the progress thread and removes all sources.
  /// \pre no operation is in flight
  void stop() noexcept;

  bool has_thread() const noexcept;

  /// \pre the source outlives its registration; no thread polls during the call
  void add_source(PollSource& source);
  void remove_source(PollSource& source) noexcept;

  /// Copies `nbytes` in the background, chunk by chunk, on the progress thread and on waiting callers.
  /// \completion remote: the copy is visible to all units of the node
  Operation copy_async(void* dest, const void* src, std::size_t nbytes);

  /// Starts a copy that is not one contiguous block. Takes over the producer's reference.
  Operation copy_async(CopyJob& job);

  /// Wakes the progress thread or, if there is none, the callers that poll in its place, because there is work.
  /// \cost an atomic instruction if the thread does not sleep; two without a thread
  void notify() noexcept;

  /// The same, unless the thread has backed off because callers poll at present: it checks for work when its sleep of a
  /// millisecond ends, or of several if units share processors.
  void notify_soon() noexcept;

  /// Wakes all sleeping callers, since the words or conditions for which they have to sleep may have changed.
  void wake_callers() noexcept;

  /// Wakes the progress thread even from a sleep in which it relies on polling callers: the caller
  /// starts a large operation and may not poll for it. As notify_soon() if units share processors.
  /// \cost a system call if the thread sleeps
  void wake_progress_thread() noexcept;

  /// Makes one round of progress on the calling thread, including continuations, and jobs if the executor
  /// has no other threads. A job that calls it lets other jobs run.
  /// \returns whether anything advanced
  bool progress() noexcept;

  /// Makes one round of progress without running jobs. \returns whether anything advanced
  bool progress_without_jobs() noexcept;

  /// Polls the sources once, and runs neither continuations nor jobs: for a caller that repeats an operation on memory
  /// until another unit has changed it. Without effect on the progress thread and, unless `on_any_thread`, on other threads
  /// than that which has started the engine.
  void serve(bool on_any_thread) noexcept;

  /// Returns when `done()` is true: the caller spins, makes progress, then sleeps. `done` must become
  /// true by the completion of a state of this process or before a call of completed(). A job is
  /// suspended; then any thread may call `done`, with a lock held: it must be short and must not wait.
  /// \throws exception::RuntimeError on the progress thread
  void wait_until(FunctionRef<bool()> done);

  /// The same, but returns at the latest at a time of core::now_ns().
  /// \returns whether `done()` was true
  bool wait_until(FunctionRef<bool()> done, std::uint64_t deadline_ns);

  /// Returns when `done(word.value)` is true; another unit may change the word.
  /// Suspends jobs like wait_until().
  void wait_shared(SharedWord& word, FunctionRef<bool(std::uint32_t)> done);

  /// Wakes the threads of this process that wait, since a condition may have become true.
  /// \threads thread-safe   \blocks never
  void completed() noexcept;

 private:
  friend class Scheduler;
  friend ProgressService& progress_service() noexcept;
  Engine();
  ~Engine();
  struct Impl;
  std::unique_ptr<Impl> _impl;
};

}  // namespace dash::exec
