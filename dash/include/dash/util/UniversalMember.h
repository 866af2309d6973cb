#pragma once

#include <memory>
#include <utility>

namespace dash {

/// A member that owns its value if it was constructed from a temporary, and refers to it otherwise.
/// Copies share the value.
/// \tparam T  can be moved
/// \ingroup utilities
template <class T>
class UniversalMember {
 public:
  /// Owns the value.
  explicit UniversalMember(T&& value) : _value(std::make_shared<T>(std::move(value))) {}
  /// Refers to the value.
  /// \param value  must outlive this object
  explicit UniversalMember(const T& value) : UniversalMember(&value) {}
  /// \overload
  explicit UniversalMember(const T* value) : _value(std::shared_ptr<T>(), const_cast<T*>(value)) {}

  /// The value.
  operator T&() noexcept { return *_value; }  // NOLINT: acts as the value
  /// The value.
  operator const T&() const noexcept { return *_value; }  // NOLINT: acts as the value

  /// Assigns to the value, which copies share and which may belong to another object.
  UniversalMember& operator=(T&& value) {
    *_value = std::move(value);
    return *this;
  }

  /// The value as a shared pointer; it owns nothing if this object refers to the value.
  const std::shared_ptr<T>& shared() const noexcept { return _value; }

 private:
  std::shared_ptr<T> _value;
};

}  // namespace dash
