#include "dash/async/ComputationScope.h"

#include <array>
#include <mutex>
#include <utility>

#include "dash/Exception.h"
#include "future/StateGraph.h"

namespace dash::exec {

namespace {

/// Limits of the search for a cycle. A longer cycle is not found.
constexpr int max_visited = 4096;
constexpr std::size_t max_branches = 256;
/// Nested functions that wait or test, and run others in the meantime.
constexpr int max_nested = 16;

constinit thread_local ComputationScope* innermost = nullptr;

}  // namespace

// Not inlined: the caller may continue on another thread between two calls, and a compiler that inlines
// them may reuse the address of the first thread's variable.
[[gnu::noinline]] ComputationScope::ComputationScope(State& result) noexcept
    : _result(&result), _outer(innermost) {
  innermost = this;
}

[[gnu::noinline]] ComputationScope::~ComputationScope() {
  innermost = _outer;
}

[[gnu::noinline]] bool ComputationScope::nested_deeply() noexcept {
  int depth = 0;
  for (const ComputationScope* frame = innermost; frame != nullptr; frame = frame->_outer) {
    if (++depth == max_nested) return true;
  }
  return false;
}

[[gnu::noinline]] ComputationScope* ComputationScope::exchange(ComputationScope* other) noexcept {
  return std::exchange(innermost, other);
}

/// Whether `state` depends on `result`, which remains pending, since the caller will complete it. Therefore
/// its continuations remain attached and the states that depend on them remain pending; they could only
/// be cancelled, which the lock prevents.
bool ComputationScope::blocks(State& result, State& state) noexcept {
  std::array<State*, max_branches> found{&result};
  std::size_t nfound = 1;
  int visited = 0;
  while (nfound != 0) {
    State* const blocked = found[--nfound];
    if (blocked == &state) return true;
    // Acquire: pairs with the release in attach(), so that the continuations of the list are visible.
    Continuation* next = blocked->_continuations.load(std::memory_order_acquire);
    if (next == State::closed()) continue;
    for (; next != nullptr; next = next->_next) {
      if (++visited > max_visited || nfound == max_branches) return false;
      if (State* const dependent = next->dependent()) found[nfound++] = dependent;
    }
  }
  return false;
}

[[gnu::noinline]] void ComputationScope::check_may_wait_for(State& state) {
  if (innermost == nullptr) return;
  bool never = false;
  {
    std::lock_guard lock(state_graph_lock());
    for (const ComputationScope* frame = innermost; frame != nullptr && !never;
         frame = frame->_outer)
      never = blocks(*frame->_result, state);
  }
  if (!never) return;
  throw exception::RuntimeError(
      "a wait for a future whose value depends on the function that waits can never end; return "
      "from the function first, and continue in a then() of that future");
}

}  // namespace dash::exec
