#include "dash/async/Operation.h"

#include <algorithm>
#include <atomic>
#include <memory>
#include <vector>

namespace dash::exec {

namespace {

/// Complete when each of several states is. Counts them down by one continuation per pending one.
class GroupState final : public State {
 public:
  GroupState(std::span<const Operation> operations, bool may_fail) : _may_fail(may_fail) {
    for (const Operation& operation : operations) {
      if (operation.state()) _children.push_back(operation.state());
    }
    _nodes = std::make_unique<Node[]>(_children.size());
  }

  /// One count is held by this call, so that the group cannot complete while children are attached.
  void start() {
    _pending.store(_children.size() + 1, std::memory_order_relaxed);
    for (std::size_t i = 0; i < _children.size(); ++i) {
      _nodes[i].group = this;
      retain();
      if (!_children[i]->attach(_nodes[i])) _nodes[i].run();
    }
    retain();
    count_down();
  }

  // Deferred children run only if somebody waits for them.
  bool needs_waiter() const noexcept override {
    return std::any_of(_children.begin(), _children.end(),
                       [](const StatePtr<State>& child) { return child->needs_waiter(); });
  }
  void wait() override {
    for (const StatePtr<State>& child : _children)
      child->wait();
    State::wait();
  }
  bool test() override {
    for (const StatePtr<State>& child : _children) {
      if (!child->test()) return false;
    }
    return State::test();
  }

 private:
  struct Node final : Continuation {
    Node() noexcept : Continuation(Where::inline_) {}
    void run() noexcept override { group->count_down(); }
    GroupState* group = nullptr;
  };

  void count_down() noexcept {
    if (_pending.fetch_sub(1, std::memory_order_acq_rel) == 1) finish();
    release();
  }

  void finish() noexcept {
    if (_may_fail) {
      for (const StatePtr<State>& child : _children) {
        if (child->failed()) return fail(child->error());
      }
    }
    complete();
  }

  bool _may_fail;
  std::vector<StatePtr<State>> _children;
  std::unique_ptr<Node[]> _nodes;
  std::atomic<std::size_t> _pending{0};
};

Operation group(std::span<const Operation> operations, bool may_fail) {
  std::size_t interesting = 0;
  const Operation* last = nullptr;
  for (const Operation& operation : operations) {
    const bool matters = operation.state() && (!operation.done() || operation.state()->failed());
    if (!matters) continue;
    ++interesting;
    last = &operation;
  }
  if (interesting == 0) return {};
  if (interesting == 1 && may_fail) return *last;
  auto state = StatePtr<GroupState>::adopt(new GroupState(operations, may_fail));
  state->start();
  return Operation(StatePtr<State>(std::move(state)));
}

}  // namespace

void Operation::wait() {
  if (!_state) return;
  if (!_state->done()) _state->wait();
  if (_state->failed()) std::rethrow_exception(_state->error());
}

Operation when_all(std::span<const Operation> operations) {
  return group(operations, true);
}

Operation when_all_settled(std::span<const Operation> operations) {
  return group(operations, false);
}

}  // namespace dash::exec
