#pragma once

#include <functional>
#include <optional>
#include <utility>

namespace dash {

/// A value that is computed at the first access, by the thread that accesses it.
/// \threads externally synchronized per object
template <class T>
class Deferred {
 public:
  using value_type = T;

  /// \param function  returns the value; called at most once
  explicit Deferred(std::function<T()> function) : _function(std::move(function)) {}

  const T& get() const {
    if (!_value) {
      _value.emplace(_function());
      _function = nullptr;
    }
    return *_value;
  }
  operator const T&() const {
    return get();
  }  // NOLINT(google-explicit-constructor): acts as the value
  const T& operator*() const { return get(); }
  const T* operator->() const { return &get(); }

 private:
  mutable std::function<T()> _function;
  mutable std::optional<T> _value;
};

}  // namespace dash
