#pragma once

#include <functional>
#include <optional>
#include <utility>

namespace dash {

/// A value that is computed when it is first asked for, by whoever asks.
/// \threads one at a time per object
template <class T>
class Deferred {
 public:
  using value_type = T;

  /// \param function  returns the value; called once at most
  explicit Deferred(std::function<T()> function) : _function(std::move(function)) {}

  const T& get() const {
    if (!_value) {
      _value.emplace(_function());
      _function = nullptr;
    }
    return *_value;
  }
  operator const T&() const { return get(); }  // NOLINT(google-explicit-constructor): stands for it
  const T& operator*() const { return get(); }
  const T* operator->() const { return &get(); }

 private:
  mutable std::function<T()> _function;
  mutable std::optional<T> _value;
};

}  // namespace dash
