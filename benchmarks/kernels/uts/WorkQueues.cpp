#include "WorkQueues.h"

#include <sched.h>

#include <algorithm>
#include <utility>

namespace uts {

Section::Range Section::next() const {
  Range range{0, (_count + 1) / 2};
  for (std::uint64_t i = 0; i < _claims && range.count > 0; ++i) {
    range.begin += range.count;
    range.count = (_count - range.begin + 1) / 2;
  }
  return range;
}

WorkQueues::WorkQueues(std::unique_ptr<QueueAccess> access, const BalancerOptions& options)
    : _access(std::move(access)),
      _options(options),
      _random(static_cast<unsigned>(_access->unit()) + 1) {}

void WorkQueues::reset() {
  for (const Word word : {Word::section, Word::copied, Word::idle})
    set_own(word, 0);
  _claimed = 0;
  activity = {};
}

void WorkQueues::offer(NodeStack& stack) {
  if (_options.polls) _access->progress();
  if (stack.size() < 2 * _options.chunk) return;
  const int own = _access->unit();
  const Section section(_access->load(Word::section, own));
  if (section.has_nodes()) return;
  if (section.count() > 0) _claimed = section.count();
  if (_access->load(Word::copied, own) != _claimed) return;  // its memory is still in use
  const std::size_t count = std::min(stack.size() / 2, _access->capacity());
  stack.take_oldest(count, _access->own_nodes());
  set_own(Word::copied, 0);
  set_own(Word::section, Section::word_of(count));
}

/// Ends the own section, and takes the nodes that no unit has claimed.
bool WorkQueues::take_back(NodeStack& stack) {
  const Section section(_access->exchange_own(Word::section, 0));
  if (section.count() == 0) return false;
  _claimed = section.next().begin;
  stack.push(_access->own_nodes() + _claimed, section.count() - _claimed);
  return !stack.empty();
}

bool WorkQueues::steal(int unit, NodeStack& stack) {
  const auto [begin, count] =
      Section(_access->fetch_add(Word::section, unit, Section::claim)).next();
  if (count == 0) return false;
  _copy.resize(count);
  _access->get(unit, begin, count, _copy.data());
  _access->start_add(Word::copied, unit, count);
  stack.push(_copy.data(), count);
  ++activity.steals;
  activity.stolen_nodes += count;
  return true;
}

/// A unit counts as idle except while it may get nodes. So if all units are idle, none has nodes: a unit
/// that becomes idle has no section any more.
bool WorkQueues::steal_from_any(NodeStack& stack) {
  const int units = _access->units();
  const int first = static_cast<int>(_random() % static_cast<unsigned>(units));
  for (int i = 0; i < units; ++i) {
    const int unit = (first + i) % units;
    if (unit == _access->unit()) continue;
    if (!Section(_access->load(Word::section, unit)).has_nodes()) continue;
    _access->fetch_add(Word::idle, 0, static_cast<std::uint64_t>(-1));
    if (steal(unit, stack)) return true;
    _access->fetch_add(Word::idle, 0, 1);
  }
  return false;
}

bool WorkQueues::refill(NodeStack& stack) {
  if (take_back(stack)) return true;
  _access->fetch_add(Word::idle, 0, 1);
  while (!steal_from_any(stack)) {
    if (_access->load(Word::idle, 0) == static_cast<std::uint64_t>(_access->units())) {
      _access->complete();
      return false;
    }
    sched_yield();
  }
  return true;
}

}  // namespace uts
