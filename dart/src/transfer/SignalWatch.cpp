#include "transfer/SignalWatch.h"

#include <functional>
#include <mutex>
#include <utility>

#include "dash/Exception.h"
#include "dash/async/Watch.h"
#include "dash/core/Trace.h"
#include "dash/dart/Transfer.h"

namespace dash::dart {

class SignalWatch::AwaitedSignal final : public exec::ValueState<std::uint32_t> {
 public:
  AwaitedSignal(SignalWatch& watch, Signal& signal, std::uint32_t value) noexcept
      : _watch(watch), _signal(signal), _value(value) {}

  Signal& signal() const noexcept { return _signal; }
  bool is_reached(std::uint32_t current) const noexcept { return signal_reached(current, _value); }

  exec::Label label() const noexcept override {
    return {"a signal that reaches {}", {static_cast<long>(_value)}};
  }

  // These belong to the list.
  bool listed = false;
  bool owned = false;         // the list has a reference
  bool registered = false;    // counted in the signal's sleepers
  std::uint32_t reached = 0;  // value of the signal when it had reached the awaited value

 private:
  void destroy() noexcept override {
    _watch.forget(*this);
    if (is_last()) delete this;
  }
  void attaching(exec::Continuation::Where where) noexcept override { _watch.keep(*this, where); }

  SignalWatch& _watch;
  Signal& _signal;
  std::uint32_t _value;
};

SignalWatch& SignalWatch::instance() noexcept {
  static SignalWatch* const watch = new SignalWatch();
  return *watch;
}

exec::StatePtr<exec::ValueState<std::uint32_t>> SignalWatch::when(Signal& signal,
                                                                  std::uint32_t value) {
  auto state = exec::StatePtr<AwaitedSignal>::adopt(new AwaitedSignal(*this, signal, value));
  const std::uint32_t current = signal.value.load(std::memory_order_acquire);
  if (state->is_reached(current)) {
    state->set_value(current);
    return state;
  }
  std::lock_guard lock(_lock);
  _awaited.push_back(state.get());
  state->listed = true;
  _size.store(_awaited.size(), std::memory_order_seq_cst);
  return state;
}

/// A continuation is being attached, which has to run even if all futures are dropped.
void SignalWatch::keep(AwaitedSignal& awaited, exec::Continuation::Where where) noexcept {
  {
    std::lock_guard lock(_lock);
    if (!awaited.listed) return;
    if (!std::exchange(awaited.owned, true)) awaited.retain();
    const bool is_library = where == exec::Continuation::Where::inline_;
    (is_library ? _has_library_continuations : _has_other_continuations)
        .store(true, std::memory_order_seq_cst);
  }
  // The threads that have to watch the signal may sleep, and not on its word.
  exec::Engine& engine = exec::Engine::instance();
  if (wakes_progress_thread()) {
    engine.notify();
  } else {
    engine.wake_callers();
  }
}

/// \pre the lock is held
void SignalWatch::remove(std::size_t index) noexcept {
  AwaitedSignal& awaited = *_awaited[index];
  // Relaxed: a wake-up without a sleeper does no harm.
  if (awaited.registered) awaited.signal().sleepers.fetch_sub(1, std::memory_order_relaxed);
  awaited.listed = false;
  _awaited[index] = _awaited.back();
  _awaited.pop_back();
  _size.store(_awaited.size(), std::memory_order_seq_cst);
  if (!_awaited.empty()) return;
  _has_library_continuations.store(false, std::memory_order_seq_cst);
  _has_other_continuations.store(false, std::memory_order_seq_cst);
}

void SignalWatch::forget(AwaitedSignal& awaited) noexcept {
  std::lock_guard lock(_lock);
  if (!awaited.listed) return;
  for (std::size_t i = 0; i < _awaited.size(); ++i) {
    if (_awaited[i] != &awaited) continue;
    remove(i);
    return;
  }
}

/// Removes the states for which matches(awaited) is true, except those that are being destroyed.
/// \pre the lock is held
template <class Matches>
SignalWatch::States SignalWatch::take(Matches matches) noexcept {
  States taken;
  for (std::size_t i = 0; i < _awaited.size();) {
    AwaitedSignal& awaited = *_awaited[i];
    if (!matches(awaited) || !(awaited.owned || awaited.retain_if_alive())) {
      ++i;
      continue;
    }
    taken.push_back(exec::StatePtr<AwaitedSignal>::adopt(&awaited));
    remove(i);
  }
  return taken;
}

bool SignalWatch::poll() noexcept {
  if (_size.load(std::memory_order_acquire) == 0 || !_lock.try_lock()) return false;
  States reached;
  {
    std::lock_guard lock(_lock, std::adopt_lock);
    reached = take([](AwaitedSignal& awaited) {
      awaited.reached = awaited.signal().value.load(std::memory_order_acquire);
      return awaited.is_reached(awaited.reached);
    });
  }
  for (const exec::StatePtr<AwaitedSignal>& awaited : reached)
    awaited->set_value(awaited->reached);
  return !reached.empty();
}

exec::Demand SignalWatch::demand() const noexcept {
  return wakes_progress_thread() && !exec::Engine::instance().has_thread() ? exec::Demand::waiting
                                                                           : exec::Demand::none;
}

exec::PollSource::Words SignalWatch::wait_words(std::span<core::FutexWord> words,
                                                bool /*by_thread*/) noexcept {
  Words result;
  std::lock_guard lock(_lock);
  for (AwaitedSignal* const awaited : _awaited) {
    if (result.count == words.size()) {
      result.complete = false;
      break;
    }
    Signal& signal = awaited->signal();
    // Registered before the value is read: a unit that changes the value afterwards wakes the
    // sleeper.
    if (!std::exchange(awaited->registered, true))
      signal.sleepers.fetch_add(1, std::memory_order_seq_cst);
    const std::uint32_t value = signal.value.load(std::memory_order_seq_cst);
    if (awaited->is_reached(value)) {
      result.found = true;
      break;
    }
    words[result.count++] = {&signal.value, value, true};
  }
  return result;
}

void SignalWatch::fail(const States& states, const char* reason) noexcept {
  for (const exec::StatePtr<AwaitedSignal>& awaited : states)
    awaited->fail(std::make_exception_ptr(exception::RuntimeError(reason)));
}

void SignalWatch::fail_between(const void* begin, const void* end, const char* reason) noexcept {
  States failed;
  {
    std::lock_guard lock(_lock);
    failed = take([&](const AwaitedSignal& awaited) {
      const void* const word = &awaited.signal();
      return !std::less<>()(word, begin) && std::less<>()(word, end);
    });
  }
  fail(failed, reason);
}

void SignalWatch::fail_all(const char* reason) noexcept {
  States failed;
  {
    std::lock_guard lock(_lock);
    failed = take([](const AwaitedSignal&) { return true; });
  }
  fail(failed, reason);
}

exec::StatePtr<exec::ValueState<std::uint32_t>> when_signal(Signal& signal, std::uint32_t value) {
  return SignalWatch::instance().when(signal, value);
}

void cancel_signal_waits(const void* begin, std::size_t nbytes) {
  const auto* const first = static_cast<const std::byte*>(begin);
  SignalWatch::instance().fail_between(first, first + nbytes,
                                       "the signal was destroyed before it reached the value");
}

void wait_signal(Signal& signal, std::uint32_t value) {
  const exec::Purpose purpose("a signal that reaches {}", value);
  const core::TraceSpan span(core::TraceKind::call, "wait_signal");
  exec::Engine::instance().wait_shared(
      signal, [value](std::uint32_t current) { return signal_reached(current, value); });
}

bool test_signal(Signal& signal, std::uint32_t value) {
  const auto is_reached = [&] {
    return signal_reached(signal.value.load(std::memory_order_acquire), value);
  };
  if (is_reached()) return true;
  exec::Engine::instance().progress();
  return is_reached();
}

}  // namespace dash::dart
