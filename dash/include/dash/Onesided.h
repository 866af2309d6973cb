#pragma once

#include <cstddef>

#include "dash/Types.h"
#include "dash/dart/if/dart_communication.h"
#include "dash/dart/if/dart_globmem.h"
#include "dash/internal/element/ElementAccess.h"

namespace dash {

namespace internal {

/// \name Transfers of native elements from or to one unit
/// Blocking: complete on return. Without handle: completed by a flush. With handle: by dart_wait*.
/// \throws exception::InvalidArgument if the global memory is not within a live allocation
/// @{
template <class T>
void get_blocking(const dart_gptr_t& gptr, T* dest, std::size_t nelem) {
  dart::get_blocking(dest, gptr, nelem * sizeof(T));
}
template <class T>
void put_blocking(const dart_gptr_t& gptr, const T* src, std::size_t nelem) {
  dart::put_blocking(gptr, src, nelem * sizeof(T));
}
template <class T>
void get(const dart_gptr_t& gptr, T* dest, std::size_t nelem) {
  const dart_storage<T> storage(nelem);
  check(dart_get(dest, gptr, storage.nelem, storage.dtype, storage.dtype), "get");
}
template <class T>
void put(const dart_gptr_t& gptr, const T* src, std::size_t nelem) {
  const dart_storage<T> storage(nelem);
  check(dart_put(gptr, src, storage.nelem, storage.dtype, storage.dtype), "put");
}
template <class T>
void get_handle(const dart_gptr_t& gptr, T* dest, std::size_t nelem, dart_handle_t* handle) {
  const dart_storage<T> storage(nelem);
  check(dart_get_handle(dest, gptr, storage.nelem, storage.dtype, storage.dtype, handle), "get");
}
template <class T>
void put_handle(const dart_gptr_t& gptr, const T* src, std::size_t nelem, dart_handle_t* handle) {
  const dart_storage<T> storage(nelem);
  check(dart_put_handle(gptr, src, storage.nelem, storage.dtype, storage.dtype, handle), "put");
}
/// @}

template <class P>
concept HasGptr = requires(const P& p) {
  p.dart_gptr();
};

}  // namespace internal

/// Writes a value to the element that a global pointer or iterator points to.
/// \completion remote  \blocks until written
/// \ingroup transfers
template <class T, internal::HasGptr GlobPtrType>
void put_value(const T& value, const GlobPtrType& gptr) {
  internal::store(gptr.dart_gptr(), value);
}

/// Reads the element that a global pointer or iterator points to.
/// \blocks until read
/// \ingroup transfers
template <class T, internal::HasGptr GlobPtrType>
void get_value(T* value, const GlobPtrType& gptr) {
  *value = internal::load<T>(gptr.dart_gptr());
}

/// Starts writing a value, which must stay unchanged until a fence.
/// \completion source: fence_local(); remote: fence()
/// \ingroup transfers
template <class T, internal::HasGptr GlobPtrType>
void put_value_async(const T& value, const GlobPtrType& gptr) {
  internal::put(gptr.dart_gptr(), &value, 1);
}

/// Starts reading a value.
/// \completion operation: fence_local()
/// \ingroup transfers
template <class T, internal::HasGptr GlobPtrType>
void get_value_async(T* value, const GlobPtrType& gptr) {
  internal::get(gptr.dart_gptr(), value, 1);
}

/// Completes the caller's operations on the allocation that contains the pointer, at the unit of
/// the pointer only.
/// \completion remote
/// \ingroup transfers
template <class T, internal::HasGptr GlobPtrType>
void fence(const GlobPtrType& gptr) {
  internal::check(dart_flush(gptr.dart_gptr()), "fence");
}

/// Waits for the local completion of the caller's operations on the allocation that contains the
/// pointer, at the unit of the pointer only.
/// \completion local
/// \ingroup transfers
template <class T, internal::HasGptr GlobPtrType>
void fence_local(const GlobPtrType& gptr) {
  internal::check(dart_flush_local(gptr.dart_gptr()), "fence_local");
}

}  // namespace dash
