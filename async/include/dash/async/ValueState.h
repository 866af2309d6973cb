#pragma once

#include <optional>
#include <tuple>
#include <type_traits>
#include <vector>

#include "dash/async/State.h"

namespace dash::exec {

/// Stands for the value of a Future<void>.
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

/// Whether a value can really be copied: a vector claims to be copyable whatever its elements.
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
  template <class... Args>
  void set_value(Args&&... args) {
    _value.emplace(std::forward<Args>(args)...);
    complete();
  }

  /// \pre done() and not failed()
  stored_value_t<T>& value() noexcept { return *_value; }

 protected:
  std::optional<stored_value_t<T>> _value;
};

}  // namespace dash::exec
