#include "dash/async/PollContext.h"

#include "base/ThreadRole.h"

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

}  // namespace dash::exec
