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
  /// \throws exception::InvalidArgument if the access is not valid
  /// @{
  exec::Operation start_get(void* dest, const dart_gptr_t& src, std::size_t nbytes);
  exec::Operation start_put(const dart_gptr_t& dest, const void* src, std::size_t nbytes);
  /// @}

  /// Transfers that are complete on return; a put remotely.
  /// \throws exception::InvalidArgument if the access is not valid
  /// @{
  void get_blocking(void* dest, const dart_gptr_t& src, std::size_t nbytes);
  void put_blocking(const dart_gptr_t& dest, const void* src, std::size_t nbytes);
  /// @}

  /// The address of `nbytes` bytes for transfers between nodes.
  /// \throws exception::InvalidArgument if the access is not valid
  RemoteAddress checked_address(const dart_gptr_t& gptr, std::size_t nbytes) const {
    return _memory.remote_address(GlobalMemory::check(gptr, nbytes), gptr);
  }
  /// \pre the access is valid
  RemoteAddress address(const dart_gptr_t& gptr) const noexcept {
    return _memory.remote_address(segment_of(gptr), gptr);
  }

  /// Scope in which the parts of an operation are started: a fixed number, without waiting. The
  /// operation is pending. If the scope ends without finish(), the operation completes without the
  /// missing parts.
  /// \tparam R  the class of its request
  template <class R>
  class OperationStart {
   public:
    template <class... Args>
    OperationStart(OneSided& one_sided, const dart_gptr_t& gptr, Args&&... args) {
      // Before a flush can wait for the operation: this wait may run continuations, which may flush.
      one_sided._driver.flow().wait_below_limit();
      _request = new R(std::forward<Args>(args)...);
      _operation = exec::Operation(exec::StatePtr<exec::State>::adopt(_request));
      one_sided._pending_operations.add(_request->pending_entry, *_request, gptr.segid,
                                        gptr.unitid);
    }
    ~OperationStart() {
      if (_operation.state()) _request->give_up();
    }
    OperationStart(const OperationStart&) = delete;
    OperationStart& operator=(const OperationStart&) = delete;

    R& request() noexcept { return *_request; }
    /// \pre all parts have been started
    exec::Operation finish() noexcept { return std::move(_operation); }

   private:
    R* _request = nullptr;
    exec::Operation _operation;
  };

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
  exec::Operation copy_on_node_async(void* dest, const void* src, std::size_t nbytes,
                                     const dart_gptr_t& gptr, core::OperationKind kind);
  exec::Operation delegate(DelegatedTransfers::Place place, DelegationQueue::Kind kind,
                           const dart_gptr_t& gptr, const RemoteAddress& remote, const void* local,
                           std::size_t nbytes);

  GlobalMemory& _memory;
  RmaDriver& _driver;
  PendingOperations& _pending_operations;
};

}  // namespace dash::dart
