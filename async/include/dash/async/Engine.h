#pragma once

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "dash/async/CopyJob.h"
#include "dash/async/FunctionRef.h"
#include "dash/async/Operation.h"
#include "dash/async/State.h"
#include "dash/core/Export.h"
#include "dash/core/Futex.h"
#include "dash/core/NumaDomain.h"
#include "dash/core/Settings.h"
#include "dash/core/Topology.h"

namespace dash::exec {

/// What a poll source wants of the engine at the moment.
enum class Demand : std::uint8_t {
  /// Nothing can need polling.
  none,
  /// Nothing of our own is in flight, but other units may need service now and then.
  service,
  /// Something of our own is in flight, but nothing has moved for long: a silent target.
  waiting,
  /// Something is in flight, here or at a peer that needs us, and moves as fast as it is polled.
  busy
};

/// Something that the engine polls: it advances operations and completes them.
///
/// poll() takes what lock it needs, and completes states only after releasing it.
class DASH_API PollSource {
 public:
  PollSource() = default;
  PollSource(const PollSource&) = delete;
  PollSource& operator=(const PollSource&) = delete;
  virtual ~PollSource() = default;

  /// \returns whether something was advanced. \threads any; must not block
  virtual bool poll() noexcept = 0;
  virtual Demand demand() const noexcept = 0;
  /// False if only callers may poll it (MPI without MPI_THREAD_MULTIPLE).
  virtual bool thread_may_poll() const noexcept { return true; }
  /// Whether callers polled it before the thread's last poll, which left it to them.
  /// \threads the progress thread
  virtual bool callers_poll() const noexcept { return false; }
  /// Whether what moves while demand() is busy is quick, so that a caller that waits for something
  /// else goes on polling for it; what takes longer is the thread's.
  virtual bool quick() const noexcept { return true; }

  /// Whether what moves does so by polls alone: who waits for it goes on polling, if slowly, rather
  /// than leaving its processor to a thread that does the same.
  virtual bool moves_by_polls() const noexcept { return false; }
  /// Whether something large may be moving, which takes many polls; else each finds all of something
  /// small, or nothing.
  virtual bool moves_much() const noexcept { return false; }

  /// What a thread that goes to sleep has to sleep on for the sake of this source: words whose
  /// change, perhaps by another unit, lets poll() find something.
  struct Words {
    std::size_t count = 0;
    bool complete = true;  // else it has to look by itself now and then
    bool found = false;    // something has come already
  };
  virtual Words words_to_sleep_on(std::span<core::FutexWord> /*words*/) noexcept { return {}; }
  /// Whether there are such words. \blocks never
  virtual bool watches() const noexcept { return false; }
  /// Whether the progress thread, too, is to sleep on them: not where only those gain who wait.
  virtual bool thread_watches() const noexcept { return false; }
  /// Whether the thread has to look again, since a caller that polled has changed what it sleeps on.
  /// Asked when the caller goes on with something else. \returns true once
  virtual bool thread_is_behind() noexcept { return false; }
};

/// What the threads of a host's units do with its processors, in memory that the units share.
/// A thread that sleeps inside the library counts for nothing.
struct DASH_API HostLoad {
  /// Main and progress threads that want a processor.
  std::atomic<std::int32_t> awake{0};
  std::int32_t processors = 1;
  /// Counts the changes of `occupied`.
  std::atomic<std::uint32_t> changes{0};
  /// The processors to which main threads are bound that are awake.
  std::array<std::atomic<std::uint64_t>, core::CpuSet::capacity / 64> occupied{};

  void occupy(const core::CpuSet& set) noexcept;
  void vacate(const core::CpuSet& set) noexcept;
  /// Those of `set` that are not occupied.
  core::CpuSet vacant(const core::CpuSet& set) const noexcept;
};

/// A word in shared memory that units sleep on, with the number of those who do.
///
/// A sleeper registers in `sleepers` and looks at `value` again before it sleeps; a waker changes
/// `value` before it looks at `sleepers`. All four accesses are sequentially consistent, so one of
/// the two sees the other.
struct DASH_API SharedWord {
  std::atomic<std::uint32_t> value{0};
  std::atomic<std::uint32_t> sleepers{0};

  /// Sets the word and wakes everybody who sleeps on it. \cost no system call if nobody does
  void publish(std::uint32_t new_value) noexcept;
  /// The same, adding to it.
  void add(std::uint32_t n) noexcept {
    value.fetch_add(n, std::memory_order_seq_cst);
    wake();
  }
  /// Wakes everybody, the word having been changed by a sequentially consistent operation.
  void wake() noexcept;
};

/// Drives whatever is in flight: polls the sources on its own thread and on behalf of callers that
/// wait, and runs continuations.
///
/// One per process; usable without the runtime having been started (then only callers poll).
class DASH_API Engine {
 public:
  struct Options {
    core::ProgressMode mode = core::ProgressMode::automatic;
    /// How long a waiting caller spins before it sleeps, and the thread after its last work.
    std::uint64_t caller_spin_ns = 0;
    std::uint64_t thread_spin_ns = 0;
    /// Units share processors: who waits for another one gives his away some times before he sleeps.
    bool caller_yields = false;
    /// Interval at which the thread polls for the sake of other units.
    std::uint64_t service_interval_ns = 0;
    /// Where the thread may run; empty leaves it unbound.
    core::CpuSet thread_processors;
    /// The unit has processors of its own besides the main thread's: the thread may spin there.
    bool has_processor_to_spare = false;
    /// To which processor the calling thread, the unit's main thread, is bound; empty if it is not,
    /// or has several. The progress thread keeps off such processors while their owners are awake.
    core::CpuSet main_processors;
    /// Of the unit's share of the host: each has a queue of copies. None is one.
    std::vector<core::NumaDomain> domains;
    /// The host's count; null for one of our own.
    HostLoad* host_load = nullptr;
  };

  /// The engine of this process.
  static Engine& instance();

  /// Starts the thread, unless the mode is `poll`.
  /// \pre not started; no copy is in flight
  void start(const Options& options);

  /// Ends the thread and forgets the sources. What is still in flight has to be completed before.
  void stop() noexcept;

  bool has_thread() const noexcept;

  /// \pre the source outlives its registration; no thread polls while sources change
  void add_source(PollSource& source);
  void remove_source(PollSource& source) noexcept;

  /// Copies `nbytes` in the background, in quanta, by the thread and whoever waits.
  /// \completion remote: the copy is visible to all units of the node
  Operation copy_async(void* dest, const void* src, std::size_t nbytes);

  /// The same for a copy of another shape. Takes over the producer's reference.
  Operation copy_async(CopyJob& job);

  /// Tells the thread that there is work for it. \cost one load if it is awake
  void notify() noexcept;

  /// Tells the thread that a caller starts something large, which it may leave to the thread.
  /// \cost a system call if the thread sleeps
  void take_over() noexcept;

  /// One round of progress by the calling thread, continuations included; jobs, too, where they
  /// have no other threads. A job that calls it lets others run.
  /// \returns whether something was advanced
  bool progress() noexcept;

  /// For the executor's workers: progress without jobs; whether something needs polling that no
  /// thread polls; a short sleep, until something completes at the most.
  /// @{
  bool progress_as_worker() noexcept;
  bool needs_callers() const noexcept;
  bool has_continuations() const noexcept;
  void nap() noexcept;
  /// @}

  /// Returns when `done()` is true: spins, helps, sleeps. `done` must become true by the completion
  /// of a state of this process. A job is set aside meanwhile; then any thread may look at `done`,
  /// with a lock held: a few instructions that do not wait.
  /// \throws exception::RuntimeError on the progress thread
  void wait_until(FunctionRef<bool()> done);

  /// The same until a time of core::now_ns() at most.
  /// \returns whether `done()` was true
  bool wait_until(FunctionRef<bool()> done, std::uint64_t deadline_ns);

  /// Returns when `done(word.value)` is true; another unit may be the one who changes the word.
  /// For jobs as wait_until.
  void wait_shared(SharedWord& word, FunctionRef<bool(std::uint32_t)> done);

  /// Takes note that a state was completed: wakes sleepers. Called by State.
  void completed() noexcept;
  /// The same where nothing has changed but a state, by a sequentially consistent operation, and the
  /// queue of continuations.
  /// \cost  a load, if nobody sleeps
  void closed() noexcept;
  /// Queues a user continuation whose time has come. Called by State.
  void post(Continuation& continuation) noexcept;

 private:
  Engine();
  ~Engine();
  struct Impl;
  std::unique_ptr<Impl> _impl;
};

/// True on the progress thread, where nothing may wait.
DASH_API bool on_progress_thread() noexcept;

/// Marks that the calling thread polls, with locks of the library held: what it starts then must not
/// wait, nor run anybody's continuations.
class DASH_API InPoll {
 public:
  InPoll() noexcept;
  ~InPoll();
  InPoll(const InPoll&) = delete;
  InPoll& operator=(const InPoll&) = delete;

  static bool active() noexcept;
};

}  // namespace dash::exec
