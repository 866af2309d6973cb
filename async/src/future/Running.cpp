#include "dash/async/Running.h"

#include <array>
#include <mutex>
#include <utility>

#include "future/StateGraph.h"
#include "dash/Exception.h"

namespace dash::exec {

namespace {

/// Continuations looked at in the search of a cycle. A longer one is not found.
constexpr int most_looks = 4096;
constexpr std::size_t most_branches = 256;
/// Functions that wait, or look, and run another one meanwhile.
constexpr int most_nested = 16;

[[gnu::tls_model("initial-exec")]] constinit thread_local Running* innermost = nullptr;

}  // namespace

// Not inlined: the caller may go on on another thread in between, whose variable this is then.
[[gnu::noinline]] Running::Running(State& result) noexcept : _result(&result), _outer(innermost) {
  innermost = this;
}

[[gnu::noinline]] Running::~Running() {
  innermost = _outer;
}

[[gnu::noinline]] bool Running::nested_deeply() noexcept {
  int depth = 0;
  for (const Running* frame = innermost; frame != nullptr; frame = frame->_outer) {
    if (++depth == most_nested) return true;
  }
  return false;
}

[[gnu::noinline]] Running* Running::exchange(Running* other) noexcept {
  return std::exchange(innermost, other);
}

/// Whether `state` depends on `result`, which is pending and stays so, since the caller is to
/// complete it. What is attached to it stays, too, and what depends on that is pending for the same
/// reason: it can only be cancelled, which the lock keeps away.
bool Running::blocks(State& result, State& state) noexcept {
  std::array<State*, most_branches> found{&result};
  std::size_t nfound = 1;
  int looks = 0;
  while (nfound != 0) {
    State* const blocked = found[--nfound];
    if (blocked == &state) return true;
    Continuation* next = blocked->_continuations.load(std::memory_order_acquire);
    if (next == State::closed()) continue;
    for (; next != nullptr; next = next->_next) {
      if (++looks > most_looks || nfound == most_branches) return false;
      if (State* const dependent = next->dependent()) found[nfound++] = dependent;
    }
  }
  return false;
}

[[gnu::noinline]] void Running::check_may_wait_for(State& state) {
  if (innermost == nullptr) return;
  bool never = false;
  {
    std::lock_guard lock(state_graph_lock());
    for (const Running* frame = innermost; frame != nullptr && !never; frame = frame->_outer)
      never = blocks(*frame->_result, state);
  }
  if (!never) return;
  throw exception::RuntimeError(
      "a wait for a future whose value depends on the function that waits can never end; return "
      "from the function first, and go on in a then() of that future");
}

}  // namespace dash::exec
