// dash-test: serial
#include "dash/core/Spin.h"
#include "support/Catch.h"

#include <mutex>
#include <thread>
#include <vector>

using dash::core::SpinLock;

TEST_CASE("A SpinLock has one holder at a time") {
  SpinLock lock;
  CHECK(lock.try_lock());
  CHECK_FALSE(lock.try_lock());
  lock.unlock();
  CHECK(lock.try_lock());
  lock.unlock();
}

TEST_CASE("A SpinLock protects a counter, with more threads than processors") {
  constexpr int nthreads = 8;
  constexpr int rounds = 5000;
  SpinLock lock;
  long counter = 0;
  std::vector<std::thread> threads;
  for (int t = 0; t < nthreads; ++t) {
    threads.emplace_back([&] {
      for (int i = 0; i < rounds; ++i) {
        const std::lock_guard guard(lock);
        ++counter;
      }
    });
  }
  for (std::thread& thread : threads) {
    thread.join();
  }
  CHECK(counter == long{nthreads} * rounds);
}

TEST_CASE("A waiting thread acquires a SpinLock after its holder has slept") {
  SpinLock lock;
  lock.lock();
  std::thread waiter([&] {
    lock.lock();
    lock.unlock();
  });
  std::this_thread::sleep_for(std::chrono::milliseconds(20));
  lock.unlock();
  waiter.join();
  CHECK(lock.try_lock());
}
