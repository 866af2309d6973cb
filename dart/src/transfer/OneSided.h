#pragma once

#include <cstddef>
#include <cstring>
#include <exception>
#include <utility>

#include "base/RemoteAddress.h"
#include "api/Runtime.h"
#include "dash/async/Operation.h"
#include "dash/dart/Access.h"

namespace dash::dart {

/// Copies to or from memory of the node. The sizes of single elements are worth a case each: a
/// call of memmove would cost more than the access.
inline void copy_on_node(void* dest, const void* src, std::size_t nbytes) noexcept {
  switch (nbytes) {
    case 0:
      return;
    case 1:
      std::memcpy(dest, src, 1);
      return;
    case 2:
      std::memcpy(dest, src, 2);
      return;
    case 4:
      std::memcpy(dest, src, 4);
      return;
    case 8:
      std::memcpy(dest, src, 8);
      return;
    default:
      std::memmove(dest, src, nbytes);
  }
}

/// The same at the size of a blocking transfer: non-temporal where that is faster.
void copy_on_node_large(void* dest, const void* src, std::size_t nbytes) noexcept;

/// From here the copy kernel's choice of stores is worth the 15 ns that asking for it costs.
inline constexpr std::size_t large_copy = std::size_t{256} << 10;

inline void copy_on_node_blocking(void* dest, const void* src, std::size_t nbytes) noexcept {
  if (nbytes < large_copy) {
    copy_on_node(dest, src, nbytes);
  } else {
    copy_on_node_large(dest, src, nbytes);
  }
}

/// Where the driver finds what a pointer names. \pre the pointer is valid
RemoteAddress remote_place(const Segment& segment, const dart_gptr_t& gptr) noexcept;

/// Starts a transfer; what is not complete on return is registered as pending_operations.
/// \throws Error if the access is not valid
exec::Operation start_get(void* dest, const dart_gptr_t& src, std::size_t nbytes);
exec::Operation start_put(const dart_gptr_t& dest, const void* src, std::size_t nbytes);

/// Transfers that are complete on return; a put remotely.
/// \throws Error if the access is not valid
void get_blocking(void* dest, const dart_gptr_t& src, std::size_t nbytes);
void put_blocking(const dart_gptr_t& dest, const void* src, std::size_t nbytes);

/// Starts an operation of class R, of a known number of parts, that `begin` hands to the driver
/// without waiting; a flush covers it.
template <class R, class Begin, class... Args>
exec::Operation start_operation(const dart_gptr_t& gptr, Begin begin, Args&&... args) {
  Runtime& runtime = *Runtime::find();
  // Before a flush could wait for it: what waits here may run somebody's continuations.
  runtime.driver().wait_for_room();
  auto* const request = new R(std::forward<Args>(args)...);
  exec::Operation operation(exec::StatePtr<exec::State>::adopt(request));
  runtime.pending_operations().add(request->pending_operations, *request, gptr.segid, gptr.unitid);
  try {
    begin(runtime.driver(), *request);
  } catch (...) {
    request->give_up();
    throw;
  }
  return operation;
}

/// The same for as many parts as `begin` adds, which may wait for room between them: a flush covers
/// it when all have been started. If that fails, those that have been started use the caller's
/// memory: then it is the operation that fails, when they have ended.
template <class R, class Begin, class... Args>
exec::Operation start_parts(const dart_gptr_t& gptr, Begin begin, Args&&... args) {
  Runtime& runtime = *Runtime::find();
  auto* const request = new R(std::forward<Args>(args)...);
  exec::Operation operation(exec::StatePtr<exec::State>::adopt(request));
  const Start start(*request);
  try {
    begin(runtime.driver(), *request);
  } catch (...) {
    if (!start.has_parts()) throw;
    request->note_failure(std::current_exception());
  }
  runtime.pending_operations().add(request->pending_operations, *request, gptr.segid, gptr.unitid);
  return operation;
}

}  // namespace dash::dart
