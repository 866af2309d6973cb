#pragma once

#include <cstddef>
#include <iosfwd>
#include <type_traits>
#include <utility>

#include "dash/dart/if/dart_globmem.h"
#include "dash/internal/ElementAccess.h"
#include "dash/internal/Unit.h"
#include "dash/memory/MemorySpace.h"

namespace dash {

namespace internal {

template <class T>
inline constexpr bool is_glob_ref = false;
template <class T>
inline constexpr bool is_glob_ref<GlobRef<T>> = true;

/// Whether a reference to From converts to one to To implicitly: adds const, or goes to a base.
template <class From, class To>
concept RefConvertible = !std::is_same_v<From, To> && std::is_convertible_v<From*, To*>;

/// Whether it converts explicitly: from a base to a class derived from it.
template <class From, class To>
concept RefCastable =
    !std::is_convertible_v<From*, To*> &&
    (std::is_const_v<To> ||
     !std::is_const_v<From>)&&std::is_base_of_v<std::remove_cv_t<From>, std::remove_cv_t<To>>;

}  // namespace internal

/// Stands for an element of global memory on any unit: reading it gets, assigning to it puts.
/// Assignment changes the element, also through a const reference: constness is in T.
///
/// \completion remote, when the call returns
/// \blocks until the element is read or written
/// \cost a load or store if the element is on the caller's node, else one transfer
/// \threads any; accesses to one element are not atomic
/// \throws exception::InvalidArgument if the element is not within a live allocation
template <class T>
class GlobRef {
 public:
  using value_type = T;
  using const_value_type = std::add_const_t<T>;
  using nonconst_value_type = std::remove_const_t<T>;
  using self_t = GlobRef<T>;
  using const_type = GlobRef<const_value_type>;

  explicit GlobRef(const dart_gptr_t& gptr) noexcept : _gptr(gptr) {}

  // Copies of a reference come about by accident (auto x = *it in generic code means the value).
  GlobRef(const GlobRef&) = delete;
  GlobRef(GlobRef&&) noexcept = default;

  template <class From>
  requires internal::RefConvertible<From, T> GlobRef(const GlobRef<From>& other)
  noexcept : _gptr(other.dart_gptr()) {}  // NOLINT
  template <class From>
  requires internal::RefCastable<From, T>
  explicit GlobRef(const GlobRef<From>& other) noexcept : _gptr(other.dart_gptr()) {}
  template <class From>
  requires(std::is_same_v<From, T> || internal::RefConvertible<From, T>)
      GlobRef(const GlobAsyncRef<From>& other)
  noexcept : _gptr(other.dart_gptr()) {}  // NOLINT

  /// \name Reading
  /// @{
  nonconst_value_type get() const { return internal::load<T>(_gptr); }
  void get(nonconst_value_type* value) const { *value = get(); }
  void get(nonconst_value_type& value) const { value = get(); }
  operator nonconst_value_type() const { return get(); }  // NOLINT: a proxy
  /// @}

  /// \name Writing
  /// @{
  void set(const T& value) const { put(value); }
  void put(const T& value) const {
    static_assert(!std::is_const_v<T>, "dash::GlobRef: the element is const");
    internal::store<nonconst_value_type>(_gptr, value);
  }
  void put(const T* value) const { put(*value); }

  const GlobRef& operator=(const T& value) const requires(!std::is_const_v<T>) {
    put(value);
    return *this;
  }
  // The element is assigned, not the reference.
  GlobRef& operator=(const GlobRef& other) requires(!std::is_const_v<T>) {
    put(other.get());
    return *this;
  }
  const GlobRef& operator=(const GlobRef& other) const requires(!std::is_const_v<T>) {
    put(other.get());
    return *this;
  }
  /// @}

  /// \name Reading and writing: not atomic
  /// @{
  template <class V>
  const GlobRef& operator+=(const V& value) const {
    return update([&](auto& element) { element += value; });
  }
  template <class V>
  const GlobRef& operator-=(const V& value) const {
    return update([&](auto& element) { element -= value; });
  }
  template <class V>
  const GlobRef& operator*=(const V& value) const {
    return update([&](auto& element) { element *= value; });
  }
  template <class V>
  const GlobRef& operator/=(const V& value) const {
    return update([&](auto& element) { element /= value; });
  }
  template <class V>
  const GlobRef& operator^=(const V& value) const {
    return update([&](auto& element) { element ^= value; });
  }
  const GlobRef& operator++() const {
    return update([](auto& element) { ++element; });
  }
  const GlobRef& operator--() const {
    return update([](auto& element) { --element; });
  }
  nonconst_value_type operator++(int) const {
    const nonconst_value_type before = get();
    put(static_cast<nonconst_value_type>(before + 1));
    return before;
  }
  nonconst_value_type operator--(int) const {
    const nonconst_value_type before = get();
    put(static_cast<nonconst_value_type>(before - 1));
    return before;
  }
  /// Exchanges the elements.
  void swap(const GlobRef& other) const {
    const nonconst_value_type value = get();
    put(other.get());
    other.put(value);
  }
  /// @}

  const dart_gptr_t& dart_gptr() const noexcept { return _gptr; }
  /// Whether the element is in the caller's own memory.
  bool is_local() const noexcept { return internal::is_local(_gptr); }

  /// Reference to a part of the element, of type Member and so many bytes from its begin.
  template <class Member>
  auto member(std::size_t byte_offset) const noexcept {
    dart_gptr_t gptr = _gptr;
    gptr.addr_or_offs.offset += byte_offset;
    return GlobRef<std::conditional_t<std::is_const_v<T>, const Member, Member>>(gptr);
  }
  /// Reference to a data member of the element.
  template <class Member, class Owner>
  auto member(Member Owner::*part) const noexcept {
    static_assert(std::is_base_of_v<Owner, nonconst_value_type>,
                  "dash::GlobRef: the member has to be one of the element's type");
    return member<Member>(internal::member_offset<nonconst_value_type>(part));
  }

  // Three, so that they are preferred to std::swap, which would exchange the references.
  friend void swap(GlobRef& a, GlobRef& b) { a.swap(b); }
  friend void swap(GlobRef&& a, GlobRef&& b) { a.swap(b); }
  friend void swap(const GlobRef& a, const GlobRef& b) { a.swap(b); }

  /// Prints where the element is, not its value.
  template <class Char, class Traits>
  friend std::basic_ostream<Char, Traits>& operator<<(std::basic_ostream<Char, Traits>& os,
                                                      const GlobRef& ref) {
    return os << "dash::GlobRef(unit " << ref._gptr.unitid << ", team " << ref._gptr.teamid
              << ", segment " << ref._gptr.segid << ", offset " << ref._gptr.addr_or_offs.offset
              << ')';
  }

 private:
  template <class F>
  const GlobRef& update(F change) const {
    nonconst_value_type element = get();
    change(element);
    put(element);
    return *this;
  }

  dart_gptr_t _gptr;
};

namespace internal {

template <class A, class B>
concept EqualityComparable = requires(const A& a, const B& b) {
  a == b;
};

/// As a == b, without the warning that two integers of different signs deserve in source code.
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

/// Compares the elements.
template <class T, class U>
requires internal::EqualityComparable<T, U>
bool operator==(const GlobRef<T>& a, const GlobRef<U>& b) {
  return internal::equal_values(a.get(), b.get());
}

/// Compares the element with a value. A template, and therefore preferred to the comparisons of the
/// types that the reference converts to.
template <class T, class V>
requires(!internal::is_glob_ref<V> && internal::EqualityComparable<T, V>) bool operator==(
    const GlobRef<T>& a, const V& b) {
  return internal::equal_values(a.get(), b);
}

}  // namespace dash
