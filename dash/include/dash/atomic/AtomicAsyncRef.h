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
/// \ingroup atomics
template <class T>
class GlobAsyncRef<const Atomic<T>> : public internal::AtomicAsyncReader<const Atomic<T>> {
  using Base = internal::AtomicAsyncReader<const Atomic<T>>;

 public:
  /// A reference to the element at a global pointer.
  explicit GlobAsyncRef(const dart_gptr_t& gptr) noexcept : Base(gptr) {}
  /// Used by iterators and containers.
  /// \param address  of the element in this process if known, otherwise nullptr
  GlobAsyncRef(const internal::GptrWords& gptr, void* address) noexcept
      : Base(internal::ElementLocation(gptr, address)) {}
  /// Refers to the same element, with asynchronous access.
  GlobAsyncRef(const GlobRef<const Atomic<T>>& other) noexcept
      : Base(Base::location_of(other)) {}  // NOLINT
  /// Refers to the same element, read-only.
  GlobAsyncRef(const GlobAsyncRef<Atomic<T>>& other) noexcept
      : Base(Base::location_of(other)) {}  // NOLINT
  GlobAsyncRef(const GlobAsyncRef&) = delete;
  GlobAsyncRef& operator=(const GlobAsyncRef&) = delete;
  /// Refers to the same element.
  GlobAsyncRef(GlobAsyncRef&&) noexcept = default;
  /// Refers to the element of the other reference instead; does not assign the element.
  GlobAsyncRef& operator=(GlobAsyncRef&&) noexcept = default;
};

/// An asynchronous reference to an atomic element of global memory on any unit.
///
/// \completion source on return; remote: a flush of this reference or of the container, after which
///         requested old values are stored
/// \blocks never, except for get() and load(), and for functions that the runtime does not support
/// \cost as `GlobRef<Atomic<T>>`
/// \threads thread-safe
/// \throws as `GlobRef<Atomic<T>>`
/// \ingroup atomics
template <class T>
class GlobAsyncRef<Atomic<T>> : public internal::AtomicAsyncReader<Atomic<T>> {
  using Base = internal::AtomicAsyncReader<Atomic<T>>;
  using Base::_location;
  static constexpr bool has_arithmetic = !std::is_same_v<T, bool>;

 public:
  /// A reference to the element at a global pointer.
  explicit GlobAsyncRef(const dart_gptr_t& gptr) noexcept : Base(gptr) {}
  /// Used by iterators and containers.
  /// \param address  of the element in this process if known, otherwise nullptr
  GlobAsyncRef(internal::GptrWords gptr, void* address) noexcept
      : Base(internal::ElementLocation(gptr, address)) {}
  /// Refers to the same element, with asynchronous access.
  GlobAsyncRef(const GlobRef<Atomic<T>>& other) noexcept
      : Base(Base::location_of(other)) {}  // NOLINT
  GlobAsyncRef(const GlobAsyncRef&) = delete;
  GlobAsyncRef& operator=(const GlobAsyncRef&) = delete;
  /// Refers to the same element.
  GlobAsyncRef(GlobAsyncRef&&) noexcept = default;
  /// Refers to the element of the other reference instead; does not assign the element.
  GlobAsyncRef& operator=(GlobAsyncRef&&) noexcept = default;

  /// \name Writing
  /// @{

  /// Starts writing the element.
  void set(const T& value) const { op(second<T>(), value); }
  /// Starts writing *value, which may be reused on return.
  void set(const T* value) const { set(*value); }
  /// As set().
  void store(const T& value) const { set(value); }
  /// As set().
  void store(const T* value) const { set(*value); }
  /// Starts writing the element.
  const GlobAsyncRef& operator=(const T& value) const {
    set(value);
    return *this;
  }
  /// @}

  /// \name Read-modify-write operations
  /// @{

  /// Starts to replace the element by operation(element, value).
  template <class BinaryOp>
  void op(BinaryOp operation, const T& value) const {
    internal::start_atomic(_location, operation, value);
  }
  /// Like op(), and stores the old value.
  /// \param old  receives the old value; must stay valid until the flush
  template <class BinaryOp>
  void fetch_op(BinaryOp operation, const T& value, T* old) const {
    internal::start_atomic_fetch(_location, operation, value, old);
  }
  /// Starts to replace the element.
  /// \param old  receives the old value; must stay valid until the flush
  void exchange(const T& value, T* old) const { fetch_op(second<T>(), value, old); }
  /// Starts to store `desired` if the element equals `expected` bitwise.
  /// \param old  receives the old value, which equals `expected` if `desired` was stored; must stay
  ///         valid until the flush
  void compare_exchange(const T& expected, const T& desired, T* old) const {
    internal::start_atomic_swap_if(_location, expected, desired, old);
  }
  /// @}

  /// \name Arithmetic; integers wrap around
  /// @{

  /// Starts adding to the element.
  void add(const T& value) const requires has_arithmetic { op(plus<T>(), value); }
  /// Starts adding *value, which may be reused on return.
  void add(const T* value) const requires has_arithmetic { add(*value); }
  /// Starts subtracting from the element.
  void sub(const T& value) const requires has_arithmetic { add(internal::negated(value)); }
  /// Starts multiplying the element.
  void multiply(const T& value) const requires has_arithmetic { op(dash::multiply<T>(), value); }
  /// Like add(), and stores the old value.
  /// \param old  receives the old value; must stay valid until the flush
  void fetch_add(const T& value, T* old) const requires has_arithmetic {
    fetch_op(plus<T>(), value, old);
  }
  /// Like sub(), and stores the old value.
  /// \param old  receives the old value; must stay valid until the flush
  void fetch_sub(const T& value, T* old) const requires has_arithmetic {
    fetch_add(internal::negated(value), old);
  }
  /// Like multiply(), and stores the old value.
  /// \param old  receives the old value; must stay valid until the flush
  void fetch_multiply(const T& value, T* old) const requires has_arithmetic {
    fetch_op(dash::multiply<T>(), value, old);
  }
  /// @}
};

}  // namespace dash
