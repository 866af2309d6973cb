#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "dash/async/Engine.h"
#include "dash/async/Executor.h"
#include "dash/async/ValueState.h"
#include "dash/core/Spin.h"
#include "dash/dart/Signal.h"

namespace dash::dart {

/// The signals that futures of this unit wait for: a poll source.
///
/// Callers that wait poll the signals and sleep on their words. The progress thread does so, too,
/// while a continuation is attached to one of the futures, because then possibly no caller waits. Without
/// workers, only for continuations of the library: others run only when a caller waits, which polls. A
/// state whose futures have all been dropped leaves the list unless a continuation is attached;
/// only then the list owns the state.
/// \threads thread-safe
class SignalWatch final : public exec::PollSource {
 public:
  /// Never destroyed: states may outlive the runtime.
  static SignalWatch& instance() noexcept;

  /// See when_signal().
  exec::StatePtr<exec::ValueState<std::uint32_t>> when(Signal& signal, std::uint32_t value);

  /// Fails the waits for signals in [begin, end).
  void fail_between(const void* begin, const void* end, const char* reason) noexcept;
  void fail_all(const char* reason) noexcept;

  bool poll() noexcept override;
  exec::Demand demand() const noexcept override;
  Words wait_words(std::span<core::FutexWord> words, bool by_thread) noexcept override;
  bool has_wait_words() const noexcept override {
    return _size.load(std::memory_order_seq_cst) != 0;
  }
  bool wakes_progress_thread() const noexcept override {
    return _has_library_continuations.load(std::memory_order_seq_cst) ||
           (_has_other_continuations.load(std::memory_order_seq_cst) && exec::has_job_workers());
  }

 private:
  class AwaitedSignal;
  using States = std::vector<exec::StatePtr<AwaitedSignal>>;

  template <class Matches>
  States take(Matches matches) noexcept;
  void forget(AwaitedSignal& awaited) noexcept;
  void remove(std::size_t index) noexcept;
  void keep(AwaitedSignal& awaited, exec::Continuation::Where where) noexcept;
  static void fail(const States& states, const char* reason) noexcept;

  core::SpinLock _lock;  // guards the list, and the members of its states that belong to the list
  std::vector<AwaitedSignal*> _awaited;
  // Stored under the lock. The notification in keep() orders the two flags with the check of a thread that goes to sleep;
  // a thread that waits for one of the states has obtained it after the store of the size.
  std::atomic<std::size_t> _size{0};
  std::atomic<bool> _has_library_continuations{false};
  std::atomic<bool> _has_other_continuations{false};
};

}  // namespace dash::dart
