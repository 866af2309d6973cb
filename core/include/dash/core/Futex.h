#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <span>

#include "dash/core/Export.h"
#include "dash/core/Spin.h"

namespace dash::core {

/// Sleeps while `word` holds `expected`. Returns early at times (a signal, a wake meant for another
/// word at the same address), so the caller looks at its condition again.
/// \param   shared whether the word lies in memory shared with other processes
/// \param   timeout_ns from now; negative: none
/// \returns false if the time ran out, else true (woken, or the word differed)
/// \threads any   \blocks until woken or timed out
DASH_API bool futex_wait(std::atomic<std::uint32_t>& word, std::uint32_t expected, bool shared,
                         std::int64_t timeout_ns = -1) noexcept;

/// A word to sleep on, and what it holds. The word may go away meanwhile.
struct FutexWord {
  const std::atomic<std::uint32_t>* word = nullptr;
  std::uint32_t expected = 0;
  bool shared = false;
};

inline constexpr std::size_t max_futex_words = 128;

/// Sleeps while each of several words holds what is expected of it; returns early at times.
/// \param   words at most max_futex_words   \param timeout_ns from now; negative: none
/// \returns false, at once, if the system cannot do it (Linux before 5.16)
/// \threads any   \blocks until woken or timed out
DASH_API bool futex_wait_any(std::span<const FutexWord> words,
                             std::int64_t timeout_ns = -1) noexcept;

/// Wakes up to `n` threads that sleep on `word`. Change the word first.
/// \param   shared as the sleepers gave it
/// \threads any   \blocks never   \cost a system call, whether somebody sleeps or not
DASH_API void futex_wake(std::atomic<std::uint32_t>& word, int n, bool shared) noexcept;

/// Lets threads of this process sleep until a condition, whatever it is, may have become true:
///
///     waiter                              notifier
///       key = events.prepare();             make the condition true;
///       if (condition) events.cancel();     events.notify_all();
///       else events.wait(key);
///
/// No wake-up is lost: either the waiter's look at the condition comes after the notifier's change,
/// or the notifier sees the waiter registered.
/// \threads any
class EventCount {
 public:
  using Key = std::uint32_t;

  EventCount() noexcept = default;
  EventCount(const EventCount&) = delete;
  EventCount& operator=(const EventCount&) = delete;

  /// Registers the caller as a waiter; `cancel` or `wait` must follow. Look at the condition after
  /// it.
  [[nodiscard]] Key prepare() noexcept {
    // Acquire: pairs with the release of the notifier's read-modify-write of the same word. If that
    // came first, it saw no waiter and wakes nobody, and the caller sees its condition. (seq_cst
    // costs no more.)
    _waiters.fetch_add(1, std::memory_order_seq_cst);
    // Acquire: pairs with the increment in notify_waiters. If it came between the two lines, the
    // caller sees the new epoch and would not be woken for it, but sees the condition.
    return _epoch.load(std::memory_order_acquire);
  }

  /// Takes the registration of `prepare` back.
  void cancel() noexcept { _waiters.fetch_sub(1, std::memory_order_relaxed); }

  /// Sleeps until a `notify_all` that came after the `prepare` that gave the key; ends the
  /// registration.
  /// \param   timeout_ns from now; negative: none
  /// \returns whether notified (else timed out)
  DASH_API bool wait(Key key, std::int64_t timeout_ns = -1) noexcept;

  /// What a registered waiter sleeps on besides other words, by futex_wait_any; `cancel` follows.
  FutexWord futex_word(Key key) const noexcept { return {&_epoch, key, false}; }

  /// Wakes all who registered before.
  /// \blocks  never
  /// \cost    one atomic instruction if nobody is registered, else a system call
  void notify_all() noexcept {
    // A read-modify-write and not a load: it is ordered with the one in prepare (the pairs above),
    // where a load could overtake the caller's store to its condition. It takes the place of a
    // fence, which ThreadSanitizer does not understand.
    if (_waiters.fetch_add(0, std::memory_order_seq_cst) != 0) {
      notify_waiters();
    }
  }

  /// The same where either this comes after a waiter's registration or the waiter's look after the
  /// change of the condition, without further ado: both change and look are sequentially consistent,
  /// or made with one lock held.
  /// \cost    one load if nobody is registered, else a system call
  void notify_registered() noexcept {
    if (_waiters.load(std::memory_order_seq_cst) != 0) notify_waiters();
  }

 private:
  DASH_API void notify_waiters() noexcept;

  alignas(cache_line_size) std::atomic<std::uint32_t> _waiters{0};
  std::atomic<std::uint32_t> _epoch{0};  // the word on which waiters sleep
};

}  // namespace dash::core
