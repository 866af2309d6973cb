#pragma once

namespace dash::internal {

/// Modifying operators of a reference to an element: a read, then a write; not atomic.
/// \tparam Ref  provides get(), put(value) and update(change). update() reads the element, calls
///         change(element&), writes the element, and returns the reference; Ref must befriend this
///         class
template <class Ref, class Value>
class ElementChanges {
 public:
  /// Applies the operation of the element: a read and a write, not atomic.
  template <class V>
  const Ref& operator+=(const V& value) const {
    return self().update([&](auto& element) { element += value; });
  }
  /// Applies the operation of the element: a read and a write, not atomic.
  template <class V>
  const Ref& operator-=(const V& value) const {
    return self().update([&](auto& element) { element -= value; });
  }
  /// Applies the operation of the element: a read and a write, not atomic.
  template <class V>
  const Ref& operator*=(const V& value) const {
    return self().update([&](auto& element) { element *= value; });
  }
  /// Applies the operation of the element: a read and a write, not atomic.
  template <class V>
  const Ref& operator/=(const V& value) const {
    return self().update([&](auto& element) { element /= value; });
  }
  /// Applies the operation of the element: a read and a write, not atomic.
  template <class V>
  const Ref& operator%=(const V& value) const {
    return self().update([&](auto& element) { element %= value; });
  }
  /// Applies the operation of the element: a read and a write, not atomic.
  template <class V>
  const Ref& operator^=(const V& value) const {
    return self().update([&](auto& element) { element ^= value; });
  }
  /// Applies the operation of the element: a read and a write, not atomic.
  template <class V>
  const Ref& operator&=(const V& value) const {
    return self().update([&](auto& element) { element &= value; });
  }
  /// Applies the operation of the element: a read and a write, not atomic.
  template <class V>
  const Ref& operator|=(const V& value) const {
    return self().update([&](auto& element) { element |= value; });
  }
  /// Adds one; a read and a write, not atomic.
  const Ref& operator++() const {
    return self().update([](auto& element) { ++element; });
  }
  /// Subtracts one; a read and a write, not atomic.
  const Ref& operator--() const {
    return self().update([](auto& element) { --element; });
  }
  /// Adds one. \returns the value before
  Value operator++(int) const {
    const Value before = self().get();
    Value after = before;
    ++after;
    self().put(after);
    return before;
  }
  /// Subtracts one. \returns the value before
  Value operator--(int) const {
    const Value before = self().get();
    Value after = before;
    --after;
    self().put(after);
    return before;
  }
  /// Exchanges the elements.
  void swap(const Ref& other) const {
    const Value value = self().get();
    self().put(other.get());
    other.put(value);
  }

 private:
  const Ref& self() const noexcept { return static_cast<const Ref&>(*this); }
};

}  // namespace dash::internal
