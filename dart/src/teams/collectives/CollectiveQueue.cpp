#include "teams/collectives/CollectiveQueue.h"

#include <mpi.h>

#include <algorithm>
#include <cstring>
#include <utility>

#include "base/Error.h"
#include "base/IdPool.h"
#include "dash/core/Log.h"

namespace dash::dart {

namespace {

/// Blocking collectives have the tags up to the largest id of a team.
int tag_of(dart_team_t id, unsigned slot) noexcept {
  return static_cast<int>((slot + 1) * (IdPool::num_ids + 1)) + id;
}

}  // namespace

CollectiveQueue::CollectiveQueue(Session& session, RmaDriver& driver, const TeamLayout& layout,
                                 const TeamBlock& block, std::uint64_t place, dart_team_t id)
    : _session(session),
      _layout(layout),
      _block(block),
      _id(id),
      _base(session.heap().base() + place),
      _stride(session.heap().nbytes()) {
  std::uint64_t steps = 0;
  for (unsigned slot = 0; slot < slots; ++slot) {
    // The team of all units goes on where an earlier life of the session stopped.
    steps += control(slot).released.value.load(std::memory_order_acquire);
    _leaders.emplace_back(session.collective(), driver, layout, tag_of(id, slot));
  }
  _finished = _led = _deposited = _end = steps;
}

SlotControl& CollectiveQueue::control(std::uint64_t step) const noexcept {
  return *reinterpret_cast<SlotControl*>(control_block() + _block.slot_control(slot_of(step)));
}

exec::SharedWord& CollectiveQueue::out_of_step() const noexcept {
  return *reinterpret_cast<exec::SharedWord*>(control_block() + _block.out_of_step());
}

void CollectiveQueue::push(std::unique_ptr<PendingCollective> collective) {
  collective->first_step = _end;
  _end += collective->npieces();
  _queue.push_back(std::move(collective));
}

PendingCollective& CollectiveQueue::collective_of(std::uint64_t step) noexcept {
  // Mostly the first or the last.
  if (_queue.back()->first_step <= step) return *_queue.back();
  const auto next =
      std::upper_bound(_queue.begin(), _queue.end(), step,
                       [](std::uint64_t s, const auto& each) { return s < each->first_step; });
  return **(next - 1);
}

/// All others wait for who leads: what goes wrong there ends the job instead of hanging it.
template <class F>
void CollectiveQueue::or_abort(F f) {
  try {
    f();
  } catch (const std::exception& error) {
    core::log(core::LogLevel::error,
              fmt::format("non-blocking collective of team {}: {}", _id, error.what()));
    MPI_Abort(_session.world(), DART_EXIT_ABORT);
  }
}

/// Some may have finished the very step, if its root was early.
bool CollectiveQueue::may_deposit() noexcept {
  if (_deposited == _end || !collective_of(_deposited).gate.done()) return false;
  const std::uint32_t finished = control(_deposited).finished.value.load(std::memory_order_acquire);
  return static_cast<std::int32_t>(finished - generation(_deposited) * members()) >= 0;
}

void CollectiveQueue::deposit() {
  const std::uint64_t step = _deposited++;
  PendingCollective& collective = collective_of(step);
  SlotControl& slot = control(step);
  collective.deposit(step - collective.first_step, memory(step));
  slot.signatures.fetch_add(collective.signature(), std::memory_order_relaxed);
  const bool is_root = collective.root() == _layout.my_id;
  if (is_root) slot.given.store(generation(step) + 1, std::memory_order_release);
  // Release: our contribution; acquire, for the last one: everybody's.
  const std::uint32_t arrived = slot.arrived.value.fetch_add(1, std::memory_order_seq_cst) + 1;
  const bool is_last = arrived == (generation(step) + 1) * members();
  if (is_last) {
    // Nobody adds to it before all have finished this step.
    const std::uint64_t sum = slot.signatures.exchange(0, std::memory_order_relaxed);
    if (sum != members() * collective.signature()) return break_off();
  }
  if (_layout.nnodes() > 1) {
    if (is_last || is_root) slot.arrived.wake();
  } else if (collective.root() < 0 ? is_last : is_root) {
    or_abort([&] { collective.combine(step - collective.first_step, memory(step)); });
    release(step);
  }
}

void CollectiveQueue::break_off() {
  if (_layout.nnodes() == 1) return out_of_step().publish(1);
  or_abort([] { throw Error(DART_ERR_INVAL, different_collectives); });
}

void CollectiveQueue::give_up(Over& over) {
  for (std::unique_ptr<PendingCollective>& collective : _queue) {
    collective->mismatch = true;
    over.push_back(std::move(collective));
  }
  _queue.clear();
  _finished = _led = _deposited = _end;
}

void CollectiveQueue::restart() noexcept {
  if (!is_out_of_step() || !_layout.leads_node()) return;
  std::memset(control_block() + _block.slot_control(0), 0,
              _block.slot_contribution(0) - _block.slot_control(0));
}

void CollectiveQueue::release(std::uint64_t step) {
  control(step).released.publish(generation(step) + 1);
}

bool CollectiveQueue::may_lead() noexcept {
  if (!leads() || _led == _deposited) return false;
  const SlotControl& slot = control(_led);
  const int root = collective_of(_led).root();
  if (root < 0) {
    return slot.arrived.value.load(std::memory_order_acquire) == (generation(_led) + 1) * members();
  }
  return _layout.slots[static_cast<std::size_t>(root)] < 0 ||
         slot.given.load(std::memory_order_acquire) == generation(_led) + 1;
}

void CollectiveQueue::lead() {
  const std::uint64_t step = _led++;
  PendingCollective& collective = collective_of(step);
  const std::uint64_t piece = step - collective.first_step;
  or_abort([&] {
    collective.combine(piece, memory(step));
    Exchange& exchange = _exchanges[slot_of(step)];
    exchange.step = step;
    exchange.steps = collective.exchange(piece, memory(step), _leaders[slot_of(step)]);
  });
}

bool CollectiveQueue::advance_exchanges() {
  bool did = false;
  for (Exchange& exchange : _exchanges) {
    if (!exchange.steps) continue;
    or_abort([&] {
      while (!exchange.steps.ended() && exchange.steps.advance())
        did = true;
    });
    if (!exchange.steps.ended()) continue;
    exchange.steps = PolledCoroutine();
    release(exchange.step);
    did = true;
  }
  return did;
}

bool CollectiveQueue::may_finish() noexcept {
  return _finished < _deposited && control(_finished).released.value.load(
                                       std::memory_order_acquire) == generation(_finished) + 1;
}

void CollectiveQueue::finish(Over& over) {
  const std::uint64_t step = _finished++;
  PendingCollective& collective = *_queue.front();
  SlotControl& slot = control(step);
  const std::uint64_t piece = step - collective.first_step;
  collective.collect(piece, memory(step));
  const std::uint32_t finished = slot.finished.value.fetch_add(1, std::memory_order_seq_cst) + 1;
  if (finished == (generation(step) + 1) * members()) slot.finished.wake();
  if (piece + 1 < collective.npieces()) return;
  over.push_back(std::move(_queue.front()));
  _queue.pop_front();
}

bool CollectiveQueue::advance(Over& over) {
  bool did = false;
  while (true) {
    bool now = false;
    for (; may_deposit(); now = true)
      deposit();
    if (is_out_of_step()) {
      now = !_queue.empty();
      give_up(over);
    }
    for (; may_lead(); now = true)
      lead();
    now |= leads() && advance_exchanges();
    for (; may_finish(); now = true)
      finish(over);
    if (!now) break;
    did = true;
  }
  if (did) {
    for (exec::SharedWord* const word : _registered)
      word->sleepers.fetch_sub(1, std::memory_order_relaxed);
    _registered.clear();
  }
  return did;
}

exec::PollSource::Words CollectiveQueue::words_to_sleep_on(std::span<core::FutexWord> words) {
  exec::PollSource::Words result;
  const auto watch = [&](exec::SharedWord& word, auto found) {
    if (result.count == words.size()) {
      result.complete = false;
      return;
    }
    if (std::find(_registered.begin(), _registered.end(), &word) == _registered.end()) {
      // Before the look at the value: who changes it afterwards wakes who sleeps.
      word.sleepers.fetch_add(1, std::memory_order_seq_cst);
      _registered.push_back(&word);
    }
    words[result.count++] = {&word.value, word.value.load(std::memory_order_seq_cst), true};
    if (found()) result.found = true;
  };
  if (_layout.nnodes() == 1) watch(out_of_step(), [&] { return is_out_of_step(); });
  if (_finished < _deposited) watch(control(_finished).released, [&] { return may_finish(); });
  if (_deposited < _end && collective_of(_deposited).gate.done()) {
    watch(control(_deposited).finished, [&] { return may_deposit(); });
  }
  if (leads() && _led < _deposited) watch(control(_led).arrived, [&] { return may_lead(); });
  return result;
}

}  // namespace dash::dart
