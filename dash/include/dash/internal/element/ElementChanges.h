#pragma once

namespace dash::internal {

/// How an element is changed through a reference to it: a read, then a write; not atomic.
/// \tparam Ref  has get(), put(value), and update(change) if this is its friend: it reads the element,
///         calls change(element&), writes it, and returns the reference
template <class Ref, class Value>
class ElementChanges {
 public:
  template <class V>
  const Ref& operator+=(const V& value) const {
    return self().update([&](auto& element) { element += value; });
  }
  template <class V>
  const Ref& operator-=(const V& value) const {
    return self().update([&](auto& element) { element -= value; });
  }
  template <class V>
  const Ref& operator*=(const V& value) const {
    return self().update([&](auto& element) { element *= value; });
  }
  template <class V>
  const Ref& operator/=(const V& value) const {
    return self().update([&](auto& element) { element /= value; });
  }
  template <class V>
  const Ref& operator%=(const V& value) const {
    return self().update([&](auto& element) { element %= value; });
  }
  template <class V>
  const Ref& operator^=(const V& value) const {
    return self().update([&](auto& element) { element ^= value; });
  }
  template <class V>
  const Ref& operator&=(const V& value) const {
    return self().update([&](auto& element) { element &= value; });
  }
  template <class V>
  const Ref& operator|=(const V& value) const {
    return self().update([&](auto& element) { element |= value; });
  }
  const Ref& operator++() const {
    return self().update([](auto& element) { ++element; });
  }
  const Ref& operator--() const {
    return self().update([](auto& element) { --element; });
  }
  Value operator++(int) const {
    const Value before = self().get();
    Value after = before;
    ++after;
    self().put(after);
    return before;
  }
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
