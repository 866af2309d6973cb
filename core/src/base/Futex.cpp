#include "dash/core/Futex.h"

#include <linux/futex.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <climits>
#include <ctime>

#include "dash/core/Clock.h"

namespace dash::core {
namespace {

static_assert(sizeof(std::atomic<std::uint32_t>) == sizeof(std::uint32_t) &&
                  std::atomic<std::uint32_t>::is_always_lock_free,
              "the kernel accesses the word directly");

int futex_op(int op, bool shared) noexcept {
  return shared ? op : op | FUTEX_PRIVATE_FLAG;
}

}  // namespace

bool futex_wait(std::atomic<std::uint32_t>& word, std::uint32_t expected, bool shared,
                std::int64_t timeout_ns) noexcept {
  std::timespec timeout{};
  timeout.tv_sec = static_cast<std::time_t>(timeout_ns / 1'000'000'000);
  timeout.tv_nsec = static_cast<long>(timeout_ns % 1'000'000'000);
  const long result = syscall(SYS_futex, &word, futex_op(FUTEX_WAIT, shared), expected,
                              timeout_ns < 0 ? nullptr : &timeout, nullptr, 0);
  return result == 0 || errno != ETIMEDOUT;
}

bool futex_wait_any(std::span<const FutexWord> words, std::int64_t timeout_ns) noexcept {
#ifdef SYS_futex_waitv
  std::array<struct futex_waitv, max_futex_words> waiters{};
  const std::size_t n = std::min(words.size(), waiters.size());
  for (std::size_t i = 0; i < n; ++i) {
    waiters[i].uaddr = reinterpret_cast<std::uintptr_t>(words[i].word);
    waiters[i].val = words[i].expected;
    waiters[i].flags = FUTEX_32 | (words[i].shared ? 0U : FUTEX_PRIVATE_FLAG);
  }
  std::timespec until{};
  if (timeout_ns >= 0) {
    ::clock_gettime(CLOCK_MONOTONIC, &until);
    const std::int64_t ns = until.tv_nsec + timeout_ns % 1'000'000'000;
    until.tv_sec += static_cast<std::time_t>(timeout_ns / 1'000'000'000 + ns / 1'000'000'000);
    until.tv_nsec = static_cast<long>(ns % 1'000'000'000);
  }
  const long result = syscall(SYS_futex_waitv, waiters.data(), static_cast<unsigned>(n), 0U,
                              timeout_ns < 0 ? nullptr : &until, CLOCK_MONOTONIC);
  return result >= 0 || (errno != ENOSYS && errno != EPERM);
#else
  static_cast<void>(words);
  static_cast<void>(timeout_ns);
  return false;
#endif
}

void futex_wake(std::atomic<std::uint32_t>& word, int n, bool shared) noexcept {
  syscall(SYS_futex, &word, futex_op(FUTEX_WAKE, shared), n, nullptr, nullptr, 0);
}

bool EventCount::wait(Key key, std::int64_t timeout_ns) noexcept {
  const std::uint64_t start = timeout_ns < 0 ? 0 : now_ns();
  std::int64_t left = timeout_ns;
  bool notified = true;
  // Acquire pairs with the increment in notify_waiters: everything before notify_all is visible after wait.
  while (_epoch.load(std::memory_order_acquire) == key) {
    if (!futex_wait(_epoch, key, false, left)) {
      notified = _epoch.load(std::memory_order_acquire) != key;
      break;
    }
    if (timeout_ns >= 0) {
      const auto elapsed = static_cast<std::int64_t>(now_ns() - start);
      left = std::max<std::int64_t>(timeout_ns - elapsed, 0);
    }
  }
  cancel();
  return notified;
}

void EventCount::notify_waiters() noexcept {
  // Release pairs with the loads of the epoch in prepare and wait. The kernel compares the word under its own
  // lock: a waiter that has read the old epoch either sleeps already and is woken, or does not go to sleep.
  _epoch.fetch_add(1, std::memory_order_acq_rel);
  futex_wake(_epoch, INT_MAX, false);
}

}  // namespace dash::core
