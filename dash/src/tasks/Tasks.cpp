#include "dash/Tasks.h"

#include "Domain.h"

namespace dash::tasks {

namespace internal {

Task::Task(tasks::priority which) : GraphTask(Domain::instance().graph(), which) {}

Task::~Task() = default;

void Task::before_finish() noexcept {
  if (_global != nullptr) Domain::instance().finishes(*this);
}

void start(Task& task, std::span<const Dependency> dependencies) {
  Domain::instance().start(task, dependencies);
}

std::exception_ptr cancelled_before_begin() {
  return std::make_exception_ptr(
      exec::TaskCancelled("the task was cancelled before it began: this future has no value"));
}

Dependency start_copy(const CopyIn& copy) {
  return Domain::instance().start_copy(copy);
}

}  // namespace internal

void phase() {
  internal::Domain::instance().end_phase();
}

std::size_t current_phase() noexcept {
  return internal::Domain::instance().phase();
}

void wait() {
  internal::Domain::instance().wait();
}

void yield() {
  exec::yield_to_jobs();
}

void cancel() noexcept {
  internal::Domain::instance().graph().cancel(nullptr);
}

void cancel_barrier() {
  cancel();
  throw exec::TaskCancelled("the task has called cancel_barrier(): its future has no value");
}

}  // namespace dash::tasks
