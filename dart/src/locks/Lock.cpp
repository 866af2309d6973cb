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

/// The handles of destroyed locks. A handle is never freed, so that a stale handle that a program has kept is
/// readable and recognized. Handles are reused in the order of their release.
struct Handles {
  std::mutex mutex;  // guards `unused`
  std::deque<dart_lock_t> unused;
};

Handles& handles() {
  static Handles* const instance = new Handles();
  return *instance;
}

dart_lock_t take_handle() {
  // Reuse is delayed, so that a stale handle does not soon become a valid one again.
  constexpr std::size_t min_unused = 64;
  const std::lock_guard lock(handles().mutex);
  if (handles().unused.size() < min_unused) return new dart_lock_struct;
  const dart_lock_t handle = handles().unused.front();
  handles().unused.pop_front();
  return handle;
}

void return_handle(dart_lock_t handle) {
  handle->lock.reset();
  const std::lock_guard lock(handles().mutex);
  handles().unused.push_back(handle);
}

}  // namespace

/// Ends the calling thread's turn to use the unit's queue entry on destruction, unless keep() was called
/// because the thread has become the owner.
class Lock::ReleaseGuard {
 public:
  explicit ReleaseGuard(Lock& lock) noexcept : _lock(&lock) {}
  ~ReleaseGuard() {
    if (_lock != nullptr) _lock->serve_next();
  }
  ReleaseGuard(const ReleaseGuard&) = delete;
  ReleaseGuard& operator=(const ReleaseGuard&) = delete;

  void keep() noexcept { _lock = nullptr; }

 private:
  Lock* _lock;
};

Lock::Lock(const Team& team, const dart_gptr_t& memory, std::int32_t home)
    : _memory(memory),
      _home(home),
      _my_entry(team.my_id() + 1),
      _mine(
          static_cast<LockCell*>(on_node_address(pointer_to(team.my_id(), 0), sizeof(LockCell)))) {}

dart_gptr_t Lock::pointer_to(std::int32_t unit, std::size_t offset) const noexcept {
  dart_gptr_t pointer = _memory;
  pointer.unitid = unit;
  pointer.addr_or_offs.offset = offset;
  return pointer;
}

std::int32_t Lock::swap_tail(std::int32_t value) {
  const dart_gptr_t tail = pointer_to(_home, offsetof(LockCell, tail));
  // Acquire: the unit sees what earlier holders wrote. Release: publishes the reset cell, or what this holder wrote.
  // Between nodes, the messages order the same.
  if (void* word = on_node_address(tail, sizeof value)) {
    return static_cast<std::atomic<std::int32_t>*>(word)->exchange(value,
                                                                   std::memory_order_acq_rel);
  }
  std::int32_t old = Queue::no_unit;
  dart_ret_t ret = dart_fetch_and_op(tail, &value, &old, DART_TYPE_INT, DART_OP_REPLACE);
  if (ret == DART_OK) ret = dart_flush(tail);
  if (ret != DART_OK) throw_error_text(ret, dart_last_error());
  return old;
}

std::int32_t Lock::compare_and_swap_tail(std::int32_t expected, std::int32_t value) {
  const dart_gptr_t tail = pointer_to(_home, offsetof(LockCell, tail));
  if (void* word = on_node_address(tail, sizeof value)) {
    static_cast<std::atomic<std::int32_t>*>(word)->compare_exchange_strong(
        expected, value, std::memory_order_acq_rel);
    return expected;
  }
  std::int32_t old = Queue::no_unit;
  dart_ret_t ret = dart_compare_and_swap(tail, &value, &expected, &old, DART_TYPE_INT);
  if (ret == DART_OK) ret = dart_flush(tail);
  if (ret != DART_OK) throw_error_text(ret, dart_last_error());
  return old;
}

std::int32_t Lock::last_in_queue() {
  return compare_and_swap_tail(Queue::no_unit, Queue::no_unit) - 1;
}

/// Sets a word of another unit's cell and wakes the threads that sleep on it.
void Lock::signal(std::int32_t unit, std::size_t offset, std::uint32_t value) {
  const dart_gptr_t pointer = pointer_to(unit, offset);
  put_signal(pointer, nullptr, 0, pointer, value);
}

void Lock::acquire() {
  if (held_by_caller()) {
    throw_error(DART_ERR_INVAL, "the calling thread holds the lock already");
  }
  exec::check_may_wait();
  const exec::Purpose purpose("the lock of segment {} of team {}", _memory.segid, _memory.teamid);
  const std::uint32_t ticket = _tickets.fetch_add(1, std::memory_order_acq_rel);
  wait(_now_serving, [ticket](std::uint32_t serving) { return serving == ticket; });
  ReleaseGuard guard(*this);
  queue().acquire();
  guard.keep();
  _owner.store(exec::current_execution(), std::memory_order_relaxed);
}

bool Lock::try_acquire() {
  if (try_once()) return true;
  // The holder may need progress of this unit to release the lock, and the caller may retry until it does.
  exec::Engine::instance().progress();
  return false;
}

bool Lock::try_once() {
  // Acquire: the thread sees what the previous holder wrote. If _tickets still has this value, no other thread has a
  // turn.
  std::uint32_t ticket = _now_serving.value.load(std::memory_order_acquire);
  if (!_tickets.compare_exchange_strong(ticket, ticket + 1, std::memory_order_acq_rel)) {
    return false;
  }
  ReleaseGuard guard(*this);
  if (!queue().try_acquire()) return false;
  guard.keep();
  _owner.store(exec::current_execution(), std::memory_order_relaxed);
  return true;
}

void Lock::release() {
  if (!held_by_caller()) {
    throw_error(DART_ERR_INVAL, "the calling thread does not hold the lock");
  }
  _owner.store(nullptr, std::memory_order_relaxed);
  const ReleaseGuard guard(*this);
  const exec::Purpose purpose("the next unit at the lock of segment {} of team {}", _memory.segid,
                              _memory.teamid);
  queue().release();
}

void Lock::serve_next() noexcept {
  // Relaxed: only the thread whose turn it is changes the word, and it has acquired the value.
  _now_serving.publish(_now_serving.value.load(std::memory_order_relaxed) + 1);
}

dart_lock_t Locks::create(Team& team) {
  // The first unit of the team counts, since its units may have created different numbers of locks before.
  std::uint64_t serial = 0;
  {
    std::lock_guard lock(_mutex);
    serial = _created++;
  }
  team.bcast(&serial, sizeof serial, 0);
  const dart_gptr_t memory = _memory.allocate(team, {sizeof(LockCell), {}});
  const auto home = static_cast<std::int32_t>(serial % static_cast<std::uint64_t>(team.size()));
  auto lock_object = std::make_unique<Lock>(team, memory, home);
  const dart_lock_t handle = take_handle();
  handle->lock = std::move(lock_object);
  const std::lock_guard lock(_mutex);
  _active.insert(handle);
  return handle;
}

Locks::~Locks() {
  for (const dart_lock_t handle : _active)
    return_handle(handle);
}

void Locks::forget(dart_team_t team) {
  const std::lock_guard lock(_mutex);
  std::erase_if(_active, [team](dart_lock_t handle) {
    if (handle->lock->memory().teamid != team) return false;
    return_handle(handle);
    return true;
  });
}

void Locks::destroy(Team& team, dart_lock_t handle) {
  int in_use = handle->lock->in_use() ? 1 : 0;
  // The reduction is also the barrier after which the memory of the lock may be freed.
  team.allreduce(&in_use, &in_use, 1, DART_TYPE_INT, DART_OP_MAX);
  if (in_use != 0) {
    throw_error(DART_ERR_INVAL, "a unit of team {} holds or awaits the lock", team.id());
  }
  _memory.free(team, handle->lock->memory().segid);
  const std::lock_guard lock(_mutex);
  _active.erase(handle);
  return_handle(handle);
}

Lock& Locks::check(const dart_lock_struct* handle) {
  if (handle == nullptr) throw_error(DART_ERR_INVAL, "the lock is DART_LOCK_NULL");
  if (!handle->lock) throw_error(DART_ERR_INVAL, "the lock has been destroyed");
  return *handle->lock;
}

}  // namespace dash::dart
