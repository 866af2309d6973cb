// dash-test: parallel ranks=quick link=objects units=1,2,3,4,7 layouts=node,cliques,nolocal modes=auto,thread,poll

#include <chrono>
#include <cstring>
#include <numeric>
#include <set>
#include <thread>
#include <vector>

#include "dart/support/Fixture.h"
#include "dash/dart/if/dart.h"
#include "locks/Lock.h"
#include "support/Catch.h"

using dash::test::barrier;
using dash::test::my_id;
using dash::test::num_units;

namespace {

/// Integers of global memory on unit 0, changed by get and put.
class SharedNumbers {
 public:
  explicit SharedNumbers(std::size_t n) {
    REQUIRE(dart_team_memalloc_aligned(DART_TEAM_ALL, n, DART_TYPE_INT, &_base) == DART_OK);
  }
  ~SharedNumbers() {
    dart_barrier(DART_TEAM_ALL);
    dart_team_memfree(_base);
  }
  int get(std::size_t i) const {
    int value = -1;
    if (dart_get_blocking(&value, at(i), 1, DART_TYPE_INT, DART_TYPE_INT) != DART_OK) return -2;
    return value;
  }
  bool put(std::size_t i, int value) const {
    return dart_put_blocking(at(i), &value, 1, DART_TYPE_INT, DART_TYPE_INT) == DART_OK;
  }

 private:
  dart_gptr_t at(std::size_t i) const {
    dart_gptr_t gptr = _base;
    gptr.addr_or_offs.offset = i * sizeof(int);
    return gptr;
  }

  dart_gptr_t _base;
};

/// A lock of all units for the length of a test case.
struct TeamLock {
  TeamLock() { REQUIRE(dart_team_lock_init(DART_TEAM_ALL, &handle) == DART_OK); }
  ~TeamLock() { dart_team_lock_destroy(&handle); }
  dart_lock_t handle = DART_LOCK_NULL;
};

}  // namespace

TEST_CASE("Additions by get and put under a lock are all counted", "[Lock]") {
  const SharedNumbers numbers(1);
  TeamLock lock;
  const int rounds = 200;
  for (int i = 0; i < rounds; ++i) {
    REQUIRE(dart_lock_acquire(lock.handle) == DART_OK);
    REQUIRE(numbers.put(0, numbers.get(0) + 1));
    REQUIRE(dart_lock_release(lock.handle) == DART_OK);
  }
  barrier();
  REQUIRE(numbers.get(0) == rounds * num_units());
}

TEST_CASE("Threads of all units that contend for a lock exclude each other", "[Lock]") {
  const SharedNumbers numbers(1);
  TeamLock lock;
  constexpr int nthreads = 3;
  constexpr int rounds = 20;
  std::vector<int> failures(nthreads, 0);
  std::vector<std::thread> threads;
  for (int thread = 0; thread < nthreads; ++thread) {
    threads.emplace_back([&, thread] {
      for (int i = 0; i < rounds; ++i) {
        if (thread == 0 && i % 2 == 0) {
          int32_t acquired = 0;
          while (dart_lock_try_acquire(lock.handle, &acquired) == DART_OK && acquired == 0) {
            // The holder of the lock may need the processor to release it.
            std::this_thread::sleep_for(std::chrono::microseconds(100));
          }
        } else if (dart_lock_acquire(lock.handle) != DART_OK) {
          ++failures[static_cast<std::size_t>(thread)];
          return;
        }
        if (!numbers.put(0, numbers.get(0) + 1) || dart_lock_release(lock.handle) != DART_OK) {
          ++failures[static_cast<std::size_t>(thread)];
        }
      }
    });
  }
  for (std::thread& thread : threads)
    thread.join();
  REQUIRE(std::accumulate(failures.begin(), failures.end(), 0) == 0);
  barrier();
  REQUIRE(numbers.get(0) == nthreads * rounds * num_units());
}

TEST_CASE("Units acquire a lock in the order of their requests", "[Lock]") {
  const int me = my_id();
  const int units = num_units();
  const SharedNumbers numbers(static_cast<std::size_t>(units) + 1);
  TeamLock lock;
  for (int first = 0; first < units; ++first) {
    barrier();
    const int position = (me - first + units) % units;
    const int predecessor = (me - 1 + units) % units;
    if (position == 0) {
      REQUIRE(numbers.put(0, 0));
    } else {
      while (lock.handle->lock->last_in_queue() != predecessor) {
        dart_progress();
        std::this_thread::yield();
      }
    }
    REQUIRE(dart_lock_acquire(lock.handle) == DART_OK);
    // The first unit keeps the lock until all units are in the queue.
    while (position == 0 && lock.handle->lock->last_in_queue() != (first + units - 1) % units) {
      dart_progress();
      std::this_thread::yield();
    }
    const int served = numbers.get(0);
    REQUIRE(served == position);
    REQUIRE(numbers.put(0, served + 1));
    REQUIRE(dart_lock_release(lock.handle) == DART_OK);
  }
}

TEST_CASE("If several units try a free lock, exactly one acquires it", "[Lock]") {
  const SharedNumbers numbers(1);
  TeamLock lock;
  for (int round = 0; round < 20; ++round) {
    barrier();
    int32_t acquired = 7;
    REQUIRE(dart_lock_try_acquire(lock.handle, &acquired) == DART_OK);
    REQUIRE((acquired == 0 || acquired == 1));
    int total = acquired;
    REQUIRE(dart_allreduce(&total, &total, 1, DART_TYPE_INT, DART_OP_SUM, DART_TEAM_ALL) ==
            DART_OK);
    REQUIRE(total == 1);
    if (acquired == 1) {
      REQUIRE(dart_lock_release(lock.handle) == DART_OK);
    } else {
      REQUIRE(dart_lock_release(lock.handle) == DART_ERR_INVAL);
    }
  }
}

TEST_CASE("Acquiring a lock twice and releasing a lock that is not held are errors", "[Lock]") {
  TeamLock lock;
  REQUIRE(dart_lock_release(lock.handle) == DART_ERR_INVAL);
  barrier();
  if (my_id() == 0) {
    REQUIRE(dart_lock_acquire(lock.handle) == DART_OK);
    REQUIRE(dart_lock_acquire(lock.handle) == DART_ERR_INVAL);
    REQUIRE(std::strlen(dart_last_error()) > 0);
    int32_t acquired = 0;
    REQUIRE(dart_lock_try_acquire(lock.handle, &acquired) == DART_ERR_INVAL);
    REQUIRE(acquired == 1);
  }
  barrier();
  int32_t acquired = 7;
  dart_ret_t by_thread = DART_OK;
  dart_ret_t tried_by_thread = DART_PENDING;
  std::thread([&] {
    by_thread = dart_lock_release(lock.handle);
    tried_by_thread = dart_lock_try_acquire(lock.handle, &acquired);
  }).join();
  REQUIRE(by_thread == DART_ERR_INVAL);
  REQUIRE(tried_by_thread == DART_OK);
  REQUIRE(acquired == 0);
  barrier();
  if (my_id() == 0) {
    REQUIRE(dart_lock_release(lock.handle) == DART_OK);
    REQUIRE(dart_lock_release(lock.handle) == DART_ERR_INVAL);
  }
  barrier();
  REQUIRE(dart_lock_acquire(lock.handle) == DART_OK);
  REQUIRE(dart_lock_release(lock.handle) == DART_OK);
}

TEST_CASE("A thread waits until another thread of its unit releases the lock", "[Lock]") {
  TeamLock lock;
  if (my_id() == num_units() - 1) {
    REQUIRE(dart_lock_acquire(lock.handle) == DART_OK);
    std::atomic<int> step = 0;
    dart_ret_t acquired = DART_PENDING;
    dart_ret_t released = DART_PENDING;
    std::thread other([&] {
      step = 1;
      acquired = dart_lock_acquire(lock.handle);
      step = 2;
      released = dart_lock_release(lock.handle);
    });
    while (step.load() == 0)
      std::this_thread::yield();
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
    REQUIRE(step.load() == 1);
    REQUIRE(dart_lock_release(lock.handle) == DART_OK);
    other.join();
    REQUIRE(acquired == DART_OK);
    REQUIRE(released == DART_OK);
  }
  barrier();
}

TEST_CASE("Successive locks have their tails on different units", "[Lock]") {
  const int units = num_units();
  std::vector<TeamLock> locks(static_cast<std::size_t>(2 * units));
  std::multiset<int> homes;
  for (const TeamLock& lock : locks)
    homes.insert(lock.handle->lock->home());
  for (int unit = 0; unit < units; ++unit)
    REQUIRE(homes.count(unit) == 2);
  // All are held at the same time: they are separate locks.
  for (const TeamLock& lock : locks)
    REQUIRE(dart_lock_acquire(lock.handle) == DART_OK);
  for (const TeamLock& lock : locks)
    REQUIRE(dart_lock_release(lock.handle) == DART_OK);
}

TEST_CASE("Destroying a lock that a unit holds is an error on all units", "[Lock]") {
  dart_lock_t lock = DART_LOCK_NULL;
  REQUIRE(dart_team_lock_init(DART_TEAM_ALL, &lock) == DART_OK);
  const bool holder = my_id() == num_units() / 2;
  if (holder) REQUIRE(dart_lock_acquire(lock) == DART_OK);
  REQUIRE(dart_team_lock_destroy(&lock) == DART_ERR_INVAL);
  REQUIRE(dart_lock_initialized(lock));
  if (holder) REQUIRE(dart_lock_release(lock) == DART_OK);
  const dart_lock_t copy = lock;
  REQUIRE(dart_team_lock_destroy(&lock) == DART_OK);
  REQUIRE(lock == DART_LOCK_NULL);
  REQUIRE(!dart_lock_initialized(copy));
  REQUIRE(dart_lock_acquire(copy) == DART_ERR_INVAL);
  REQUIRE(dart_lock_release(copy) == DART_ERR_INVAL);
  dart_lock_t again = copy;
  REQUIRE(dart_team_lock_destroy(&again) == DART_ERR_INVAL);
}

TEST_CASE("Thousands of locks are created and destroyed", "[Lock]") {
  for (int i = 0; i < 1000; ++i) {
    dart_lock_t lock = DART_LOCK_NULL;
    REQUIRE(dart_team_lock_init(DART_TEAM_ALL, &lock) == DART_OK);
    REQUIRE(dart_lock_initialized(lock));
    if (i % 100 == 0) {
      REQUIRE(dart_lock_acquire(lock) == DART_OK);
      REQUIRE(dart_lock_release(lock) == DART_OK);
    }
    REQUIRE(dart_team_lock_destroy(&lock) == DART_OK);
  }
}

TEST_CASE("Lock functions refuse invalid arguments", "[Lock]") {
  dart_lock_t lock = DART_LOCK_NULL;
  int32_t result = 7;
  REQUIRE(dart_team_lock_init(DART_TEAM_ALL, nullptr) == DART_ERR_INVAL);
  REQUIRE(dart_team_lock_init(DART_TEAM_NULL, &lock) == DART_ERR_INVAL);
  REQUIRE(dart_team_lock_init(12345, &lock) == DART_ERR_INVAL);
  REQUIRE(lock == DART_LOCK_NULL);
  REQUIRE(dart_team_lock_destroy(nullptr) == DART_ERR_INVAL);
  REQUIRE(dart_team_lock_destroy(&lock) == DART_ERR_INVAL);
  REQUIRE(dart_lock_acquire(DART_LOCK_NULL) == DART_ERR_INVAL);
  REQUIRE(dart_lock_try_acquire(DART_LOCK_NULL, &result) == DART_ERR_INVAL);
  REQUIRE(result == 0);
  REQUIRE(dart_lock_release(DART_LOCK_NULL) == DART_ERR_INVAL);
  REQUIRE(!dart_lock_initialized(DART_LOCK_NULL));
  const TeamLock good;
  REQUIRE(dart_lock_try_acquire(good.handle, nullptr) == DART_ERR_INVAL);
}

TEST_CASE("Destroying a team destroys its locks; later calls access no reused memory", "[Lock]") {
  dart_team_t team = DART_TEAM_NULL;
  REQUIRE(dart_team_clone(DART_TEAM_ALL, &team) == DART_OK);
  dart_lock_t lock = DART_LOCK_NULL;
  REQUIRE(dart_team_lock_init(team, &lock) == DART_OK);
  REQUIRE(dart_lock_acquire(lock) == DART_OK);
  REQUIRE(dart_lock_release(lock) == DART_OK);
  REQUIRE(dart_team_destroy(&team) == DART_OK);
  REQUIRE(!dart_lock_initialized(lock));
  // These segments may reuse the memory of the lock.
  std::vector<dart_gptr_t> segments(50);
  for (dart_gptr_t& gptr : segments) {
    REQUIRE(dart_team_memalloc_aligned(DART_TEAM_ALL, 4096, DART_TYPE_BYTE, &gptr) == DART_OK);
  }
  int32_t result = 1;
  for (int i = 0; i < 2; ++i) {
    REQUIRE(dart_lock_acquire(lock) == DART_ERR_INVAL);
    REQUIRE(dart_lock_try_acquire(lock, &result) == DART_ERR_INVAL);
    REQUIRE(dart_lock_release(lock) == DART_ERR_INVAL);
  }
  for (dart_gptr_t gptr : segments) {
    std::vector<char> found(4096, 1);
    dart_global_unit_t me;
    REQUIRE(dart_myid(&me) == DART_OK);
    gptr.unitid = me.id;
    REQUIRE(dart_get_blocking(found.data(), gptr, 4096, DART_TYPE_BYTE, DART_TYPE_BYTE) == DART_OK);
    REQUIRE(std::count(found.begin(), found.end(), 0) == 4096);
    REQUIRE(dart_team_memfree(gptr) == DART_OK);
  }
}
