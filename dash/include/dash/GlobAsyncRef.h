#pragma once

#include <cstring>
#include <type_traits>
#include <utility>

#include "dash/GlobRef.h"
#include "dash/Types.h"
#include "dash/dart/if/dart_communication.h"
#include "dash/dart/if/dart_globmem.h"
#include "dash/internal/element/ElementAccess.h"
#include "dash/internal/element/ElementRef.h"

namespace dash {

/// A reference to an element of global memory on any unit, with asynchronous access.
///
/// A written value becomes visible with flush() of this reference or of the container. Before that,
/// it must not be read through another reference.
/// \threads externally synchronized per object
/// \ingroup iterators
template <class T>
class GlobAsyncRef : public internal::ElementRef<GlobAsyncRef, T> {
  using Base = internal::ElementRef<GlobAsyncRef, T>;
  using Base::_location;

 public:
  using value_type = T;
  using typename Base::nonconst_value_type;
  /// Name of the class, for messages.
  static constexpr const char* ref_name = "dash::GlobAsyncRef";

  /// A reference to the element at a global pointer.
  explicit GlobAsyncRef(const dart_gptr_t& gptr) noexcept : Base(gptr) {}
  /// Used by iterators and containers.
  /// \param address  of the element in this process if known, otherwise nullptr
  GlobAsyncRef(internal::GptrWords gptr, void* address) noexcept
      : Base(internal::ElementLocation(gptr, address)) {}

  /// Refers to the same element, which becomes const or a base class object.
  template <class From>
  requires internal::RefConvertible<From, T> GlobAsyncRef(const GlobAsyncRef<From>& other)
  noexcept  // NOLINT: as DASH's
      : Base(Base::location_of(other)) {}
  /// Refers to the same element, with asynchronous access.
  template <class From>
  requires(std::is_same_v<From, T> || internal::RefConvertible<From, T>)
      GlobAsyncRef(const GlobRef<From>& other)
  noexcept  // NOLINT: as DASH's
      : Base(Base::location_of(other)) {}
  /// Refers to the same element as an object of a derived class, or without const.
  template <class From>
  requires internal::RefCastable<From, T>
  explicit GlobAsyncRef(const GlobRef<From>& other) noexcept : Base(Base::location_of(other)) {}
  /// \overload
  template <class From>
  requires internal::RefCastable<From, T>
  explicit GlobAsyncRef(const GlobAsyncRef<From>& other) noexcept
      : Base(Base::location_of(other)) {}

  // A pending transfer reads the value stored in this object, so it must complete before the object
  // is moved or destroyed.
  /// Refers to the same element.
  /// \blocks until the local completion of a pending put
  GlobAsyncRef(GlobAsyncRef&& other) : Base(other._location) { other.wait(); }
  /// Refers to the element of `other` instead; does not assign the element.
  /// \blocks until the local completion of pending puts of both references
  GlobAsyncRef& operator=(GlobAsyncRef&& other) {
    wait();
    other.wait();
    _location = other._location;
    return *this;
  }
  GlobAsyncRef(const GlobAsyncRef&) = delete;
  GlobAsyncRef& operator=(const GlobAsyncRef&) = delete;
  /// Waits for the local completion of a pending put.
  ~GlobAsyncRef() {
    // A destructor cannot report the error of a failed put; the next flush reports it.
    if (_handle != DART_HANDLE_NULL) static_cast<void>(dart_wait_local(&_handle));
  }

  /// Starts writing a copy of the value.
  /// \completion source: when the call returns; remote: flush()
  const GlobAsyncRef& operator=(const T& value) const {
    set(value);
    return *this;
  }
  /// \overload
  void set(const T& value) const {
    static_assert(!std::is_const_v<T>, "dash::GlobAsyncRef: the element is const");
    if (void* address = _location.address(sizeof(T))) {
      std::memcpy(address, &value, sizeof(T));
      return;
    }
    wait();
    std::memcpy(_value, &value, sizeof(T));
    internal::check(
        dart_put_handle(_location.gptr(), _value, storage.nelem, dtype, dtype, &_handle),
        "writing an element asynchronously");
  }
  /// Starts writing *value.
  /// \completion source, remote: flush(); until then *value must not change
  void set(const T* value) const {
    static_assert(!std::is_const_v<T>, "dash::GlobAsyncRef: the element is const");
    internal::check(dart_put(_location.gptr(), value, storage.nelem, dtype, dtype),
                    "writing an element asynchronously");
  }

  /// Reads the element. \blocks until it is read
  nonconst_value_type get() const { return internal::load<T>(_location); }
  /// Starts reading the element into *value.
  /// \completion operation: flush()
  void get(nonconst_value_type* value) const {
    internal::check(dart_get(value, _location.gptr(), storage.nelem, dtype, dtype),
                    "reading an element asynchronously");
  }
  /// \overload
  void get(nonconst_value_type& value) const { get(&value); }

  /// Completes the caller's operations on the memory of the element's unit in this allocation.
  /// \completion remote
  void flush() const { internal::check(dart_flush(_location.gptr()), "flush"); }

  // A comparison would have to wait; compare the results of get().
  template <class V>
  bool operator==(const V&) const = delete;

 private:
  static constexpr dart_storage<nonconst_value_type> storage{1};
  static constexpr dart_datatype_t dtype = dart_storage<nonconst_value_type>::dtype;

  /// Waits until the value stored in this object may be overwritten.
  void wait() const {
    if (_handle != DART_HANDLE_NULL)
      internal::check(dart_wait_local(&_handle), "waiting for a put");
  }

  mutable dart_handle_t _handle = DART_HANDLE_NULL;
  alignas(T) mutable unsigned char _value[sizeof(T)];
};

/// Exchanges the references, whereas swap of GlobRef exchanges the elements.
/// \blocks until the local completion of pending puts
/// \ingroup iterators
template <class T>
void swap(GlobAsyncRef<T>& a, GlobAsyncRef<T>& b) {
  GlobAsyncRef<T> before(std::move(a));
  a = std::move(b);
  b = std::move(before);
}

}  // namespace dash
