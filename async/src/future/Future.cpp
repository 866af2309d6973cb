#include "dash/Future.h"

#include <string>

#include "dash/Task.h"

namespace dash::exec {

void throw_invalid_future(const char* called) {
  throw exception::RuntimeError(std::string("Future::") + called +
                                ": this future is invalid (default constructed or moved from); it "
                                "has to be obtained from an operation, a promise or a value");
}

void throw_fulfilled_promise(const char* called) {
  throw exception::RuntimeError(std::string("Promise::") + called +
                                ": this promise has already been fulfilled or was moved from; it "
                                "can be fulfilled once");
}

std::exception_ptr broken_promise() {
  return std::make_exception_ptr(
      exception::RuntimeError("promise destroyed without a value: its future cannot be ready"));
}

void throw_empty_task(const char* called) {
  throw exception::RuntimeError(std::string("Task::") + called +
                                ": this task is empty (default constructed, moved from, or already "
                                "started); obtain a task from a coroutine that returns a Task");
}

}  // namespace dash::exec
