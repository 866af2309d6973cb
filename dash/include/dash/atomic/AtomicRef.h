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
template <class T>
class GlobRef<const Atomic<T>> : public internal::AtomicReader<const Atomic<T>> {
  using Base = internal::AtomicReader<const Atomic<T>>;

 public:
  using self_t = GlobRef;

  explicit GlobRef(const dart_gptr_t& gptr) noexcept : Base(gptr) {}
  /// \param address  of the element in this process if known, otherwise nullptr
  GlobRef(internal::GptrWords gptr, void* address) noexcept
      : Base(internal::ElementLocation(gptr, address)) {}
  GlobRef(const GlobRef&) = delete;
  GlobRef(GlobRef&&) noexcept = default;
  GlobRef(const GlobRef<Atomic<T>>& other) noexcept : Base(Base::location_of(other)) {}  // NOLINT
  template <class Mem>
  explicit GlobRef(const GlobPtr<const Atomic<T>, Mem>& pointer) noexcept
      : Base(pointer.dart_gptr()) {}
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
template <class T>
class GlobRef<Atomic<T>> : public internal::AtomicReader<Atomic<T>> {
  using Base = internal::AtomicReader<Atomic<T>>;
  using Base::_location;
  static constexpr bool has_arithmetic = !std::is_same_v<T, bool>;

 public:
  using self_t = GlobRef;

  explicit GlobRef(const dart_gptr_t& gptr) noexcept : Base(gptr) {}
  /// \param address  of the element in this process if known, otherwise nullptr
  GlobRef(internal::GptrWords gptr, void* address) noexcept
      : Base(internal::ElementLocation(gptr, address)) {}
  GlobRef(const GlobRef&) = delete;
  GlobRef(GlobRef&&) noexcept = default;
  template <class Mem>
  explicit GlobRef(const GlobPtr<Atomic<T>, Mem>& pointer) noexcept : Base(pointer.dart_gptr()) {}
  GlobRef(const GlobAsyncRef<Atomic<T>>& other) noexcept
      : Base(Base::location_of(other)) {}  // NOLINT
  /// A reference to the same element.
  explicit GlobRef(const GlobRef<T>& other) noexcept : Base(Base::location_of(other)) {}

  /// \name Writing
  /// @{
  void store(const T& value) const { internal::atomic_store(_location, value); }
  void set(const T& value) const { store(value); }
  void put(const T& value) const { store(value); }
  T operator=(const T& value) const {  // NOLINT: returns the value, as std::atomic does
    store(value);
    return value;
  }
  T operator=(const Atomic<T>& value) const {  // NOLINT: as above
    return *this = std::bit_cast<T>(value);
  }
  // Assigns the element, not the reference: an atomic load, then an atomic store.
  GlobRef& operator=(const GlobRef& other) {  // NOLINT
    store(other.load());
    return *this;
  }
  const GlobRef& operator=(const GlobRef& other) const {  // NOLINT
    store(other.load());
    return *this;
  }
  /// @}

  /// \name Read-modify-write operations
  /// @{

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
  /// \returns the old value
  template <class BinaryOp>
  T fetch_op(BinaryOp operation, const T& value) const {
    return internal::atomic_fetch_op(_location, operation, value);
  }
  /// @}

  /// \name Arithmetic; integers wrap around
  /// @{
  void add(const T& value) const requires has_arithmetic { op(plus<T>(), value); }
  void sub(const T& value) const requires has_arithmetic { add(internal::negated(value)); }
  void multiply(const T& value) const requires has_arithmetic { op(dash::multiply<T>(), value); }

  /// \returns the old value
  T fetch_add(const T& value) const requires has_arithmetic { return fetch_op(plus<T>(), value); }
  T fetch_sub(const T& value) const requires has_arithmetic {
    return fetch_add(internal::negated(value));
  }
  T fetch_multiply(const T& value) const requires has_arithmetic {
    return fetch_op(dash::multiply<T>(), value);
  }

  /// \returns the new value
  T operator+=(const T& value) const requires has_arithmetic {
    return internal::wrapping_sum(fetch_add(value), value);
  }
  T operator-=(const T& value) const requires has_arithmetic {
    return *this += internal::negated(value);
  }
  T operator++() const requires has_arithmetic { return *this += T{1}; }
  T operator--() const requires has_arithmetic { return *this -= T{1}; }
  T operator++(int) const requires has_arithmetic { return fetch_add(T{1}); }
  T operator--(int) const requires has_arithmetic { return fetch_sub(T{1}); }
  /// @}
};

}  // namespace dash
