#pragma once

#include <type_traits>
#include <utility>

#include "dash/dart/if/dart_globmem.h"
#include "dash/internal/Unit.h"
#include "dash/internal/element/ElementAccess.h"
#include "dash/internal/element/ElementChanges.h"
#include "dash/internal/element/ElementRef.h"
#include "dash/memory/MemorySpace.h"

namespace dash {

namespace internal {

template <class T>
inline constexpr bool is_glob_ref = false;
template <class T>
inline constexpr bool is_glob_ref<GlobRef<T>> = true;

}  // namespace internal

/// A reference to an element of global memory on any unit: reading it is a get, assigning to it a
/// put. Assignment changes the element even through a const reference; a reference to a const
/// element has type `GlobRef<const T>`.
///
/// \completion remote, when the call returns
/// \blocks until the element is read or written
/// \cost a load or store if the element is on the caller's node, otherwise one transfer
/// \threads thread-safe; accesses to one element are not atomic
/// \throws exception::InvalidArgument if the element is not within a live allocation
/// \ingroup iterators
template <class T>
class GlobRef : public internal::ElementRef<GlobRef, T>,
                public internal::ElementChanges<GlobRef<T>, std::remove_const_t<T>> {
  using Base = internal::ElementRef<GlobRef, T>;
  using Base::_location;
  friend internal::ElementChanges<GlobRef, std::remove_const_t<T>>;

 public:
  using value_type = T;
  using typename Base::nonconst_value_type;
  using self_t = GlobRef<T>;
  /// Name of the class, for messages.
  static constexpr const char* ref_name = "dash::GlobRef";

  /// A reference to the element at a global pointer.
  explicit GlobRef(const dart_gptr_t& gptr) noexcept : Base(gptr) {}
  /// Used by iterators and containers.
  /// \param address  of the element in this process if known, otherwise nullptr
  GlobRef(internal::GptrWords gptr, void* address) noexcept
      : Base(internal::ElementLocation(gptr, address)) {}

  // Copying a reference is usually a mistake (auto x = *it in generic code means the value).
  GlobRef(const GlobRef&) = delete;
  /// Refers to the same element.
  GlobRef(GlobRef&&) noexcept = default;

  /// Refers to the same element, which becomes const or a base class object.
  template <class From>
  requires internal::RefConvertible<From, T> GlobRef(const GlobRef<From>& other)
  noexcept : Base(Base::location_of(other)) {}  // NOLINT
  /// Refers to the same element as an object of a derived class, or without const.
  template <class From>
  requires internal::RefCastable<From, T>
  explicit GlobRef(const GlobRef<From>& other) noexcept : Base(Base::location_of(other)) {}
  /// Refers to the same element, with blocking access.
  template <class From>
  requires(std::is_same_v<From, T> || internal::RefConvertible<From, T>)
      GlobRef(const GlobAsyncRef<From>& other)
  noexcept : Base(Base::location_of(other)) {}  // NOLINT

  /// \name Reading
  /// @{

  /// Reads the element.
  nonconst_value_type get() const { return internal::load<T>(_location); }
  /// Reads the element into *value.
  void get(nonconst_value_type* value) const { *value = get(); }
  /// Reads the element into `value`.
  void get(nonconst_value_type& value) const { value = get(); }
  /// Reads the element.
  operator nonconst_value_type() const { return get(); }  // NOLINT: a proxy
  /// @}

  /// \name Writing
  /// @{

  /// Writes the element.
  void set(const T& value) const { put(value); }
  /// Writes the element.
  void put(const T& value) const {
    static_assert(!std::is_const_v<T>, "dash::GlobRef: the element is const");
    internal::store<nonconst_value_type>(_location, value);
  }
  /// Writes *value to the element.
  void put(const T* value) const { put(*value); }

  /// Writes the element.
  const GlobRef& operator=(const T& value) const requires(!std::is_const_v<T>) {
    put(value);
    return *this;
  }
  /// Reads the other element and writes its value to this one; does not change the reference.
  GlobRef& operator=(const GlobRef& other) requires(!std::is_const_v<T>) {
    put(other.get());
    return *this;
  }
  /// \overload
  const GlobRef& operator=(const GlobRef& other) const requires(!std::is_const_v<T>) {
    put(other.get());
    return *this;
  }
  /// @}

 private:
  template <class F>
  const GlobRef& update(F change) const {
    static_assert(!std::is_const_v<T>, "dash::GlobRef: the element is const");
    internal::update<nonconst_value_type>(_location, change);
    return *this;
  }
};

namespace internal {

template <class A, class B>
concept EqualityComparable = requires(const A& a, const B& b) {
  a == b;
};

/// a == b without the compiler warning about integers of different signedness.
template <class A, class B>
constexpr bool equal_values(const A& a, const B& b) {
  if constexpr (std::is_integral_v<A> && std::is_integral_v<B>) {
    using Common = std::common_type_t<A, B>;
    return static_cast<Common>(a) == static_cast<Common>(b);
  } else {
    return a == b;
  }
}

}  // namespace internal

/// Exchanges the elements.
/// \ingroup iterators
template <class T>
void swap(GlobRef<T>& a, GlobRef<T>& b) {
  a.swap(b);
}
// Three overloads, so that they are preferred to std::swap, which would exchange the references.
/// \overload
/// \ingroup iterators
template <class T>
void swap(GlobRef<T>&& a, GlobRef<T>&& b) {
  a.swap(b);
}
/// \overload
/// \ingroup iterators
template <class T>
void swap(const GlobRef<T>& a, const GlobRef<T>& b) {
  a.swap(b);
}

/// Compares the elements.
/// \ingroup iterators
template <class T, class U>
requires internal::EqualityComparable<T, U>
bool operator==(const GlobRef<T>& a, const GlobRef<U>& b) {
  return internal::equal_values(a.get(), b.get());
}

/// Compares the element with a value. A template, so that it is preferred to the comparisons of the
/// types that the reference converts to.
/// \ingroup iterators
template <class T, class V>
requires(!internal::is_glob_ref<V> && internal::EqualityComparable<T, V>) bool operator==(
    const GlobRef<T>& a, const V& b) {
  return internal::equal_values(a.get(), b);
}

}  // namespace dash
