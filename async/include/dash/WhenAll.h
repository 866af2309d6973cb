#pragma once

#include <cstddef>
#include <tuple>
#include <utility>
#include <vector>

#include "dash/Future.h"
#include "dash/async/Group.h"

namespace dash {

/// What when_any() makes of futures: all of them, and the index of the one that was ready first.
template <class Futures>
struct WhenAny {
  /// Of no futures: the largest index there is.
  std::size_t index = static_cast<std::size_t>(-1);
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

/// Of several futures: what when_all and when_any want to know.
struct Found {
  bool pending = false;
  bool lazy = false;
  std::size_t first_ready = static_cast<std::size_t>(-1);
};
template <class Futures>
Found look_at(Futures& futures, const char* called) {
  Found found;
  for_each_future(futures, [&](auto& future, std::size_t i) {
    if (!future.valid()) throw_invalid_future(called);
    State* const state = FutureAccess::state(future).get();
    if (state == nullptr || state->done()) {
      if (i < found.first_ready) found.first_ready = i;
    } else {
      found.pending = true;
      found.lazy = found.lazy || state->needs_waiter();
    }
  });
  return found;
}

/// Ready when all are; holds them.
template <class Futures>
class AllState final : public ValueState<Futures>, private Countdown {
 public:
  explicit AllState(Futures futures) : Countdown(*this, count_of(futures)) {
    this->_value.emplace(std::move(futures));
  }
  /// \pre called once; the caller gives up the reference that it was made with
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

/// The same, if some are computed only when somebody waits for them.
template <class Futures>
class LazyAll final : public LazyState<Futures> {
 public:
  explicit LazyAll(Futures futures) { this->_value.emplace(std::move(futures)); }

 private:
  void compute() noexcept override {
    std::exception_ptr error;
    try {
      const Running running(*this);
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

/// Ready when one is; holds all.
template <class Futures>
class AnyState final : public ValueState<WhenAny<Futures>>, private Race {
 public:
  explicit AnyState(Futures futures) : Race(*this, count_of(futures)) {
    this->_value.emplace();
    this->_value->futures = std::move(futures);
  }
  /// \pre called once; the caller gives up the reference that it was made with
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

/// The same, if some are computed only when somebody waits for them: in their order, unless another
/// one is ready before.
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
      const Running running(*this);
      while (!find())
        wait_a_little();
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
    std::size_t found = Race::nobody;
    for_each_future(this->_value->futures, [&](auto& future, std::size_t i) {
      if (found == Race::nobody && future.test()) found = i;
    });
    this->_value->index = found;
    return found != Race::nobody;
  }
};

template <class Futures>
Future<Futures> when_all_of(Futures futures) {
  const Found found = look_at(futures, "when_all");
  if (!found.pending) return Future<Futures>(std::move(futures));
  if (found.lazy) {
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
  const Found found = look_at(futures, "when_any");
  if (!found.pending || found.first_ready != Race::nobody)
    return Future<Value>(Value{found.first_ready, std::move(futures)});
  if (found.lazy) {
    return Future<Value>(
        StatePtr<ValueState<Value>>::adopt(new LazyAny<Futures>(std::move(futures))));
  }
  auto* const state = new AnyState<Futures>(std::move(futures));
  auto result = StatePtr<ValueState<Value>>::share(state);
  state->start();
  return Future<Value>(std::move(result));
}

}  // namespace exec

/// The future of all of them: ready when each is, successfully or not; each then tells its own.
/// \param  futures  of one type (a vector), or of several; shared ones, too
/// \throws exception::RuntimeError if one is invalid
/// \cost   two allocations if any is pending, else none
/// @{
template <class T>
Future<std::vector<Future<T>>> when_all(std::vector<Future<T>> futures) {
  return exec::when_all_of(std::move(futures));
}
template <class T>
Future<std::vector<SharedFuture<T>>> when_all(std::vector<SharedFuture<T>> futures) {
  return exec::when_all_of(std::move(futures));
}
template <class... Ts>
Future<std::tuple<Future<Ts>...>> when_all(Future<Ts>... futures) {
  return exec::when_all_of(std::tuple<Future<Ts>...>(std::move(futures)...));
}
/// @}

/// The future of the first of them that is ready, successfully or not. The others go on.
/// \param  futures  as for when_all; of no futures the result is ready
/// \throws exception::RuntimeError if one is invalid
/// \cost   two allocations if none is ready, else none
/// @{
template <class T>
Future<WhenAny<std::vector<Future<T>>>> when_any(std::vector<Future<T>> futures) {
  return exec::when_any_of(std::move(futures));
}
template <class T>
Future<WhenAny<std::vector<SharedFuture<T>>>> when_any(std::vector<SharedFuture<T>> futures) {
  return exec::when_any_of(std::move(futures));
}
template <class... Ts>
Future<WhenAny<std::tuple<Future<Ts>...>>> when_any(Future<Ts>... futures) {
  return exec::when_any_of(std::tuple<Future<Ts>...>(std::move(futures)...));
}
/// @}

}  // namespace dash
