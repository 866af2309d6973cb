#include "dash/Tasks.h"

#include "tasks/TaskDomain.h"

namespace dash::tasks {

namespace internal {

Task::Task(tasks::priority which) : GraphTask(TaskDomain::instance().graph(), which) {}

Task::~Task() = default;

void Task::before_finish() noexcept {
  if (_global != nullptr) TaskDomain::instance().report_completion(*this);
}

void start(Task& task, std::span<const Dependency> dependencies) {
  TaskDomain::instance().start(task, dependencies);
}

std::exception_ptr cancelled_before_begin() {
  return std::make_exception_ptr(
      exec::TaskCancelled("the task was cancelled before it began; this future has no value"));
}

Dependency start_copy(const CopyIn& copy) {
  return TaskDomain::instance().start_copy(copy);
}

}  // namespace internal

void phase() {
  internal::TaskDomain::instance().end_phase();
}

std::size_t current_phase() noexcept {
  return internal::TaskDomain::instance().phase();
}

void wait() {
  internal::TaskDomain::instance().wait();
}

void yield() {
  exec::yield_to_jobs();
}

void cancel() noexcept {
  internal::TaskDomain::instance().graph().cancel(nullptr);
}

void cancel_barrier() {
  cancel();
  throw exec::TaskCancelled("the task has called cancel_barrier(): its future has no value");
}

}  // namespace dash::tasks
