// dash-test: serial
#include "dash/core/Futex.h"

#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include <new>
#include <thread>

#include "dash/core/Clock.h"
#include "support/Catch.h"
#include "support/Runner.h"

using namespace dash::core;

namespace {

constexpr std::int64_t ms = 1'000'000;
constexpr std::int64_t never = 60'000 * ms;

}  // namespace

TEST_CASE("A futex wait returns immediately if the word differs") {
  std::atomic<std::uint32_t> word{1};
  CHECK(futex_wait(word, 0, false));
  CHECK(futex_wait(word, 0, true));
  CHECK(futex_wait(word, 0, false, never));
}

TEST_CASE("A futex wait ends at its timeout") {
  std::atomic<std::uint32_t> word{0};
  for (const bool shared : {false, true}) {
    const std::uint64_t start = now_ns();
    bool woken = true;
    // A signal may end a wait early.
    while ((woken = futex_wait(word, 0, shared, 20 * ms)) && now_ns() - start < 10'000U * ms) {
    }
    CHECK_FALSE(woken);
    CHECK(now_ns() - start >= 20U * ms);
  }
  CHECK_FALSE(futex_wait(word, 0, false, 0));
}

TEST_CASE("A futex wake ends the wait of a thread") {
  std::atomic<std::uint32_t> word{0};
  bool woken = false;
  std::thread sleeper([&] {
    do {
      woken = futex_wait(word, 0, false, never);
    } while (woken && word.load() == 0);
  });
  std::this_thread::sleep_for(std::chrono::milliseconds(10));
  word.store(1);
  futex_wake(word, 1, false);
  sleeper.join();
  CHECK(woken);
}

TEST_CASE("A shared futex wakes another process") {
  constexpr std::size_t nbytes = 4096;
  void* const memory =
      mmap(nullptr, nbytes, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  REQUIRE(memory != MAP_FAILED);
  auto* const words = new (memory) std::atomic<std::uint32_t>[2]();
  const pid_t child = fork();
  REQUIRE(child >= 0);
  if (child == 0) {
    // Ping-pong: each process sleeps until the other one has incremented its word.
    for (std::uint32_t round = 0; round < 500; ++round) {
      while (words[0].load() == round) {
        if (!futex_wait(words[0], round, true, never)) {
          _exit(1);
        }
      }
      words[1].fetch_add(1);
      futex_wake(words[1], 1, true);
    }
    _exit(0);
  }
  bool timed_out = false;
  for (std::uint32_t round = 0; round < 500 && !timed_out; ++round) {
    words[0].fetch_add(1);
    futex_wake(words[0], 1, true);
    while (words[1].load() == round && !timed_out) {
      timed_out = !futex_wait(words[1], round, true, never);
    }
  }
  CHECK_FALSE(timed_out);
  int status = 0;
  REQUIRE(waitpid(child, &status, 0) == child);
  CHECK(WIFEXITED(status));
  CHECK(WEXITSTATUS(status) == 0);
  munmap(memory, nbytes);
}

TEST_CASE("A wait on several futexes ends when one of them differs or is woken") {
  std::atomic<std::uint32_t> a{1};
  std::atomic<std::uint32_t> b{2};
  const FutexWord differs[] = {{&a, 1, false}, {&b, 3, true}};
  if (!futex_wait_any(differs, never)) DASH_SKIP("the kernel has no futex_waitv");
  const FutexWord words[] = {{&a, 1, false}, {&b, 2, true}};
  CHECK(futex_wait_any(words, ms));  // ends at the timeout
  for (const bool shared : {false, true}) {
    std::atomic<bool> stop{false};
    std::thread waker([&] {
      while (!stop)
        futex_wake(shared ? b : a, 1, shared);
    });
    CHECK(futex_wait_any(words, -1));  // never returns if a wake-up is lost
    stop = true;
    waker.join();
  }
}
