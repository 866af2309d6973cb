#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <tuple>
#include <type_traits>
#include <utility>

#include "dash/GlobPtr.h"
#include "dash/dart/if/dart_globmem.h"
#include "dash/internal/Unit.h"
#include "dash/internal/element/ElementAccess.h"
#include "dash/internal/element/ElementChanges.h"

namespace dash {

template <class T, class GlobalPtr = GlobPtr<T>>
class GlobSharedRef;

namespace internal {

/// Whether the bytes of a value may be copied between units. In addition to trivially copyable
/// types this includes pairs of them, which the standard library does not declare trivially
/// copyable.
template <class T>
struct ElementBytes {
  static T read(const void* bytes) { return load_from<T>(bytes); }
};
template <class A, class B>
struct ElementBytes<std::pair<A, B>> {
  using First = std::remove_const_t<A>;
  using Second = std::remove_const_t<B>;
  static constexpr std::size_t second_offset =
      (sizeof(First) + alignof(Second) - 1) / alignof(Second) * alignof(Second);

  static std::pair<A, B> read(const void* bytes) {
    const auto* const begin = static_cast<const unsigned char*>(bytes);
    return {ElementBytes<First>::read(begin), ElementBytes<Second>::read(begin + second_offset)};
  }
};

/// Copies an element, with one load and store if its size permits, because another thread may read
/// or write it concurrently. Release: a reader that acquires a new value of 4 or 8 bytes, and still
/// takes the memory for an erased element, sees the erasure, too.
template <std::size_t size, std::size_t alignment>
void copy_element(void* dest, const void* src) noexcept {
  const auto copy = [&](auto word) {
    using Word [[gnu::may_alias]] = decltype(word);
    __atomic_load(static_cast<const Word*>(src), &word, __ATOMIC_RELAXED);
    __atomic_store(static_cast<Word*>(dest), &word, __ATOMIC_RELEASE);
  };
  if constexpr (size == 8 && alignment == 8) {
    copy(std::uint64_t{});
  } else if constexpr (size == 4 && alignment == 4) {
    copy(std::uint32_t{});
  } else {
    std::memcpy(dest, src, size);
  }
}

template <class T>
inline constexpr bool is_glob_shared_ref = false;
template <class T, class P>
inline constexpr bool is_glob_shared_ref<GlobSharedRef<T, P>> = true;

}  // namespace internal

/// A reference to an element of a dynamic container on any unit: reading it is a get, assigning to
/// it a put. If the element is on the caller's node, the access is a load or store.
///
/// Valid until the element is erased.
/// \completion remote, when the call returns   \blocks until the element is read or written
/// \threads thread-safe; accesses to one element are not atomic
/// \ingroup iterators
template <class T, class GlobalPtr>
class GlobSharedRef
    : public internal::ElementChanges<GlobSharedRef<T, GlobalPtr>, std::remove_const_t<T>> {
  using value_nonconst = std::remove_const_t<T>;
  friend internal::ElementChanges<GlobSharedRef, value_nonconst>;

 public:
  using value_type = T;
  using pointer = GlobalPtr;
  /// The same kind of reference for elements of type U.
  template <class U>
  struct rebind {
    /// The reference type.
    using other = GlobSharedRef<U, typename GlobalPtr::template rebind<U>>;
  };

  /// A reference to an element of any unit.
  /// \param local  address of the element if it is local to the caller, otherwise nullptr
  explicit GlobSharedRef(const dart_gptr_t& gptr, T* local = nullptr) noexcept
      : _gptr(gptr), _address(local), _is_local(local != nullptr) {}
  /// \overload
  explicit GlobSharedRef(const GlobalPtr& gptr, T* local = nullptr) noexcept
      : GlobSharedRef(gptr.dart_gptr(), local) {}
  /// A reference to an element that is local to the caller; it has no global pointer.
  explicit GlobSharedRef(T* local) noexcept : GlobSharedRef(DART_GPTR_NULL, local) {}
  /// Used by iterators and containers.
  /// \param address  address in the caller's process if the element is on the caller's node,
  ///         otherwise nullptr
  GlobSharedRef(const dart_gptr_t& gptr, T* address, bool is_local) noexcept
      : _gptr(gptr), _address(address), _is_local(is_local) {}

  /// Refers to the same element.
  GlobSharedRef(const GlobSharedRef&) noexcept = default;
  /// Refers to the same element.
  GlobSharedRef(GlobSharedRef&&) noexcept = default;

  /// Reads the element.
  value_nonconst get() const {
    using Bytes = internal::ElementBytes<value_nonconst>;
    alignas(T) unsigned char bytes[sizeof(T)];
    if (_address != nullptr) {
      internal::copy_element<sizeof(T), alignof(T)>(bytes, _address);
      return Bytes::read(bytes);
    }
    dart::get_blocking(bytes, _gptr, sizeof(T));
    return Bytes::read(bytes);
  }
  /// Reads the element.
  operator value_nonconst() const { return get(); }  // NOLINT: a proxy

  /// Writes the element.
  void put(const T& value) const {
    static_assert(!std::is_const_v<T>, "dash::GlobSharedRef: the element is const");
    if (_address != nullptr) {
      internal::copy_element<sizeof(T), alignof(T)>(_address, &value);
      return;
    }
    dart::put_blocking(_gptr, &value, sizeof(T));
  }
  /// As put().
  void set(const T& value) const { put(value); }
  /// Writes the element.
  const GlobSharedRef& operator=(const T& value) const {
    put(value);
    return *this;
  }
  /// Reads the other element and writes its value to this one; does not change the reference.
  const GlobSharedRef& operator=(const GlobSharedRef& other) const {
    put(other.get());
    return *this;
  }
  /// \overload
  GlobSharedRef& operator=(const GlobSharedRef& other) {
    put(other.get());
    return *this;
  }

  /// Global pointer to the element.
  const dart_gptr_t& dart_gptr() const noexcept { return _gptr; }
  /// As dart_gptr().
  explicit operator GlobalPtr() const noexcept { return GlobalPtr(_gptr); }
  /// Native pointer if the element is local to the caller, otherwise nullptr.
  T* local() const noexcept { return _is_local ? _address : nullptr; }
  /// Whether the element is local to the caller.
  bool is_local() const noexcept { return _is_local; }
  /// Address in the caller's process if the element is on the caller's node, otherwise nullptr.
  T* on_node_address() const noexcept { return _address; }

  /// The members of a pair, for structured bindings: the first by value, the second by reference.
  template <std::size_t I>
  auto get() const requires(requires { typename T::second_type; }) {
    using First = std::remove_const_t<typename T::first_type>;
    using Second = typename T::second_type;
    using Second_ref = typename rebind<Second>::other;
    constexpr std::size_t offset = internal::ElementBytes<value_nonconst>::second_offset;
    if constexpr (I == 0) {
      return typename rebind<const First>::other(_gptr, reinterpret_cast<const First*>(_address),
                                                 _is_local)
          .get();
    } else {
      dart_gptr_t gptr = _gptr;
      gptr.addr_or_offs.offset += offset;
      auto* const address = reinterpret_cast<unsigned char*>(
          const_cast<std::remove_const_t<value_nonconst>*>(_address));
      return Second_ref(gptr,
                        address == nullptr ? nullptr : reinterpret_cast<Second*>(address + offset),
                        _is_local);
    }
  }

 private:
  template <class F>
  const GlobSharedRef& update(F change) const {
    value_nonconst element = get();
    change(element);
    put(element);
    return *this;
  }

  dart_gptr_t _gptr;
  T* _address;
  bool _is_local;
};

/// Exchanges the elements.
/// \ingroup iterators
template <class T, class P>
void swap(GlobSharedRef<T, P>& a, GlobSharedRef<T, P>& b) {
  a.swap(b);
}
// Two overloads, so that they are preferred to std::swap, which would exchange the references.
/// \overload
/// \ingroup iterators
template <class T, class P>
void swap(const GlobSharedRef<T, P>& a, const GlobSharedRef<T, P>& b) {
  a.swap(b);
}

/// Compares the elements.
/// \ingroup iterators
template <class T, class P, class U, class Q>
requires internal::EqualityComparable<T, U>
bool operator==(const GlobSharedRef<T, P>& a, const GlobSharedRef<U, Q>& b) {
  return internal::equal_values(a.get(), b.get());
}
/// Compares the element with a value.
/// \ingroup iterators
template <class T, class P, class V>
requires(!internal::is_glob_shared_ref<V> && internal::EqualityComparable<T, V>) bool operator==(
    const GlobSharedRef<T, P>& a, const V& b) {
  return internal::equal_values(a.get(), b);
}

}  // namespace dash

/// \cond internal
template <class A, class B, class P>
struct std::tuple_size<dash::GlobSharedRef<std::pair<A, B>, P>>
    : std::integral_constant<std::size_t, 2> {};
template <std::size_t I, class A, class B, class P>
struct std::tuple_element<I, dash::GlobSharedRef<std::pair<A, B>, P>> {
  using type =
      decltype(std::declval<const dash::GlobSharedRef<std::pair<A, B>, P>&>().template get<I>());
};
/// \endcond
