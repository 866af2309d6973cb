#include "teams/collectives/CollectiveQueue.h"

#include <algorithm>
#include <cstring>
#include <utility>

#include "base/Error.h"
#include "base/IdPool.h"
#include "teams/collectives/LeaderAbort.h"

namespace dash::dart {

namespace {

/// The tags up to the largest id of a team belong to the blocking collectives.
int tag_of(dart_team_t id, unsigned slot) noexcept {
  return static_cast<int>((slot + 1) * (IdPool::num_ids + 1)) + id;
}

}  // namespace

CollectiveQueue::CollectiveQueue(Session& session, RmaDriver& driver, const NodeBlocks& blocks,
                                 const TeamBlock& dimensions, dart_team_t id)
    : _session(session), _blocks(blocks), _dimensions(dimensions), _id(id) {
  std::uint64_t steps = 0;
  for (unsigned slot = 0; slot < slots; ++slot) {
    // An earlier runtime on the session may have used the block of the team of all units: continue
    // with its counters. The block of another team is new, and the root of a broadcast may release a
    // step before this unit creates its queue.
    if (id == DART_TEAM_ALL) steps += control(slot).released.value.load(std::memory_order_acquire);
    if (leads()) _exchanges.emplace_back(session.collective(), driver, layout(), tag_of(id, slot));
  }
  _finished = _led = _deposited = _end = steps;
}

SlotControl& CollectiveQueue::control(std::uint64_t step) const noexcept {
  return *reinterpret_cast<SlotControl*>(_blocks.leader_block() +
                                         _dimensions.slot_control(slot_of(step)));
}

exec::SharedWord& CollectiveQueue::mismatch_word() const noexcept {
  return *reinterpret_cast<exec::SharedWord*>(_blocks.leader_block() + _dimensions.mismatch());
}

void CollectiveQueue::push(QueuedCollective collective) {
  collective.first_step = _end;
  _end = collective.end_step();
  _queue.push_back(std::move(collective));
}

QueuedCollective& CollectiveQueue::collective_of(std::uint64_t step) noexcept {
  // Usually the last one, or the first.
  if (_queue.back().first_step <= step) return _queue.back();
  const auto next = std::upper_bound(
      _queue.begin(), _queue.end(), step,
      [](std::uint64_t s, const QueuedCollective& each) { return s < each.first_step; });
  return *(next - 1);
}

Chunk CollectiveQueue::chunk_of(std::uint64_t step,
                                const QueuedCollective& collective) const noexcept {
  const std::uint64_t contributions = _dimensions.slot_contribution(slot_of(step));
  const std::uint64_t results = _dimensions.slot_result(slot_of(step));
  return {_blocks,
          step - collective.first_step,
          {contributions, contributions},
          {results, results},
          {results, results}};
}

bool CollectiveQueue::can_deposit() noexcept {
  if (_deposited == _end || !collective_of(_deposited).gate.done()) return false;
  // Acquire: all units have read the previous step of the slot before this unit overwrites its memory.
  const std::uint32_t finished = control(_deposited).finished.value.load(std::memory_order_acquire);
  // May be larger: other units may already have finished this step, if its root arrived early.
  return static_cast<std::int32_t>(finished - generation(_deposited) * members()) >= 0;
}

/// Calls f(), the part of a collective that this unit performs for its node.
template <class F>
void CollectiveQueue::run_or_abort(F&& f) {
  try {
    f();
  } catch (const std::exception& error) {
    abort_collective(_session.world(), _id, error.what());
  }
}

void CollectiveQueue::deposit() {
  const std::uint64_t step = _deposited++;
  QueuedCollective& collective = collective_of(step);
  CollectiveOperation& operation = *collective.operation;
  SlotControl& slot = control(step);
  operation.deposit(chunk_of(step, collective));
  slot.signatures.fetch_add(operation.signature(), std::memory_order_relaxed);
  const bool is_root = operation.root() == layout().my_id;
  if (is_root) slot.root_arrived.store(generation(step) + 1, std::memory_order_release);
  // Release: publishes the contribution. Acquire: the last unit to arrive reads all contributions.
  const std::uint32_t arrived = slot.arrived.value.fetch_add(1, std::memory_order_seq_cst) + 1;
  const bool is_last = arrived == (generation(step) + 1) * members();
  if (is_last) {
    // No unit adds to the sum before all have finished this step.
    const std::uint64_t sum = slot.signatures.exchange(0, std::memory_order_relaxed);
    if (sum != members() * operation.signature()) return report_mismatch();
  }
  if (!on_one_node()) {
    if (is_last || is_root) slot.arrived.wake();
  } else if (operation.root() < 0 ? is_last : is_root) {
    run_or_abort([&] { operation.combine(chunk_of(step, collective)); });
    release(step);
  }
}

void CollectiveQueue::report_mismatch() {
  if (on_one_node()) return mismatch_word().publish(1);
  abort_collective(_session.world(), _id, mismatch_text);
}

void CollectiveQueue::fail_all(Completed& completed) {
  for (QueuedCollective& collective : _queue) {
    collective.mismatch = true;
    completed.push_back(std::move(collective));
  }
  _queue.clear();
  _finished = _led = _deposited = _end;
}

void CollectiveQueue::reset_after_mismatch() noexcept {
  if (!layout().leads_node() || !has_mismatch()) return;
  std::memset(_blocks.leader_block() + _dimensions.slot_control(0), 0,
              _dimensions.slot_contribution(0) - _dimensions.slot_control(0));
}

void CollectiveQueue::release(std::uint64_t step) {
  control(step).released.publish(generation(step) + 1);
}

bool CollectiveQueue::can_lead() noexcept {
  if (!leads() || _led == _deposited) return false;
  const SlotControl& slot = control(_led);
  const int root = collective_of(_led).operation->root();
  if (root < 0) {
    return slot.arrived.value.load(std::memory_order_acquire) == (generation(_led) + 1) * members();
  }
  return layout().slots[static_cast<std::size_t>(root)] < 0 ||
         slot.root_arrived.load(std::memory_order_acquire) == generation(_led) + 1;
}

void CollectiveQueue::lead() {
  const std::uint64_t step = _led++;
  QueuedCollective& collective = collective_of(step);
  Exchange& exchange = _exchanges[slot_of(step)];
  run_or_abort([&] {
    const Chunk chunk = chunk_of(step, collective);
    collective.operation->combine(chunk);
    collective.operation->exchange(chunk, exchange.leaders);
  });
  exchange.step = step;
  exchange.is_running = true;
}

bool CollectiveQueue::advance_exchanges() {
  bool advanced = false;
  for (Exchange& exchange : _exchanges) {
    if (!exchange.is_running) continue;
    run_or_abort([&] {
      while (exchange.leaders.advance())
        advanced = true;
    });
    if (exchange.leaders.is_active()) continue;
    exchange.is_running = false;
    release(exchange.step);
    advanced = true;
  }
  return advanced;
}

bool CollectiveQueue::can_finish() noexcept {
  return _finished < _deposited && control(_finished).released.value.load(
                                       std::memory_order_acquire) == generation(_finished) + 1;
}

void CollectiveQueue::finish(Completed& completed) {
  const std::uint64_t step = _finished++;
  QueuedCollective& collective = _queue.front();
  SlotControl& slot = control(step);
  collective.operation->collect(chunk_of(step, collective));
  // Release: a unit that acquires the full number may overwrite what this unit has read. Sequentially consistent,
  // since units sleep on the word.
  const std::uint32_t finished = slot.finished.value.fetch_add(1, std::memory_order_seq_cst) + 1;
  if (finished == (generation(step) + 1) * members()) slot.finished.wake();
  if (step + 1 < collective.end_step()) return;
  completed.push_back(std::move(_queue.front()));
  _queue.pop_front();
}

bool CollectiveQueue::advance_once(Completed& completed) {
  bool advanced = false;
  for (; can_deposit(); advanced = true)
    deposit();
  if (has_mismatch()) {
    advanced = !_queue.empty();
    fail_all(completed);
  }
  for (; can_lead(); advanced = true)
    lead();
  if (leads()) advanced |= advance_exchanges();
  for (; can_finish(); advanced = true)
    finish(completed);
  return advanced;
}

bool CollectiveQueue::advance(Completed& completed) {
  bool advanced = false;
  while (advance_once(completed))
    advanced = true;
  if (advanced) unregister_sleeper();
  return advanced;
}

void CollectiveQueue::unregister_sleeper() noexcept {
  for (exec::SharedWord* const word : _registered)
    // Relaxed: a waker that still reads the old number makes a system call that wakes no thread.
    word->sleepers.fetch_sub(1, std::memory_order_relaxed);
  _registered.clear();
}

exec::PollSource::Words CollectiveQueue::wait_words(std::span<core::FutexWord> words) {
  exec::PollSource::Words result;
  const auto watch = [&](exec::SharedWord& word, auto found) {
    if (result.count == words.size()) {
      result.complete = false;
      return;
    }
    if (std::find(_registered.begin(), _registered.end(), &word) == _registered.end()) {
      // Before the value is read: a unit that changes it afterwards wakes the sleepers.
      word.sleepers.fetch_add(1, std::memory_order_seq_cst);
      _registered.push_back(&word);
    }
    words[result.count++] = {&word.value, word.value.load(std::memory_order_seq_cst), true};
    if (found()) result.found = true;
  };
  if (on_one_node()) watch(mismatch_word(), [&] { return has_mismatch(); });
  if (_finished < _deposited) watch(control(_finished).released, [&] { return can_finish(); });
  if (_deposited < _end && collective_of(_deposited).gate.done()) {
    watch(control(_deposited).finished, [&] { return can_deposit(); });
  }
  if (leads() && _led < _deposited) watch(control(_led).arrived, [&] { return can_lead(); });
  return result;
}

}  // namespace dash::dart
