#pragma once

#include <type_traits>

#include "dash/GlobAsyncRef.h"
#include "dash/GlobRef.h"
#include "dash/Types.h"
#include "dash/algorithm/Operation.h"
#include "dash/atomic/AtomicAccess.h"
#include "dash/atomic/AtomicElement.h"
#include "dash/internal/element/ElementRef.h"

namespace dash {

namespace internal {

/// The read operations of an asynchronous reference to an atomic element, which may be const.
/// \tparam A  Atomic<T> or const Atomic<T>
template <class A>
class AtomicAsyncReader : public ElementRef<GlobAsyncRef, A> {
  using Base = ElementRef<GlobAsyncRef, A>;

 public:
  using value_type = std::remove_const_t<remove_atomic_t<A>>;
  using nonconst_value_type = value_type;
  using const_value_type = const value_type;
  static constexpr const char* ref_name = "dash::GlobAsyncRef<dash::Atomic>";

  /// \blocks until the element is read
  value_type get() const { return atomic_load<value_type>(this->_location); }
  value_type load() const { return get(); }
  void get(value_type* value) const {
    start_atomic_fetch(this->_location, first<value_type>(), value_type{}, value);
  }
  void get(value_type& value) const { get(&value); }

  /// Completes the caller's operations on the memory of the element's unit in this allocation.
  /// \completion remote
  void flush() const { check(dart_flush(this->_location.gptr()), "flush"); }

  // A comparison would have to wait; compare the results of get().
  template <class V>
  bool operator==(const V&) const = delete;

 protected:
  explicit AtomicAsyncReader(const ElementLocation& location) noexcept : Base(location) {}
};

}  // namespace internal

/// A read-only asynchronous reference to an atomic element of global memory.
template <class T>
class GlobAsyncRef<const Atomic<T>> : public internal::AtomicAsyncReader<const Atomic<T>> {
  using Base = internal::AtomicAsyncReader<const Atomic<T>>;

 public:
  explicit GlobAsyncRef(const dart_gptr_t& gptr) noexcept : Base(gptr) {}
  /// \param address  of the element in this process if known, otherwise nullptr
  GlobAsyncRef(const internal::GptrWords& gptr, void* address) noexcept
      : Base(internal::ElementLocation(gptr, address)) {}
  GlobAsyncRef(const GlobRef<const Atomic<T>>& other) noexcept
      : Base(Base::location_of(other)) {}  // NOLINT
  GlobAsyncRef(const GlobAsyncRef<Atomic<T>>& other) noexcept
      : Base(Base::location_of(other)) {}  // NOLINT
  GlobAsyncRef(const GlobAsyncRef&) = delete;
  GlobAsyncRef& operator=(const GlobAsyncRef&) = delete;
  GlobAsyncRef(GlobAsyncRef&&) noexcept = default;
  GlobAsyncRef& operator=(GlobAsyncRef&&) noexcept = default;
};

/// An asynchronous reference to an atomic element of global memory on any unit.
///
/// \completion a flush of this reference or of the container: the effect is visible, and requested
///         old values are stored. Arguments passed by value may be reused on return
/// \blocks never, except for get() and load(), and for functions that the runtime does not support
/// \cost as GlobRef<Atomic<T>>
/// \threads thread-safe
/// \throws as GlobRef<Atomic<T>>
template <class T>
class GlobAsyncRef<Atomic<T>> : public internal::AtomicAsyncReader<Atomic<T>> {
  using Base = internal::AtomicAsyncReader<Atomic<T>>;
  using Base::_location;
  static constexpr bool has_arithmetic = !std::is_same_v<T, bool>;

 public:
  explicit GlobAsyncRef(const dart_gptr_t& gptr) noexcept : Base(gptr) {}
  /// \param address  of the element in this process if known, otherwise nullptr
  GlobAsyncRef(internal::GptrWords gptr, void* address) noexcept
      : Base(internal::ElementLocation(gptr, address)) {}
  GlobAsyncRef(const GlobRef<Atomic<T>>& other) noexcept
      : Base(Base::location_of(other)) {}  // NOLINT
  GlobAsyncRef(const GlobAsyncRef&) = delete;
  GlobAsyncRef& operator=(const GlobAsyncRef&) = delete;
  GlobAsyncRef(GlobAsyncRef&&) noexcept = default;
  GlobAsyncRef& operator=(GlobAsyncRef&&) noexcept = default;

  /// \name Writing
  /// @{
  void set(const T& value) const { op(second<T>(), value); }
  void set(const T* value) const { set(*value); }
  void store(const T& value) const { set(value); }
  void store(const T* value) const { set(*value); }
  const GlobAsyncRef& operator=(const T& value) const {
    set(value);
    return *this;
  }
  /// @}

  /// \name Read-modify-write operations; old values are optional
  /// @{
  template <class BinaryOp>
  void op(BinaryOp operation, const T& value) const {
    internal::start_atomic(_location, operation, value);
  }
  template <class BinaryOp>
  void fetch_op(BinaryOp operation, const T& value, T* old) const {
    internal::start_atomic_fetch(_location, operation, value, old);
  }
  void exchange(const T& value, T* old) const { fetch_op(second<T>(), value, old); }
  /// `desired` was stored if the old value equals `expected`.
  void compare_exchange(const T& expected, const T& desired, T* old) const {
    internal::start_atomic_swap_if(_location, expected, desired, old);
  }
  /// @}

  /// \name Arithmetic; integers wrap around
  /// @{
  void add(const T& value) const requires has_arithmetic { op(plus<T>(), value); }
  void add(const T* value) const requires has_arithmetic { add(*value); }
  void sub(const T& value) const requires has_arithmetic { add(internal::negated(value)); }
  void multiply(const T& value) const requires has_arithmetic { op(dash::multiply<T>(), value); }
  void fetch_add(const T& value, T* old) const requires has_arithmetic {
    fetch_op(plus<T>(), value, old);
  }
  void fetch_sub(const T& value, T* old) const requires has_arithmetic {
    fetch_add(internal::negated(value), old);
  }
  void fetch_multiply(const T& value, T* old) const requires has_arithmetic {
    fetch_op(dash::multiply<T>(), value, old);
  }
  /// @}
};

}  // namespace dash
