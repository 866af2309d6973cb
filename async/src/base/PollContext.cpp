#include "dash/async/PollContext.h"

#include "base/ThreadRole.h"
#include "dash/Exception.h"

namespace dash::exec {

namespace {

constinit thread_local int poll_depth = 0;

}  // namespace

bool on_progress_thread() noexcept {
  return is_progress_thread;
}

PollScope::PollScope() noexcept {
  ++poll_depth;
}
PollScope::~PollScope() {
  --poll_depth;
}
bool PollScope::active() noexcept {
  return poll_depth != 0;
}

bool may_wait() noexcept {
  return !is_progress_thread && !PollScope::active();
}

void check_may_wait() {
  if (PollScope::active()) {
    throw exception::RuntimeError(
        "a function of dash::am or of a dash::Aggregator must not wait, nor a function that reads "
        "a result; dash::rpc runs a function as a task, which may wait");
  }
  if (is_progress_thread) {
    throw exception::RuntimeError(
        "a wait on the progress thread can never end; wait on a thread of the application, or "
        "use then()");
  }
}

}  // namespace dash::exec
