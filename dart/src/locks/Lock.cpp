#include "locks/Lock.h"

#include <deque>

#include "base/Error.h"
#include "dash/async/Watch.h"
#include "dash/dart/Access.h"
#include "dash/dart/Transfer.h"
#include "dash/dart/if/dart_communication.h"
#include "dash/dart/if/dart_initialization.h"

namespace dash::dart {

namespace {

constexpr std::int32_t nobody = 0;

exec::Engine& engine() {
  return exec::Engine::instance();
}

/// Handles stay readable for the life of the process, as programs keep stale ones: those of destroyed
/// locks are recognised, and used again after all others.
struct Handles {
  std::mutex mutex;  // guards the list
  std::deque<dart_lock_t> unused;
};

Handles& handles() {
  static Handles* const instance = new Handles();
  return *instance;
}

dart_lock_t take_handle() {
  // So many stay unused that a stale handle is told from a living one for some time.
  constexpr std::size_t quarantine = 64;
  const std::lock_guard lock(handles().mutex);
  if (handles().unused.size() < quarantine) return new dart_lock_struct;
  const dart_lock_t handle = handles().unused.front();
  handles().unused.pop_front();
  return handle;
}

void give_back(dart_lock_t handle) {
  handle->lock.reset();
  const std::lock_guard lock(handles().mutex);
  handles().unused.push_back(handle);
}

}  // namespace

/// Gives the unit's turn back, unless told that the caller has become the owner.
class Lock::Turn {
 public:
  explicit Turn(Lock& lock) noexcept : _lock(&lock) {}
  ~Turn() {
    if (_lock != nullptr) _lock->end_turn();
  }
  Turn(const Turn&) = delete;
  Turn& operator=(const Turn&) = delete;

  void keep() noexcept { _lock = nullptr; }

 private:
  Lock* _lock;
};

Lock::Lock(const Team& team, const dart_gptr_t& memory, std::int32_t home)
    : _memory(memory),
      _home(home),
      _my_name(team.my_id() + 1),
      _mine(static_cast<LockCell*>(on_node_address(place_of(team.my_id(), 0), sizeof(LockCell)))) {}

dart_gptr_t Lock::place_of(std::int32_t unit, std::size_t offset) const noexcept {
  dart_gptr_t place = _memory;
  place.unitid = unit;
  place.addr_or_offs.offset = offset;
  return place;
}

std::int32_t Lock::swap_tail(std::int32_t value) {
  const dart_gptr_t tail = place_of(_home, offsetof(LockCell, tail));
  if (void* word = on_node_address(tail, sizeof value)) {
    return static_cast<std::atomic<std::int32_t>*>(word)->exchange(value);
  }
  std::int32_t old = nobody;
  dart_ret_t ret = dart_fetch_and_op(tail, &value, &old, DART_TYPE_INT, DART_OP_REPLACE);
  if (ret == DART_OK) ret = dart_flush(tail);
  if (ret != DART_OK) throw Error(ret, dart_last_error());
  return old;
}

std::int32_t Lock::compare_and_swap_tail(std::int32_t expected, std::int32_t value) {
  const dart_gptr_t tail = place_of(_home, offsetof(LockCell, tail));
  if (void* word = on_node_address(tail, sizeof value)) {
    static_cast<std::atomic<std::int32_t>*>(word)->compare_exchange_strong(expected, value);
    return expected;
  }
  std::int32_t old = nobody;
  dart_ret_t ret = dart_compare_and_swap(tail, &value, &expected, &old, DART_TYPE_INT);
  if (ret == DART_OK) ret = dart_flush(tail);
  if (ret != DART_OK) throw Error(ret, dart_last_error());
  return old;
}

std::int32_t Lock::last_in_queue() {
  return compare_and_swap_tail(nobody, nobody) - 1;
}

/// Sets a word of another unit's cell and wakes who sleeps on it.
void Lock::tell(std::int32_t unit, std::size_t offset, std::uint32_t value) {
  const dart_gptr_t place = place_of(unit, offset);
  put_signal(place, nullptr, 0, place, value);
}

void Lock::acquire() {
  if (held_by_caller()) {
    throw_error(DART_ERR_INVAL, "the calling thread holds the lock already");
  }
  const exec::Purpose purpose("the lock of segment {} of team {}", _memory.segid, _memory.teamid);
  const std::uint32_t ticket = _tickets.fetch_add(1, std::memory_order_acq_rel);
  engine().wait_shared(_turn, [ticket](std::uint32_t turn) { return turn == ticket; });
  Turn turn(*this);
  // Nobody else looks at the cell while its unit is not in the queue.
  _mine->granted.value.store(0, std::memory_order_relaxed);
  _mine->next.value.store(nobody, std::memory_order_relaxed);
  const std::int32_t before = swap_tail(_my_name);
  if (before != nobody) {
    tell(before - 1, offsetof(LockCell, next), static_cast<std::uint32_t>(_my_name));
    engine().wait_shared(_mine->granted, [](std::uint32_t granted) { return granted == 1; });
  }
  turn.keep();
  _owner.store(exec::running(), std::memory_order_relaxed);
}

bool Lock::try_acquire() {
  if (try_once()) return true;
  // Who has it may need this unit for giving it back, and the caller may try until then.
  exec::Engine::instance().progress();
  return false;
}

bool Lock::try_once() {
  std::uint32_t ticket = _turn.value.load(std::memory_order_acquire);
  if (!_tickets.compare_exchange_strong(ticket, ticket + 1, std::memory_order_acq_rel)) {
    return false;
  }
  Turn turn(*this);
  _mine->granted.value.store(0, std::memory_order_relaxed);
  _mine->next.value.store(nobody, std::memory_order_relaxed);
  if (compare_and_swap_tail(nobody, _my_name) != nobody) return false;
  turn.keep();
  _owner.store(exec::running(), std::memory_order_relaxed);
  return true;
}

void Lock::release() {
  if (!held_by_caller()) {
    throw_error(DART_ERR_INVAL, "the calling thread does not hold the lock");
  }
  _owner.store(nullptr, std::memory_order_relaxed);
  const Turn turn(*this);
  if (_mine->next.value.load(std::memory_order_acquire) == nobody &&
      compare_and_swap_tail(_my_name, nobody) == _my_name) {
    return;
  }
  // Who has taken the tail says so in a moment.
  const exec::Purpose purpose("the next unit at the lock of segment {} of team {}", _memory.segid,
                              _memory.teamid);
  engine().wait_shared(_mine->next, [](std::uint32_t next) { return next != nobody; });
  const auto next = static_cast<std::int32_t>(_mine->next.value.load(std::memory_order_acquire));
  tell(next - 1, offsetof(LockCell, granted), 1);
}

void Lock::end_turn() noexcept {
  _turn.publish(_turn.value.load(std::memory_order_relaxed) + 1);
}

dart_lock_t Locks::create(Team& team) {
  // Counted by the team's first unit, since not all have made the same locks before.
  std::uint64_t serial = 0;
  {
    std::lock_guard lock(_mutex);
    serial = _created++;
  }
  team.bcast(&serial, sizeof serial, 0);
  const dart_gptr_t memory = _memory.allocate(team, {sizeof(LockCell), {}});
  const auto home = static_cast<std::int32_t>(serial % static_cast<std::uint64_t>(team.size()));
  auto made = std::make_unique<Lock>(team, memory, home);
  const dart_lock_t handle = take_handle();
  handle->lock = std::move(made);
  const std::lock_guard lock(_mutex);
  _living.insert(handle);
  return handle;
}

Locks::~Locks() {
  for (const dart_lock_t handle : _living)
    give_back(handle);
}

void Locks::forget(dart_team_t team) {
  const std::lock_guard lock(_mutex);
  std::erase_if(_living, [team](dart_lock_t handle) {
    if (handle->lock->memory().teamid != team) return false;
    give_back(handle);
    return true;
  });
}

void Locks::destroy(Team& team, dart_lock_t handle) {
  int in_use = handle->lock->in_use() ? 1 : 0;
  // Also the barrier before which nobody takes the lock's memory away.
  team.allreduce(&in_use, &in_use, 1, DART_TYPE_INT, DART_OP_MAX);
  if (in_use != 0) {
    throw_error(DART_ERR_INVAL, "a unit of team {} holds or awaits the lock", team.id());
  }
  _memory.free(team, handle->lock->memory().segid);
  const std::lock_guard lock(_mutex);
  _living.erase(handle);
  give_back(handle);
}

Lock& Locks::check(const dart_lock_struct* handle) {
  if (handle == nullptr) throw_error(DART_ERR_INVAL, "the lock is DART_LOCK_NULL");
  if (!handle->lock) throw_error(DART_ERR_INVAL, "the lock has been destroyed");
  return *handle->lock;
}

}  // namespace dash::dart
