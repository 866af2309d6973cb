#include "transfer/SignalWatch.h"

#include <functional>
#include <mutex>
#include <utility>

#include "dash/Exception.h"

namespace dash::dart {

class SignalWatch::ExpectedMessage final : public exec::ValueState<std::uint32_t> {
 public:
  ExpectedMessage(SignalWatch& watch, Signal& signal, std::uint32_t value) noexcept
      : _watch(watch), _signal(signal), _value(value) {}

  Signal& signal() const noexcept { return _signal; }
  bool arrived(std::uint32_t current) const noexcept { return signal_reached(current, _value); }

  exec::Label label() const noexcept override {
    return {"a signal that reaches {}", {static_cast<long>(_value)}};
  }

  bool listed = false;
  bool owned = false;       // by the list
  bool registered = false;  // among the signal's sleepers
  std::uint32_t found = 0;  // the signal's value when it had arrived

 private:
  void destroy() noexcept override {
    _watch.forget(*this);
    if (is_last()) delete this;
  }
  void attaching() noexcept override { _watch.keep(*this); }

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
  auto state = exec::StatePtr<ExpectedMessage>::adopt(new ExpectedMessage(*this, signal, value));
  const std::uint32_t current = signal.value.load(std::memory_order_acquire);
  if (state->arrived(current)) {
    state->set_value(current);
    return state;
  }
  std::lock_guard lock(_lock);
  _awaited.push_back(state.get());
  state->listed = true;
  _size.store(_awaited.size(), std::memory_order_seq_cst);
  return state;
}

/// What is attached has to run, whether somebody keeps the future or not.
void SignalWatch::keep(ExpectedMessage& awaited) noexcept {
  {
    std::lock_guard lock(_lock);
    if (!awaited.listed) return;
    if (!std::exchange(awaited.owned, true)) awaited.retain();
    _thread_wanted.store(true, std::memory_order_seq_cst);
  }
  exec::Engine::instance().notify();  // it may sleep, and not on this one's word
}

/// \pre the lock is held
void SignalWatch::drop(std::size_t index) noexcept {
  ExpectedMessage& awaited = *_awaited[index];
  // Relaxed: who wakes too many finds nobody.
  if (awaited.registered) awaited.signal().sleepers.fetch_sub(1, std::memory_order_relaxed);
  awaited.listed = false;
  _awaited[index] = _awaited.back();
  _awaited.pop_back();
  _size.store(_awaited.size(), std::memory_order_seq_cst);
  if (_awaited.empty()) _thread_wanted.store(false, std::memory_order_seq_cst);
}

void SignalWatch::forget(ExpectedMessage& awaited) noexcept {
  std::lock_guard lock(_lock);
  if (!awaited.listed) return;
  for (std::size_t i = 0; i < _awaited.size(); ++i) {
    if (_awaited[i] != &awaited) continue;
    drop(i);
    return;
  }
}

/// Takes those out of the list for which found(awaited) is true, but for dying ones.
template <class Found>
SignalWatch::States SignalWatch::take(Found found) noexcept {
  States taken;
  for (std::size_t i = 0; i < _awaited.size();) {
    ExpectedMessage& awaited = *_awaited[i];
    if (!found(awaited) || !(awaited.owned || awaited.retain_if_alive())) {
      ++i;
      continue;
    }
    taken.push_back(exec::StatePtr<ExpectedMessage>::adopt(&awaited));
    drop(i);
  }
  return taken;
}

bool SignalWatch::poll() noexcept {
  if (_size.load(std::memory_order_acquire) == 0 || !_lock.try_lock()) return false;
  States arrived;
  {
    std::lock_guard lock(_lock, std::adopt_lock);
    arrived = take([](ExpectedMessage& awaited) {
      awaited.found = awaited.signal().value.load(std::memory_order_acquire);
      return awaited.arrived(awaited.found);
    });
  }
  for (const exec::StatePtr<ExpectedMessage>& awaited : arrived)
    awaited->set_value(awaited->found);
  return !arrived.empty();
}

exec::Demand SignalWatch::demand() const noexcept {
  return thread_watches() && !exec::Engine::instance().has_thread() ? exec::Demand::waiting
                                                                    : exec::Demand::none;
}

exec::PollSource::Words SignalWatch::words_to_sleep_on(std::span<core::FutexWord> words) noexcept {
  Words result;
  std::lock_guard lock(_lock);
  for (ExpectedMessage* const awaited : _awaited) {
    if (result.count == words.size()) {
      result.complete = false;
      break;
    }
    Signal& signal = awaited->signal();
    // Before the look at the value: who changes it afterwards wakes who sleeps.
    if (!std::exchange(awaited->registered, true))
      signal.sleepers.fetch_add(1, std::memory_order_seq_cst);
    const std::uint32_t value = signal.value.load(std::memory_order_seq_cst);
    if (awaited->arrived(value)) {
      result.found = true;
      break;
    }
    words[result.count++] = {&signal.value, value, true};
  }
  return result;
}

void SignalWatch::fail_between(const void* begin, const void* end, const char* why) noexcept {
  States failed;
  {
    std::lock_guard lock(_lock);
    failed = take([&](const ExpectedMessage& awaited) {
      const void* const word = &awaited.signal();
      return !std::less<>()(word, begin) && std::less<>()(word, end);
    });
  }
  for (const exec::StatePtr<ExpectedMessage>& awaited : failed)
    awaited->fail(std::make_exception_ptr(exception::RuntimeError(why)));
}

void SignalWatch::fail_all(const char* why) noexcept {
  States failed;
  {
    std::lock_guard lock(_lock);
    failed = take([](const ExpectedMessage&) { return true; });
  }
  for (const exec::StatePtr<ExpectedMessage>& awaited : failed)
    awaited->fail(std::make_exception_ptr(exception::RuntimeError(why)));
}

exec::StatePtr<exec::ValueState<std::uint32_t>> when_signal(Signal& signal, std::uint32_t value) {
  return SignalWatch::instance().when(signal, value);
}

void forget_signals(const void* begin, std::size_t nbytes) {
  const auto* const first = static_cast<const std::byte*>(begin);
  SignalWatch::instance().fail_between(first, first + nbytes,
                                       "the signal was destroyed before it reached the value");
}

}  // namespace dash::dart
