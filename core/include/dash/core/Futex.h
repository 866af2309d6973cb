#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <span>

#include "dash/core/Export.h"
#include "dash/core/Spin.h"

namespace dash::core {

/// Sleeps while `word` holds `expected`. May return early (a signal, a wake-up for an earlier word at the
/// same address), so the caller has to check its condition again.
/// \param   shared      whether the word is in memory shared with other processes
/// \param   timeout_ns  from now; negative for none
/// \returns false after the timeout, else true (woken, or the word had another value)
/// \threads thread-safe   \blocks until woken or timed out
DASH_API bool futex_wait(std::atomic<std::uint32_t>& word, std::uint32_t expected, bool shared,
                         std::int64_t timeout_ns = -1) noexcept;

/// A word to sleep on, and its expected value. The word may be unmapped during the sleep.
struct FutexWord {
  const std::atomic<std::uint32_t>* word = nullptr;
  std::uint32_t expected = 0;
  bool shared = false;
};

inline constexpr std::size_t max_futex_words = 128;

/// Sleeps while all of several words hold their expected values. May return early.
/// \param   words       at most max_futex_words
/// \param   timeout_ns  from now; negative for none
/// \returns false, without sleeping, if the kernel does not support it (Linux before 5.16)
/// \threads thread-safe   \blocks until woken or timed out
DASH_API bool futex_wait_any(std::span<const FutexWord> words,
                             std::int64_t timeout_ns = -1) noexcept;

/// Wakes up to `n` threads that sleep on `word`. The caller has to change the word first.
/// \param   shared  the value that the sleepers passed
/// \threads thread-safe   \blocks never   \cost a system call, even if no thread sleeps
DASH_API void futex_wake(std::atomic<std::uint32_t>& word, int n, bool shared) noexcept;

/// Lets threads of this process sleep until an arbitrary condition may have become true:
///
///     waiter                              notifier
///       key = events.prepare();             make the condition true;
///       if (condition) events.cancel();     events.notify_all();
///       else events.wait(key);
///
/// No wake-up is lost: either the waiter checks the condition after the notifier's change, or the notifier
/// sees the registered waiter.
/// \threads thread-safe
class EventCount {
 public:
  using Key = std::uint32_t;

  EventCount() noexcept = default;
  EventCount(const EventCount&) = delete;
  EventCount& operator=(const EventCount&) = delete;

  /// Registers the caller as a waiter. The caller checks its condition afterwards, then calls `cancel` or
  /// `wait`.
  [[nodiscard]] Key prepare() noexcept {
    // Acquire: pairs with the release of the notifier's read-modify-write of the same word. If the notifier
    // was first, it saw no waiter and wakes no thread, but the caller sees the changed condition. (seq_cst
    // costs no more.)
    _waiters.fetch_add(1, std::memory_order_seq_cst);
    // Acquire: pairs with the increment in notify_waiters. If that came between these two statements, the
    // caller reads the new epoch, for which it is not woken, but sees the changed condition.
    return _epoch.load(std::memory_order_acquire);
  }

  /// Ends the registration of `prepare`.
  /// Relaxed: publishes no data. A notifier that still counts the caller only makes a superfluous system call.
  void cancel() noexcept { _waiters.fetch_sub(1, std::memory_order_relaxed); }

  /// Sleeps until a `notify_all` after the `prepare` that returned the key; ends the registration.
  /// \param   timeout_ns  from now; negative for none
  /// \returns whether notified (else timed out)
  DASH_API bool wait(Key key, std::int64_t timeout_ns = -1) noexcept;

  /// The word of this event count, for a registered waiter that sleeps on several words by futex_wait_any
  /// and then calls `cancel`.
  FutexWord futex_word(Key key) const noexcept { return {&_epoch, key, false}; }

  /// Wakes all waiters that are registered.
  /// \blocks  never
  /// \cost    one atomic instruction if no waiter is registered, else a system call
  void notify_all() noexcept {
    // A read-modify-write instead of a load: it is ordered with the one in prepare (the pairs above),
    // whereas a load could be reordered before the caller's store to its condition. It replaces a fence,
    // which ThreadSanitizer does not support.
    if (_waiters.fetch_add(0, std::memory_order_seq_cst) != 0) {
      notify_waiters();
    }
  }

  /// The same, if the change of the condition and the waiter's check are both sequentially consistent, or
  /// both made under one lock: then either this call comes after the registration, or the check after the
  /// change.
  /// \cost    one load if no waiter is registered, else a system call
  void notify_registered() noexcept {
    if (_waiters.load(std::memory_order_seq_cst) != 0) notify_waiters();
  }

 private:
  DASH_API void notify_waiters() noexcept;

  alignas(cache_line_size) std::atomic<std::uint32_t> _waiters{0};
  std::atomic<std::uint32_t> _epoch{0};  // the word on which waiters sleep
};

}  // namespace dash::core
