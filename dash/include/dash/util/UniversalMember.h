#pragma once

#include <memory>
#include <utility>

namespace dash {

/// A member that is owned, if it was given as a temporary, and referred to, if it has a name. Copies
/// share it.
template <class T>
class UniversalMember {
 public:
  explicit UniversalMember(T&& value) : _value(std::make_shared<T>(std::move(value))) {}
  /// \param value  must live longer
  explicit UniversalMember(const T& value) : UniversalMember(&value) {}
  explicit UniversalMember(const T* value) : _value(std::shared_ptr<T>(), const_cast<T*>(value)) {}

  operator T&() noexcept { return *_value; }              // NOLINT: stands for it
  operator const T&() const noexcept { return *_value; }  // NOLINT: stands for it

  /// Lets go of what it had, and owns the value.
  UniversalMember& operator=(T&& value) {
    _value = std::make_shared<T>(std::move(value));
    return *this;
  }

  const std::shared_ptr<T>& shared() const noexcept { return _value; }

 private:
  std::shared_ptr<T> _value;
};

}  // namespace dash
