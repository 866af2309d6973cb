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

HandlerScope::HandlerScope() noexcept {
  ++active_handlers;
}
HandlerScope::~HandlerScope() {
  --active_handlers;
}

bool may_wait() noexcept {
  return !is_progress_thread && poll_depth == 0 && active_handlers == 0;
}

}  // namespace dash::exec
