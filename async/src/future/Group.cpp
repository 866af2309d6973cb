#include "dash/async/Group.h"

#include "dash/async/Engine.h"
#include "dash/core/Clock.h"

namespace dash::exec {

namespace {

/// Between two looks at what does not tell that it is ready.
constexpr std::uint64_t between_looks_ns = 50'000;

}  // namespace

void wait_a_little() {
  Engine& engine = Engine::instance();
  engine.wait_until([&] { return engine.has_continuations(); }, core::now_ns() + between_looks_ns);
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

Countdown::Countdown(State& owner, std::size_t most)
    : _owner(owner), _most(most), _pending(most + 1) {}
Countdown::~Countdown() = default;

void Countdown::add(State& state) {
  if (state.done()) return;
  // Only if it is needed: of many futures, most or all may be ready.
  if (!_nodes) _nodes = std::make_unique<Node[]>(_most);
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

Race::Race(State& owner, std::size_t runners)
    : _owner(owner), _nodes(std::make_unique<Node[]>(runners)) {}
Race::~Race() = default;

bool Race::arrive(std::size_t index) noexcept {
  std::size_t expected = nobody;
  return _winner.compare_exchange_strong(expected, index, std::memory_order_relaxed) &&
         advance(won);
}

bool Race::add(State& state, std::size_t index) noexcept {
  if (_winner.load(std::memory_order_relaxed) != nobody) return false;
  Node& node = _nodes[index];
  node.set(*this, index);
  _owner.retain();
  if (!state.attach(node)) {
    _owner.release();
    // Nobody has been told that adding has ended, so this is not the second of the two events.
    static_cast<void>(arrive(index));
    return false;
  }
  return true;
}

}  // namespace dash::exec
