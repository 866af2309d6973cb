#include "dash/async/Operation.h"

#include <algorithm>
#include <utility>
#include <vector>

#include "dash/async/Deferred.h"
#include "dash/async/Group.h"
#include "dash/core/Statistics.h"

namespace dash::exec {

namespace {

using States = std::vector<StatePtr<State>>;

/// \returns the first failure in the order of the states; null if there is none or the group cannot fail
std::exception_ptr failure_of(const States& children, bool may_fail) noexcept {
  if (!may_fail) return nullptr;
  for (const StatePtr<State>& child : children) {
    if (child->failed()) return child->error();
  }
  return nullptr;
}

/// Completes when all of several states are done.
class OperationGroup final : public State, private Countdown {
 public:
  OperationGroup(States children, bool may_fail)
      : Countdown(*this, children.size()), _may_fail(may_fail), _children(std::move(children)) {}

  Label label() const noexcept override { return {"several operations"}; }

  void start() {
    for (const StatePtr<State>& child : _children)
      add(*child);
    if (end()) finish();
  }

 private:
  void finish() noexcept override {
    std::exception_ptr error = failure_of(_children, _may_fail);
    _children.clear();
    if (error != nullptr) {
      fail(std::move(error));
    } else {
      complete();
    }
    release();
  }

  bool _may_fail;
  States _children;
};

/// The same if some of them are lazy.
class LazyGroup final : public LazyState<void> {
 public:
  LazyGroup(States children, bool may_fail) : _may_fail(may_fail), _children(std::move(children)) {}

 private:
  void compute() noexcept override {
    set_result_of(
        [&] {
          for (const StatePtr<State>& child : _children)
            child->wait();
          if (std::exception_ptr error = failure_of(_children, _may_fail))
            std::rethrow_exception(error);
        },
        [&] { _children.clear(); });
  }
  bool try_compute() noexcept override {
    if (!std::all_of(_children.begin(), _children.end(),
                     [](const StatePtr<State>& child) { return child->test(); }))
      return false;
    compute();
    return true;
  }

  bool _may_fail;
  States _children;
};

Operation group(std::span<const Operation> operations, bool may_fail) {
  States children;
  bool is_lazy = false;
  const Operation* last = nullptr;
  for (const Operation& operation : operations) {
    State* const state = operation.state().get();
    if (state == nullptr || (state->done() && !(may_fail && state->failed()))) continue;
    if (last == nullptr) {
      last = &operation;
      continue;
    }
    if (children.empty()) {
      children.reserve(operations.size());
      children.push_back(last->state());
      is_lazy = children.back()->needs_waiter();
    }
    children.push_back(operation.state());
    is_lazy = is_lazy || state->needs_waiter();
  }
  if (last == nullptr) return {};
  if (children.empty() && may_fail) return *last;
  if (children.empty()) {
    children.push_back(last->state());
    is_lazy = children.back()->needs_waiter();
  }
  if (is_lazy) {
    return Operation(StatePtr<State>::adopt(new LazyGroup(std::move(children), may_fail)));
  }
  auto* const state = new OperationGroup(std::move(children), may_fail);
  Operation result(StatePtr<State>::share(state));
  try {
    state->start();
  } catch (...) {
    state->release();  // no continuation is attached, so nothing else will complete and release it
    throw;
  }
  return result;
}

}  // namespace

void Operation::wait() {
  if (!_state) return core::count(core::Counter::waits_ready);
  _state->wait();
  if (_state->failed()) std::rethrow_exception(_state->error());
}

Operation when_all(std::span<const Operation> operations) {
  return group(operations, true);
}

Operation when_all_settled(std::span<const Operation> operations) {
  return group(operations, false);
}

}  // namespace dash::exec
