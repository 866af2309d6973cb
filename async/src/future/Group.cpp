#include "dash/async/Group.h"

#include "base/ProgressService.h"
#include "dash/core/Clock.h"

namespace dash::exec {

namespace {

/// Interval between two tests of states that cannot notify a waiting thread.
constexpr std::uint64_t test_interval_ns = 50'000;

}  // namespace

void wait_between_tests() {
  ProgressService& service = progress_service();
  service.wait_until([&] { return service.has_continuations(); },
                     core::now_ns() + test_interval_ns);
}

class Countdown::Node final : public Continuation {
 public:
  Node() noexcept : Continuation(Where::inline_) {}
  void set_group(Countdown& group) noexcept { _group = &group; }
  void run() noexcept override {
    if (_group->count_down(1)) _group->finish();
  }
  State* dependent() noexcept override { return &_group->_owner; }

 private:
  Countdown* _group = nullptr;
};

Countdown::Countdown(State& owner, std::size_t max_states)
    : _owner(owner), _max_states(max_states), _pending(max_states + 1) {}
Countdown::~Countdown() = default;

void Countdown::add(State& state) {
  if (state.done()) return;
  // Allocated on demand: often most or all of the states are done.
  if (!_nodes) _nodes = std::make_unique<Node[]>(_max_states);
  Node& node = _nodes[_attached];
  node.set_group(*this);
  if (state.attach(node)) ++_attached;
}

class Race::Node final : public Continuation {
 public:
  Node() noexcept : Continuation(Where::inline_) {}
  void set(Race& race, std::size_t index) noexcept {
    _race = &race;
    _index = index;
  }
  void run() noexcept override {
    State& owner = _race->_owner;
    if (_race->arrive(_index)) _race->finish();
    owner.release();
  }

 private:
  Race* _race = nullptr;
  std::size_t _index = 0;
};

Race::Race(State& owner, std::size_t num_states)
    : _owner(owner), _nodes(std::make_unique<Node[]>(num_states)) {}
Race::~Race() = default;

bool Race::arrive(std::size_t index) noexcept {
  std::size_t expected = no_winner;
  return _winner.compare_exchange_strong(expected, index, std::memory_order_relaxed) &&
         advance(won);
}

bool Race::add(State& state, std::size_t index) noexcept {
  if (_winner.load(std::memory_order_relaxed) != no_winner) return false;
  Node& node = _nodes[index];
  node.set(*this, index);
  _owner.retain();
  if (!state.attach(node)) {
    _owner.release();
    // end() has not been called, so this cannot be the second of the two events.
    static_cast<void>(arrive(index));
    return false;
  }
  return true;
}

}  // namespace dash::exec
