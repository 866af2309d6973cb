#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "dash/async/Engine.h"
#include "dash/async/ValueState.h"
#include "dash/core/Spin.h"
#include "dash/dart/Signal.h"

namespace dash::dart {

/// The signals that futures of this unit wait for.
///
/// Who waits looks at them, and sleeps on their words; the progress thread does so, too, once
/// something is attached to one of the futures, which nobody may wait for. A future that all have
/// dropped leaves the list, unless something is attached: only then the list owns its state.
/// \threads any
class SignalWatch final : public exec::PollSource {
 public:
  /// Never destroyed: states may outlive the runtime.
  static SignalWatch& instance() noexcept;

  exec::StatePtr<exec::ValueState<std::uint32_t>> when(Signal& signal, std::uint32_t value);

  /// Fails those on signals that lie in [begin, end).
  void fail_between(const void* begin, const void* end, const char* why) noexcept;
  void fail_all(const char* why) noexcept;

  bool poll() noexcept override;
  exec::Demand demand() const noexcept override;
  Words words_to_sleep_on(std::span<core::FutexWord> words) noexcept override;
  bool watches() const noexcept override { return _size.load(std::memory_order_seq_cst) != 0; }
  bool thread_watches() const noexcept override {
    return _thread_wanted.load(std::memory_order_seq_cst);
  }

 private:
  class ExpectedMessage;
  using States = std::vector<exec::StatePtr<ExpectedMessage>>;

  template <class Found>
  States take(Found found) noexcept;
  void forget(ExpectedMessage& awaited) noexcept;
  void drop(std::size_t index) noexcept;
  void keep(ExpectedMessage& awaited) noexcept;

  core::SpinLock _lock;  // guards the list and what the states in it keep for it
  std::vector<ExpectedMessage*> _awaited;
  std::atomic<std::size_t> _size{0};
  std::atomic<bool> _thread_wanted{false};
};

}  // namespace dash::dart
