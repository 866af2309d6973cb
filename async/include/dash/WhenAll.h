#pragma once

#include <cstddef>
#include <tuple>
#include <utility>
#include <vector>

#include "dash/Future.h"
#include "dash/async/Group.h"

namespace dash {

/// Result of when_any(): all futures, and the index of the one that was ready first.
/// \ingroup futures
template <class Futures>
struct WhenAny {
  /// Position of the future that was ready or failed first; the maximum of std::size_t if there are none.
  std::size_t index = static_cast<std::size_t>(-1);
  /// The futures, a vector or a tuple, in the order of the arguments.
  Futures futures;
};

namespace exec {

template <class Futures>
inline constexpr bool is_copyable<WhenAny<Futures>> = is_copyable<Futures>;

template <class Future, class F>
void for_each_future(std::vector<Future>& futures, F&& f) {
  for (std::size_t i = 0; i < futures.size(); ++i)
    f(futures[i], i);
}
template <class... Futures, class F>
void for_each_future(std::tuple<Futures...>& futures, F&& f) {
  std::size_t i = 0;
  std::apply([&](Futures&... each) { (f(each, i++), ...); }, futures);
}

template <class Future>
std::size_t count_of(const std::vector<Future>& futures) {
  return futures.size();
}
template <class... Futures>
constexpr std::size_t count_of(const std::tuple<Futures...>&) {
  return sizeof...(Futures);
}

/// Summary of several futures.
struct FutureSummary {
  bool pending = false;
  bool lazy = false;
  std::size_t first_ready = static_cast<std::size_t>(-1);
};
template <class Futures>
FutureSummary summarize(Futures& futures, const char* called) {
  FutureSummary summary;
  for_each_future(futures, [&](auto& future, std::size_t i) {
    if (!future.valid()) throw_invalid_future(called);
    State* const state = FutureAccess::state(future).get();
    if (state == nullptr || state->done()) {
      if (i < summary.first_ready) summary.first_ready = i;
    } else {
      summary.pending = true;
      summary.lazy = summary.lazy || state->needs_waiter();
    }
  });
  return summary;
}

/// State of when_all(): holds the futures, and is ready when all of them are.
template <class Futures>
class AllState final : public ValueState<Futures>, private Countdown {
 public:
  explicit AllState(Futures futures) : Countdown(*this, count_of(futures)) {
    this->_value.emplace(std::move(futures));
  }
  /// Releases the initial reference when the state is done. \pre called once
  void start() {
    for_each_future(*this->_value, [&](auto& future, std::size_t) {
      if (State* const state = FutureAccess::state(future).get()) add(*state);
    });
    if (end()) finish();
  }

 private:
  void finish() noexcept override {
    this->complete();
    this->release();
  }
};

/// The same if some futures are lazy.
template <class Futures>
class LazyAll final : public LazyState<Futures> {
 public:
  explicit LazyAll(Futures futures) { this->_value.emplace(std::move(futures)); }

 private:
  void compute() noexcept override {
    std::exception_ptr error;
    try {
      const ComputationScope scope(*this);
      for_each_future(*this->_value, [](auto& future, std::size_t) { future.wait(); });
    } catch (...) {
      error = std::current_exception();  // a wait that could never end
    }
    if (error != nullptr) return this->fail(std::move(error));
    this->complete();
  }
  bool try_compute() noexcept override {
    bool ready = true;
    for_each_future(*this->_value,
                    [&](auto& future, std::size_t) { ready = ready && future.test(); });
    if (ready) this->complete();
    return ready;
  }
};

/// State of when_any(): holds the futures, and is ready when one of them is.
template <class Futures>
class AnyState final : public ValueState<WhenAny<Futures>>, private Race {
 public:
  explicit AnyState(Futures futures) : Race(*this, count_of(futures)) {
    this->_value.emplace();
    this->_value->futures = std::move(futures);
  }
  /// Releases the initial reference when the state is done. \pre called once
  void start() {
    bool open = true;
    for_each_future(this->_value->futures, [&](auto& future, std::size_t i) {
      open = open && add(*FutureAccess::state(future), i);
    });
    if (end()) finish();
  }

 private:
  void finish() noexcept override {
    this->_value->index = winner();
    this->complete();
    this->release();
  }
};

/// The same if some futures are lazy: computes them in their order until one future is ready.
template <class Futures>
class LazyAny final : public LazyState<WhenAny<Futures>> {
 public:
  explicit LazyAny(Futures futures) {
    this->_value.emplace();
    this->_value->futures = std::move(futures);
  }

 private:
  void compute() noexcept override {
    try {
      const ComputationScope scope(*this);
      while (!find())
        wait_between_tests();
    } catch (...) {
      return this->fail(std::current_exception());
    }
    this->complete();
  }
  bool try_compute() noexcept override {
    if (!find()) return false;
    this->complete();
    return true;
  }
  bool find() {
    std::size_t found = Race::no_winner;
    for_each_future(this->_value->futures, [&](auto& future, std::size_t i) {
      if (found == Race::no_winner && future.test()) found = i;
    });
    this->_value->index = found;
    return found != Race::no_winner;
  }
};

template <class Futures>
Future<Futures> when_all_of(Futures futures) {
  const FutureSummary summary = summarize(futures, "when_all");
  if (!summary.pending) return Future<Futures>(std::move(futures));
  if (summary.lazy) {
    return Future<Futures>(
        StatePtr<ValueState<Futures>>::adopt(new LazyAll<Futures>(std::move(futures))));
  }
  auto* const state = new AllState<Futures>(std::move(futures));
  auto result = StatePtr<ValueState<Futures>>::share(state);
  state->start();
  return Future<Futures>(std::move(result));
}

template <class Futures>
Future<WhenAny<Futures>> when_any_of(Futures futures) {
  using Value = WhenAny<Futures>;
  const FutureSummary summary = summarize(futures, "when_any");
  if (!summary.pending || summary.first_ready != Race::no_winner)
    return Future<Value>(Value{summary.first_ready, std::move(futures)});
  if (summary.lazy) {
    return Future<Value>(
        StatePtr<ValueState<Value>>::adopt(new LazyAny<Futures>(std::move(futures))));
  }
  auto* const state = new AnyState<Futures>(std::move(futures));
  auto result = StatePtr<ValueState<Value>>::share(state);
  state->start();
  return Future<Value>(std::move(result));
}

}  // namespace exec

/// A future that becomes ready when all of the given futures are ready or failed. Each of them then reports
/// its own result.
/// \param  futures  a vector of futures or shared futures of one type, or any number of futures
/// \throws exception::RuntimeError if one is invalid
/// \cost   two allocations if any is pending, else none
/// \ingroup futures
template <class T>
Future<std::vector<Future<T>>> when_all(std::vector<Future<T>> futures) {
  return exec::when_all_of(std::move(futures));
}
/// \overload
/// \ingroup futures
template <class T>
Future<std::vector<SharedFuture<T>>> when_all(std::vector<SharedFuture<T>> futures) {
  return exec::when_all_of(std::move(futures));
}
/// \overload
/// \ingroup futures
template <class... Ts>
Future<std::tuple<Future<Ts>...>> when_all(Future<Ts>... futures) {
  return exec::when_all_of(std::tuple<Future<Ts>...>(std::move(futures)...));
}

/// A future that becomes ready when one of the given futures is ready or failed. The others continue.
/// \param  futures  as for when_all(); the result is ready if there are none
/// \throws exception::RuntimeError if one is invalid
/// \cost   two allocations if none is ready, else none
/// \ingroup futures
template <class T>
Future<WhenAny<std::vector<Future<T>>>> when_any(std::vector<Future<T>> futures) {
  return exec::when_any_of(std::move(futures));
}
/// \overload
/// \ingroup futures
template <class T>
Future<WhenAny<std::vector<SharedFuture<T>>>> when_any(std::vector<SharedFuture<T>> futures) {
  return exec::when_any_of(std::move(futures));
}
/// \overload
/// \ingroup futures
template <class... Ts>
Future<WhenAny<std::tuple<Future<Ts>...>>> when_any(Future<Ts>... futures) {
  return exec::when_any_of(std::tuple<Future<Ts>...>(std::move(futures)...));
}

}  // namespace dash
