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
/// Tasks that are ordered by the memory they use, on all units; docs/tasks.md explains them.
///
/// The result is that of running them one after the other: phase by phase, within a phase unit by
/// unit, on each unit in the order in which they were made.

namespace dash::tasks {

/// Which of several tasks that could run runs first.
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
  friend class Domain;
  GlobalUses* _global = nullptr;  // of a task that uses global memory, else null
};

/// Takes over the caller's reference. \throws exception::RuntimeError in a task, if global memory
/// is among them: its place in the order would be a matter of chance
DASH_API void start(Task& task, std::span<const Dependency> dependencies);
/// The copy that a task is to wait for. \returns the dependency on the buffer
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

/// Makes a task that runs f() when those are done that it has to wait for.
/// \param arguments  in(...), out(...), inout(...), copyin(...), a priority; in any order
/// \throws exception::InvalidArgument for global memory that is not within a live allocation.
///         What f throws cancels the tasks that have not begun, here and where others depend on
///         them, and reaches wait()
/// \threads any, but tasks that use global memory outside of tasks, by one thread at a time
/// \blocks never   \cost one allocation, and what TaskGraph::access costs; no message
template <class F, class... Args>
requires std::is_invocable_v < std::decay_t<F>
& > void async(F&& f, const Args&... arguments) {
  const internal::Arguments all(arguments...);
  internal::start(*new internal::FunctionTask<std::decay_t<F>>(all.priority(), std::forward<F>(f)),
                  all.dependencies());
}

/// The same, with a future of the result. It fails with what f throws, and with
/// exception::Cancelled if the task is cancelled, be it by itself. In the task a wait for it throws
/// exception::RuntimeError, since it could never end.
template <class F, class... Args>
requires std::is_invocable_v < std::decay_t<F>
& > auto async_handle(F&& f, const Args&... arguments) {
  internal::HandledCall<std::decay_t<F>> call(std::forward<F>(f));
  auto future = call.future();
  async(std::move(call), arguments...);
  return future;
}

/// One task for each `chunk` elements from first to last: f(begin, end) of the chunk.
/// \param dependencies  a function of begin and end that returns a Dependency or Dependencies
/// \param more          as async: further dependencies of each task, a priority
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

/// \overload without dependencies of each chunk's own
template <class It, class F, class... Args>
requires(!std::ranges::range<It> &&
         std::is_invocable_v<const F&, It, It>) void taskloop(It first, It last, std::size_t chunk,
                                                              const F& f, const Args&... more) {
  taskloop(
      first, last, chunk, f, [](const It&, const It&) { return Dependencies(); }, more...);
}

/// \overload of a range
template <class Range, class F, class... Args>
requires(
    std::ranges::range<Range> ||
    internal::GlobalRange<std::remove_reference_t<Range>>) void taskloop(Range&& range,
                                                                         std::size_t chunk,
                                                                         const F& f,
                                                                         const Args&... arguments) {
  taskloop(range.begin(), range.end(), chunk, f, arguments...);
}

/// Ends a phase: the units tell each other what their tasks use of other units' memory. Tasks that
/// use global memory run from then on; others begin as soon as they may. Runs tasks while it waits.
/// \collective over all units   \blocks until all units have called it, not until tasks have run
/// \throws exception::RuntimeError in a task; and on all units if one lacks memory for the exchange:
///         then the phase goes on
/// \cost an exchange of some bytes between all units, and a get from each one that has named memory
///       of the caller
DASH_API void phase();

/// The number of the current phase, from 0 on: of phases that have ended since dash::init.
DASH_API std::size_t current_phase() noexcept;

/// Ends the phase, returns when all tasks of all units have finished, and ends a cancellation.
/// \collective over all units   \blocks until all units have called it and their tasks are done
/// \throws what a task of this unit has thrown; exception::RuntimeError on the others, with its
///         text; exception::RuntimeError in a task, which it would wait for; what phase() throws
DASH_API void wait();

/// From a task: lets others run that are ready; from outside, runs one.
DASH_API void yield();

/// Cancels the tasks of this unit that have not begun, and those of others that depend on them.
/// Waits for nothing, and is no error.
DASH_API void cancel() noexcept;

/// From a task of each unit: cancels the tasks of all, and ends the calling one.
/// \throws what ends the task; let it pass
[[noreturn]] DASH_API void cancel_barrier();

}  // namespace dash::tasks
