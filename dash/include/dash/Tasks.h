#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <optional>
#include <ranges>
#include <span>
#include <type_traits>
#include <utility>
#include <vector>

#include "dash/Future.h"
#include "dash/async/TaskGraph.h"
#include "dash/core/Export.h"
#include "dash/tasks/Dependency.h"
#include "dash/tasks/HandledCall.h"

/// \file
/// Tasks ordered by the memory that they use, across all units; see docs/explanation/tasks.md.
///
/// The result is as if the tasks ran sequentially: phase by phase, within a phase unit by unit, and
/// on each unit in the order of their creation.

namespace dash::tasks {

/// Determines which of several ready tasks runs first.
/// \ingroup tasks
using priority = exec::Job::Priority;

namespace internal {

struct GlobalUses;

/// A task with its dependencies.
class DASH_API Task : public exec::GraphTask {
 public:
  explicit Task(tasks::priority which);

 protected:
  ~Task() override;
  void before_finish() noexcept override;

 private:
  friend class TaskDomain;
  GlobalUses* _global = nullptr;  // null if the task does not use global memory
};

/// Starts a task; takes over the caller's reference.
/// \throws exception::RuntimeError if called in a task for a task that uses global memory, since
///         the order of the two would not be defined
DASH_API void start(Task& task, std::span<const Dependency> dependencies);
/// Starts the copy that a task waits for. \returns the dependency on the buffer
DASH_API Dependency start_copy(const CopyIn& copy);

/// The arguments of a task besides its function.
class Arguments {
 public:
  template <class... Args>
  explicit Arguments(Args&&... args) {
    (add(std::forward<Args>(args)), ...);
  }
  void add(const Dependency& dependency) {
    if (_many.empty() && _count < _few.size()) {
      _few[_count++] = dependency;
      return;
    }
    if (_many.empty()) _many.assign(_few.begin(), _few.end());
    _many.push_back(dependency);
  }
  void add(const Dependencies& dependencies) {
    for (const Dependency& each : dependencies)
      add(each);
  }
  void add(const CopyIn& copy) { add(start_copy(copy)); }
  void add(tasks::priority which) { _priority = which; }

  tasks::priority priority() const noexcept { return _priority; }
  std::span<const Dependency> dependencies() const noexcept {
    return _many.empty() ? std::span(_few.data(), _count) : std::span(_many);
  }

 private:
  std::array<Dependency, 6> _few;
  std::size_t _count = 0;
  std::vector<Dependency> _many;
  tasks::priority _priority = tasks::priority::normal;
};

template <class F>
class FunctionTask final : public Task {
 public:
  template <class G>
  FunctionTask(tasks::priority which, G&& f) : Task(which), _f(std::forward<G>(f)) {}

 private:
  void execute() override { (*_f)(); }
  void before_finish() noexcept override {
    _f.reset();
    Task::before_finish();
  }
  std::optional<F> _f;
};

}  // namespace internal

/// Creates a task that runs f() when the tasks it depends on are done.
/// \param arguments  in(...), out(...), inout(...), copyin(...), a priority; in any order
/// \throws exception::InvalidArgument for global memory that is not within a live allocation. An
///         exception of f cancels the tasks that have not begun, on this unit and on units whose
///         tasks depend on them; wait() throws it
/// \threads thread-safe; tasks that use global memory: outside of tasks, externally synchronized
/// \blocks never   \cost one allocation and the cost of TaskGraph::enter; no message
/// \ingroup tasks
template <class F, class... Args>
requires std::is_invocable_v < std::decay_t<F>
& > void async(F&& f, const Args&... arguments) {
  const internal::Arguments all(arguments...);
  internal::start(*new internal::FunctionTask<std::decay_t<F>>(all.priority(), std::forward<F>(f)),
                  all.dependencies());
}

/// Like async(), with a future of the result. The future fails with the exception of f, or with
/// exception::Cancelled if the task is cancelled before it begins or calls cancel_barrier(). A wait
/// for the future within the task throws exception::RuntimeError, because it would never end.
/// \ingroup tasks
template <class F, class... Args>
requires std::is_invocable_v < std::decay_t<F>
& > auto async_handle(F&& f, const Args&... arguments) {
  internal::HandledCall<std::decay_t<F>> call(std::forward<F>(f));
  auto future = call.future();
  async(std::move(call), arguments...);
  return future;
}

/// Divides [first, last) into chunks of `chunk` elements and creates a task for each of them, which
/// runs f(begin, end).
/// \param dependencies  a function of begin and end that returns a Dependency or Dependencies
/// \param more          further dependencies of each task, a priority; as for async()
/// \ingroup tasks
template <class It, class F, class Deps, class... Args>
requires std::is_invocable_v<Deps&, It, It>
void taskloop(It first, It last, std::size_t chunk, const F& f, Deps dependencies,
              const Args&... more) {
  if (chunk == 0) chunk = 1;
  while (first != last) {
    const auto left = static_cast<std::size_t>(last - first);
    It end = first;
    end += static_cast<decltype(last - first)>(std::min(chunk, left));
    async([f, first, end]() mutable { f(first, end); }, dependencies(first, end), more...);
    first = end;
  }
}

/// Like taskloop() above, without dependencies that differ between chunks.
/// \ingroup tasks
template <class It, class F, class... Args>
requires(!std::ranges::range<It> &&
         std::is_invocable_v<const F&, It, It>) void taskloop(It first, It last, std::size_t chunk,
                                                              const F& f, const Args&... more) {
  taskloop(
      first, last, chunk, f, [](const It&, const It&) { return Dependencies(); }, more...);
}

/// Like taskloop() above, for the elements of a range.
/// \ingroup tasks
template <class Range, class F, class... Args>
requires(
    std::ranges::range<Range> ||
    internal::GlobalRange<std::remove_reference_t<Range>>) void taskloop(Range&& range,
                                                                         std::size_t chunk,
                                                                         const F& f,
                                                                         const Args&... arguments) {
  taskloop(range.begin(), range.end(), chunk, f, arguments...);
}

/// Ends a phase: the units exchange which memory of other units their tasks use. Tasks that use
/// global memory can run from then on; other tasks start as soon as their dependencies permit. Runs
/// tasks while it waits.
/// \collective over all units   \blocks until all units have called it; does not wait for tasks
/// \throws exception::RuntimeError if called in a task; on all units if one does not have enough
///         memory for the exchange, in which case the phase continues
/// \cost an exchange of a few bytes between all units, and a get from each unit whose tasks use
///         memory of the caller
/// \ingroup tasks
DASH_API void phase();

/// The number of phases that have ended since dash::init().
/// \ingroup tasks
DASH_API std::size_t current_phase() noexcept;

/// Ends the phase, returns when all tasks of all units have finished, and resets cancellation.
/// \collective over all units   \blocks until all units have called it and their tasks are done
/// \throws the exception of a task of this unit; on the other units, exception::RuntimeError with
///         its text; exception::RuntimeError in a task, which would wait for itself; the exceptions
///         of phase()
/// \ingroup tasks
DASH_API void wait();

/// In a task: lets other ready tasks run. Outside of tasks: runs one task.
/// \ingroup tasks
DASH_API void yield();

/// Cancels the tasks of this unit that have not begun, and tasks of other units that depend on
/// them. Does not wait, and wait() does not report it as an error.
/// \ingroup tasks
DASH_API void cancel() noexcept;

/// Called in a task of each unit: cancels the tasks of all units and ends the calling one.
/// \throws an exception that ends the task and must not be caught
/// \ingroup tasks
[[noreturn]] DASH_API void cancel_barrier();

}  // namespace dash::tasks
