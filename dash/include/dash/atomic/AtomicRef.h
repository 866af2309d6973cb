#pragma once

#include <bit>
#include <type_traits>

#include "dash/GlobRef.h"
#include "dash/Types.h"
#include "dash/algorithm/Operation.h"
#include "dash/atomic/AtomicAccess.h"
#include "dash/atomic/AtomicElement.h"
#include "dash/internal/element/ElementRef.h"
#include "dash/memory/MemorySpace.h"

namespace dash {

namespace internal {

/// The read operations of a reference to an atomic element, which may be const.
/// \tparam A  Atomic<T> or const Atomic<T>
template <class A>
class AtomicReader : public ElementRef<GlobRef, A> {
  using Base = ElementRef<GlobRef, A>;

 public:
  using value_type = std::remove_const_t<remove_atomic_t<A>>;
  using nonconst_value_type = value_type;
  using const_value_type = const value_type;
  static constexpr const char* ref_name = "dash::GlobRef<dash::Atomic>";

  value_type load() const { return atomic_load<value_type>(this->_location); }
  value_type get() const { return load(); }
  void get(value_type* value) const { *value = load(); }
  void get(value_type& value) const { value = load(); }
  operator value_type() const { return load(); }  // NOLINT: a proxy

 protected:
  explicit AtomicReader(const ElementLocation& location) noexcept : Base(location) {}
};

}  // namespace internal

/// A read-only reference to an atomic element of global memory.
/// \ingroup atomics
template <class T>
class GlobRef<const Atomic<T>> : public internal::AtomicReader<const Atomic<T>> {
  using Base = internal::AtomicReader<const Atomic<T>>;

 public:
  using self_t = GlobRef;

  /// A reference to the element at a global pointer.
  explicit GlobRef(const dart_gptr_t& gptr) noexcept : Base(gptr) {}
  /// Used by iterators and containers.
  /// \param address  of the element in this process if known, otherwise nullptr
  GlobRef(internal::GptrWords gptr, void* address) noexcept
      : Base(internal::ElementLocation(gptr, address)) {}
  GlobRef(const GlobRef&) = delete;
  /// Refers to the same element.
  GlobRef(GlobRef&&) noexcept = default;
  /// Refers to the same element, read-only.
  GlobRef(const GlobRef<Atomic<T>>& other) noexcept : Base(Base::location_of(other)) {}  // NOLINT
  /// A reference to the element that a pointer points to.
  template <class Mem>
  explicit GlobRef(const GlobPtr<const Atomic<T>, Mem>& pointer) noexcept
      : Base(pointer.dart_gptr()) {}
};

/// The same as `GlobRef<const Atomic<T>>`. Programs for DASH 0.4 use both names.
/// \ingroup atomics
template <class T>
class GlobRef<Atomic<const T>> : public internal::AtomicReader<const Atomic<T>> {
  using Base = internal::AtomicReader<const Atomic<T>>;

 public:
  using self_t = GlobRef;

  GlobRef(const GlobRef&) = delete;
  /// Refers to the same element.
  GlobRef(GlobRef&&) noexcept = default;
  /// Refers to the same element, read-only.
  GlobRef(const GlobRef<Atomic<T>>& other) noexcept : Base(Base::location_of(other)) {}  // NOLINT
  /// \overload
  GlobRef(const GlobRef<const Atomic<T>>& other) noexcept  // NOLINT
      : Base(Base::location_of(other)) {}
};

/// A reference to an atomic element of global memory on any unit. Each operation is one atomic
/// access, sequentially consistent among all units.
///
/// \completion remote, when the call returns
/// \blocks until the operation is done
/// \cost on the caller's node, an atomic instruction, or a loop around one (floating-point numbers,
///         functions that the runtime does not support); between nodes, a message and its reply
/// \threads thread-safe
/// \throws exception::InvalidArgument if the element is not within a live allocation or not aligned
///         to its size
/// \ingroup atomics
template <class T>
class GlobRef<Atomic<T>> : public internal::AtomicReader<Atomic<T>> {
  using Base = internal::AtomicReader<Atomic<T>>;
  using Base::_location;
  static constexpr bool has_arithmetic = !std::is_same_v<T, bool>;

 public:
  using self_t = GlobRef;

  /// A reference to the element at a global pointer.
  explicit GlobRef(const dart_gptr_t& gptr) noexcept : Base(gptr) {}
  /// Used by iterators and containers.
  /// \param address  of the element in this process if known, otherwise nullptr
  GlobRef(internal::GptrWords gptr, void* address) noexcept
      : Base(internal::ElementLocation(gptr, address)) {}
  GlobRef(const GlobRef&) = delete;
  /// Refers to the same element.
  GlobRef(GlobRef&&) noexcept = default;
  /// A reference to the element that a pointer points to.
  template <class Mem>
  explicit GlobRef(const GlobPtr<Atomic<T>, Mem>& pointer) noexcept : Base(pointer.dart_gptr()) {}
  /// Refers to the same element, with blocking access.
  GlobRef(const GlobAsyncRef<Atomic<T>>& other) noexcept
      : Base(Base::location_of(other)) {}  // NOLINT
  /// Refers to the same element, with atomic access.
  explicit GlobRef(const GlobRef<T>& other) noexcept : Base(Base::location_of(other)) {}

  /// \name Writing
  /// @{

  /// Writes the element.
  void store(const T& value) const { internal::atomic_store(_location, value); }
  /// As store().
  void set(const T& value) const { store(value); }
  /// As store().
  void put(const T& value) const { store(value); }
  /// Writes the element.
  /// \returns value
  T operator=(const T& value) const {  // NOLINT: returns the value, as std::atomic does
    store(value);
    return value;
  }
  /// \overload
  T operator=(const Atomic<T>& value) const {  // NOLINT: as above
    return *this = std::bit_cast<T>(value);
  }
  /// Assigns the element, not the reference: an atomic load, then an atomic store.
  GlobRef& operator=(const GlobRef& other) {  // NOLINT
    store(other.load());
    return *this;
  }
  /// \overload
  const GlobRef& operator=(const GlobRef& other) const {  // NOLINT
    store(other.load());
    return *this;
  }
  /// @}

  /// \name Read-modify-write operations
  /// @{

  /// Replaces the element.
  /// \returns the old value
  T exchange(const T& value) const {
    return internal::atomic_fetch<DART_OP_REPLACE>(_location, value);
  }
  /// Exchanges the elements; each access is atomic, the exchange as a whole is not.
  void swap(const GlobRef& other) const { other.store(exchange(other.load())); }
  /// Stores `desired` if the element equals `expected` bitwise.
  /// \returns whether it was stored
  bool compare_exchange(const T& expected, const T& desired) const {
    return internal::same_bits(internal::atomic_swap_if(_location, expected, desired), expected);
  }
  /// Replaces the element by operation(element, value). The operation may be called several times
  /// if it is not one of dash/algorithm/Operation.h.
  template <class BinaryOp>
  void op(BinaryOp operation, const T& value) const {
    internal::atomic_apply(_location, operation, value);
  }
  /// Like op().
  /// \returns the old value
  template <class BinaryOp>
  T fetch_op(BinaryOp operation, const T& value) const {
    return internal::atomic_fetch_op(_location, operation, value);
  }
  /// @}

  /// \name Arithmetic; integers wrap around
  /// @{

  /// Adds to the element.
  void add(const T& value) const requires has_arithmetic { op(plus<T>(), value); }
  /// Subtracts from the element.
  void sub(const T& value) const requires has_arithmetic { add(internal::negated(value)); }
  /// Multiplies the element.
  void multiply(const T& value) const requires has_arithmetic { op(dash::multiply<T>(), value); }

  /// Adds to the element.
  /// \returns the old value
  T fetch_add(const T& value) const requires has_arithmetic { return fetch_op(plus<T>(), value); }
  /// Subtracts from the element.
  /// \returns the old value
  T fetch_sub(const T& value) const requires has_arithmetic {
    return fetch_add(internal::negated(value));
  }
  /// Multiplies the element.
  /// \returns the old value
  T fetch_multiply(const T& value) const requires has_arithmetic {
    return fetch_op(dash::multiply<T>(), value);
  }

  /// Adds to the element.
  /// \returns the new value
  T operator+=(const T& value) const requires has_arithmetic {
    return internal::wrapping_sum(fetch_add(value), value);
  }
  /// Subtracts from the element.
  /// \returns the new value
  T operator-=(const T& value) const requires has_arithmetic {
    return *this += internal::negated(value);
  }
  /// Adds 1 to the element.
  /// \returns the new value
  T operator++() const requires has_arithmetic { return *this += T{1}; }
  /// Subtracts 1 from the element.
  /// \returns the new value
  T operator--() const requires has_arithmetic { return *this -= T{1}; }
  /// Adds 1 to the element.
  /// \returns the old value
  T operator++(int) const requires has_arithmetic { return fetch_add(T{1}); }
  /// Subtracts 1 from the element.
  /// \returns the old value
  T operator--(int) const requires has_arithmetic { return fetch_sub(T{1}); }
  /// @}
};

}  // namespace dash
