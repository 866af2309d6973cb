#pragma once

#include <functional>
#include <optional>
#include <utility>

namespace dash {

/// A value that is computed at the first access, by the thread that accesses it.
/// \threads externally synchronized per object
/// \tparam T  type of the value
/// \ingroup utilities
template <class T>
class Deferred {
 public:
  using value_type = T;

  /// \param function  returns the value; called at the first access only, unless it throws
  explicit Deferred(std::function<T()> function) : _function(std::move(function)) {}

  /// The value, which the first call computes.
  /// \throws the exception of the function; then the next access calls the function again
  const T& get() const {
    if (!_value) {
      _value.emplace(_function());
      _function = nullptr;
    }
    return *_value;
  }
  /// As get().
  operator const T&() const {
    return get();
  }  // NOLINT(google-explicit-constructor): acts as the value
  /// As get().
  const T& operator*() const { return get(); }
  /// Access to a member of the value, as get().
  const T* operator->() const { return &get(); }

 private:
  mutable std::function<T()> _function;
  mutable std::optional<T> _value;
};

}  // namespace dash
