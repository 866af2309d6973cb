#pragma once

#include <optional>
#include <tuple>
#include <type_traits>
#include <utility>
#include <vector>

#include "dash/async/ComputationScope.h"
#include "dash/async/State.h"

namespace dash::exec {

/// The value of a Future<void>.
struct Unit {};

template <class T>
struct StoredValue {
  using type = T;
};
template <>
struct StoredValue<void> {
  using type = Unit;
};
template <class T>
using stored_value_t = typename StoredValue<T>::type;

/// Whether a value can be copied. std::is_copy_constructible is true for vectors of any elements.
template <class T>
inline constexpr bool is_copyable = std::is_copy_constructible_v<T>;
template <class T, class Allocator>
inline constexpr bool is_copyable<std::vector<T, Allocator>> = is_copyable<T>;
template <class... Ts>
inline constexpr bool is_copyable<std::tuple<Ts...>> = (is_copyable<Ts> && ...);

/// A state that carries a value once it is ready.
template <class T>
class ValueState : public State {
 public:
  using State::State;

  template <class... Args>
  void set_value(Args&&... args) {
    _value.emplace(std::forward<Args>(args)...);
    complete();
  }

  /// Completes with the return value or exception of the call. `clear` runs before the completion, so that
  /// the objects which a function holds are released before other threads see the result.
  template <class Call, class Clear>
  void set_result_of(const Call& call, const Clear& clear) noexcept {
    keep_result_of(call, clear);
    complete();
  }

  /// \pre done() and not failed()
  stored_value_t<T>& value() noexcept { return *_value; }

 protected:
  /// The same without completing.
  template <class Call, class Clear>
  void keep_result_of(const Call& call, const Clear& clear) noexcept {
    try {
      const ComputationScope scope(*this);
      if constexpr (std::is_void_v<T>) {
        call();
        _value.emplace();
      } else {
        _value.emplace(call());
      }
    } catch (...) {
      set_error(std::current_exception());
    }
    clear();
  }

  std::optional<stored_value_t<T>> _value;
};

}  // namespace dash::exec
