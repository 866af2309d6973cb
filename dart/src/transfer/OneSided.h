#pragma once

#include <cstddef>
#include <exception>
#include <utility>

#include "base/RemoteAddress.h"
#include "dash/async/Operation.h"
#include "dash/dart/if/dart_globmem.h"
#include "memory/GlobalMemory.h"
#include "network/rma/RmaDriver.h"
#include "transfer/PendingOperations.h"

namespace dash::dart {

/// Transfers of contiguous memory, on the node and between nodes, and the functions by which the
/// other classes of this folder start operations.
/// \threads thread-safe
class OneSided {
 public:
  OneSided(GlobalMemory& memory, RmaDriver& driver, PendingOperations& pending_operations) noexcept
      : _memory(memory), _driver(driver), _pending_operations(pending_operations) {}
  OneSided(const OneSided&) = delete;
  OneSided& operator=(const OneSided&) = delete;

  /// Start a transfer. It is among the pending operations, unless it is complete on return.
  /// \throws Error if the access is not valid
  /// @{
  exec::Operation start_get(void* dest, const dart_gptr_t& src, std::size_t nbytes);
  exec::Operation start_put(const dart_gptr_t& dest, const void* src, std::size_t nbytes);
  /// @}

  /// Transfers that are complete on return; a put remotely. \throws Error if the access is not
  /// valid
  /// @{
  void get_blocking(void* dest, const dart_gptr_t& src, std::size_t nbytes);
  void put_blocking(const dart_gptr_t& dest, const void* src, std::size_t nbytes);
  /// @}

  /// The address of `nbytes` bytes for transfers between nodes. \throws Error if the access is not
  /// valid
  RemoteAddress checked_address(const dart_gptr_t& gptr, std::size_t nbytes) const {
    return _memory.remote_address(GlobalMemory::check(gptr, nbytes), gptr);
  }
  /// \pre the access is valid
  RemoteAddress address(const dart_gptr_t& gptr) const noexcept {
    return _memory.remote_address(segment_of(gptr), gptr);
  }

  /// Starts an operation of class R with a fixed number of parts, which begin(request) starts
  /// without waiting.
  template <class R, class Begin, class... Args>
  exec::Operation start_operation(const dart_gptr_t& gptr, Begin begin, Args&&... args) {
    // Before a flush can wait for the operation: this wait may run continuations, which may flush.
    _driver.flow().wait_below_limit();
    auto* const request = new R(std::forward<Args>(args)...);
    exec::Operation operation = add_pending(*request, gptr);
    try {
      begin(*request);
    } catch (...) {
      request->give_up();
      throw;
    }
    return operation;
  }

  /// Starts an operation of class R with as many parts as begin(request) adds. begin() may wait for
  /// the limit of operations in flight between the parts, so the operation becomes pending after
  /// all have been started. If begin() fails, the started parts still use the caller's memory: then
  /// the operation fails when they have ended.
  template <class R, class Begin, class... Args>
  exec::Operation start_parts(const dart_gptr_t& gptr, Begin begin, Args&&... args) {
    auto* const request = new R(std::forward<Args>(args)...);
    exec::Operation operation(exec::StatePtr<exec::State>::adopt(request));
    const RequestStart start(*request);
    try {
      begin(*request);
    } catch (...) {
      if (!start.has_parts()) throw;
      request->set_failure(std::current_exception());
    }
    _pending_operations.add(request->pending_entry, *request, gptr.segid, gptr.unitid);
    return operation;
  }

  RmaDriver& driver() noexcept { return _driver; }
  PendingOperations& pending_operations() noexcept { return _pending_operations; }

 private:
  exec::Operation add_pending(Request& request, const dart_gptr_t& gptr) {
    exec::Operation operation(exec::StatePtr<exec::State>::adopt(&request));
    _pending_operations.add(request.pending_entry, request, gptr.segid, gptr.unitid);
    return operation;
  }
  exec::Operation copy_on_node_async(void* dest, const void* src, std::size_t nbytes,
                                     const dart_gptr_t& gptr, core::OperationKind kind);

  GlobalMemory& _memory;
  RmaDriver& _driver;
  PendingOperations& _pending_operations;
};

}  // namespace dash::dart
