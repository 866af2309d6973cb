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

/// What an asynchronous reference to an atomic element that may be const has: reading.
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
  value_type get() const { return atomic_load<value_type>(this->_place); }
  value_type load() const { return get(); }
  void get(value_type* value) const {
    start_atomic_fetch(this->_place, first<value_type>(), value_type{}, value);
  }
  void get(value_type& value) const { get(&value); }

  /// Completes the caller's operations on the memory of the element's unit in this allocation.
  /// \completion remote
  void flush() const { check(dart_flush(this->_place.gptr()), "flush"); }

  // A comparison would have to wait: compare get().
  template <class V>
  bool operator==(const V&) const = delete;

 protected:
  explicit AtomicAsyncReader(const ElementPlace& place) noexcept : Base(place) {}
};

}  // namespace internal

/// Stands for an atomic element of global memory that is only read, without waiting.
template <class T>
class GlobAsyncRef<const Atomic<T>> : public internal::AtomicAsyncReader<const Atomic<T>> {
  using Base = internal::AtomicAsyncReader<const Atomic<T>>;

 public:
  explicit GlobAsyncRef(const dart_gptr_t& gptr) noexcept : Base(gptr) {}
  /// \param address  of the element in this process if it is known, else nullptr
  GlobAsyncRef(const internal::GptrWords& gptr, void* address) noexcept
      : Base(internal::ElementPlace(gptr, address)) {}
  GlobAsyncRef(const GlobRef<const Atomic<T>>& other) noexcept
      : Base(Base::place_of(other)) {}  // NOLINT
  GlobAsyncRef(const GlobAsyncRef<Atomic<T>>& other) noexcept
      : Base(Base::place_of(other)) {}  // NOLINT
  GlobAsyncRef(const GlobAsyncRef&) = delete;
  GlobAsyncRef& operator=(const GlobAsyncRef&) = delete;
  GlobAsyncRef(GlobAsyncRef&&) noexcept = default;
  GlobAsyncRef& operator=(GlobAsyncRef&&) noexcept = default;
};

/// Stands for an atomic element of global memory on any unit, and operates on it without waiting.
///
/// \completion a flush, of this reference or of the container: the effect is visible, and old values
///             are where they were asked for. Values that are passed may be reused on return
/// \blocks never but for get() and load(), and functions that the runtime does not know
/// \cost as GlobRef<Atomic<T>>
/// \threads any
/// \throws as GlobRef<Atomic<T>>
template <class T>
class GlobAsyncRef<Atomic<T>> : public internal::AtomicAsyncReader<Atomic<T>> {
  using Base = internal::AtomicAsyncReader<Atomic<T>>;
  using Base::_place;
  static constexpr bool has_arithmetic = !std::is_same_v<T, bool>;

 public:
  explicit GlobAsyncRef(const dart_gptr_t& gptr) noexcept : Base(gptr) {}
  /// \param address  of the element in this process if it is known, else nullptr
  GlobAsyncRef(internal::GptrWords gptr, void* address) noexcept
      : Base(internal::ElementPlace(gptr, address)) {}
  GlobAsyncRef(const GlobRef<Atomic<T>>& other) noexcept : Base(Base::place_of(other)) {}  // NOLINT
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

  /// \name Reading and writing in one; old values are optional
  /// @{
  template <class BinaryOp>
  void op(BinaryOp operation, const T& value) const {
    internal::start_atomic(_place, operation, value);
  }
  template <class BinaryOp>
  void fetch_op(BinaryOp operation, const T& value, T* old) const {
    internal::start_atomic_fetch(_place, operation, value, old);
  }
  void exchange(const T& value, T* old) const { fetch_op(second<T>(), value, old); }
  /// The old value tells whether `desired` was stored: if it equals `expected`.
  void compare_exchange(const T& expected, const T& desired, T* old) const {
    internal::start_atomic_swap_if(_place, expected, desired, old);
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
