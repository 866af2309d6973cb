#include <climits>

#include "api/Boundary.h"
#include "base/Types.h"
#include "dash/async/Engine.h"
#include "dash/core/Settings.h"
#include "dash/dart/Access.h"
#include "dash/dart/if/dart_communication.h"
#include "transfer/CopyOnNode.h"
#include "transfer/OneSided.h"
#include "transfer/TypedTransfers.h"

namespace dart = dash::dart;

namespace {

/// The layouts of both sides of a transfer.
struct Transfer {
  dart::StridedLayout src;
  dart::StridedLayout dst;

  bool contiguous() const noexcept { return src.contiguous() && dst.contiguous(); }
};

/// \throws exception::RuntimeError if a type is unknown, or the types have different base types
Transfer transfer_of(const dart::DataTypes& types, size_t nelem, dart_datatype_t src_type,
                     dart_datatype_t dst_type) {
  dart::TransferSide src = types.side(nelem, src_type);
  if (src_type == dst_type) return {src.layout, src.layout};
  dart::TransferSide dst = types.side(nelem, dst_type);
  if (src.base != dst.base) {
    dart::throw_error(DART_ERR_INVAL,
                      "source type {} has elements of type {}, destination type {} of type {}",
                      src_type, src.base, dst_type, dst.base);
  }
  return {std::move(src.layout), std::move(dst.layout)};
}

/// Whether both sides have the same contiguous type; false if the types are invalid. If true, nbytes
/// is the number of bytes of the transfer.
bool is_contiguous(const dart::DataTypes& types, size_t nelem, dart_datatype_t src_type,
                   dart_datatype_t dst_type, std::size_t& nbytes) {
  std::size_t size = 0;
  return src_type == dst_type && types.find_element_bytes(src_type, size) &&
         !__builtin_mul_overflow(nelem, size, &nbytes);
}

/// \throws exception::RuntimeError if there is no buffer to transfer from or to
void check_buffer(const void* buffer, std::size_t nbytes, const char* name) {
  if (buffer == nullptr && nbytes != 0) {
    dart::throw_error(DART_ERR_INVAL, "{} is NULL in a transfer of {} bytes", name, nbytes);
  }
}

dash::exec::Operation start_get(dart::Runtime& runtime, void* dest, const dart_gptr_t& gptr,
                                size_t nelem, dart_datatype_t src_type, dart_datatype_t dst_type,
                                dart::Caller caller = dart::Caller::continues) {
  std::size_t nbytes = 0;
  if (is_contiguous(runtime.types(), nelem, src_type, dst_type, nbytes)) {
    check_buffer(dest, nbytes, "the destination");
    return runtime.one_sided().start_get(dest, gptr, nbytes);
  }
  const Transfer transfer = transfer_of(runtime.types(), nelem, src_type, dst_type);
  check_buffer(dest, transfer.src.nbytes, "the destination");
  return transfer.contiguous()
             ? runtime.one_sided().start_get(dest, gptr, transfer.src.nbytes)
             : runtime.typed_transfers().start_get(dest, transfer.dst, gptr, transfer.src, caller);
}

dash::exec::Operation start_put(dart::Runtime& runtime, const dart_gptr_t& gptr, const void* src,
                                size_t nelem, dart_datatype_t src_type, dart_datatype_t dst_type,
                                dart::Caller caller = dart::Caller::continues) {
  std::size_t nbytes = 0;
  if (is_contiguous(runtime.types(), nelem, src_type, dst_type, nbytes)) {
    check_buffer(src, nbytes, "the source");
    return runtime.one_sided().start_put(gptr, src, nbytes);
  }
  const Transfer transfer = transfer_of(runtime.types(), nelem, src_type, dst_type);
  check_buffer(src, transfer.src.nbytes, "the source");
  return transfer.contiguous()
             ? runtime.one_sided().start_put(gptr, src, transfer.src.nbytes)
             : runtime.typed_transfers().start_put(gptr, transfer.dst, src, transfer.src, caller);
}

/// For the fast path: false if the arguments are invalid or the type is not basic.
bool is_simple_transfer(const void* buffer, size_t nelem, dart_datatype_t src_type,
                        dart_datatype_t dst_type, std::size_t& nbytes) noexcept {
  return buffer != nullptr && src_type == dst_type && dart::is_basic_type(src_type) &&
         !__builtin_mul_overflow(nelem, dart::basic_type_sizes[src_type], &nbytes);
}

/// The address of a transfer on the node that is a short copy in the call; null for all others.
void* address_of_short_copy(const void* buffer, const dart_gptr_t& gptr, size_t nelem,
                            dart_datatype_t src_type, dart_datatype_t dst_type,
                            std::size_t& nbytes) noexcept {
  if (!is_simple_transfer(buffer, nelem, src_type, dst_type, nbytes)) return nullptr;
  if (nbytes >= dash::core::settings().copy_queue_min) return nullptr;
  return dart::uncounted_address(gptr, nbytes);
}

[[gnu::noinline]] dart_ret_t get_slow(void* dest, const dart_gptr_t& gptr, size_t nelem,
                                      dart_datatype_t src_type, dart_datatype_t dst_type) {
  return dart::with_runtime("dart_get_blocking", [&](dart::Runtime& runtime) {
    std::size_t nbytes = 0;
    if (is_contiguous(runtime.types(), nelem, src_type, dst_type, nbytes)) {
      check_buffer(dest, nbytes, "the destination");
      runtime.one_sided().get_blocking(dest, gptr, nbytes);
    } else {
      start_get(runtime, dest, gptr, nelem, src_type, dst_type, dart::Caller::waits).wait();
    }
  });
}

[[gnu::noinline]] dart_ret_t put_slow(const dart_gptr_t& gptr, const void* src, size_t nelem,
                                      dart_datatype_t src_type, dart_datatype_t dst_type) {
  return dart::with_runtime("dart_put_blocking", [&](dart::Runtime& runtime) {
    std::size_t nbytes = 0;
    if (is_contiguous(runtime.types(), nelem, src_type, dst_type, nbytes)) {
      check_buffer(src, nbytes, "the source");
      runtime.one_sided().put_blocking(gptr, src, nbytes);
    } else {
      start_put(runtime, gptr, src, nelem, src_type, dst_type, dart::Caller::waits).wait();
    }
  });
}

/// The event a caller waits for: the source may be reused, or the operation is complete.
enum class Until { source, operation };

/// A loop that flushes until memory changes has to make progress for the unit that changes it. A poll takes longer than
/// most flushes, so one of some flushes polls.
void poll_in_some_flushes() noexcept {
  constinit thread_local unsigned flushes = 0;
  if (++flushes % 16 == 0) dash::exec::Engine::instance().progress();
}

dart_ret_t flush(const char* function, const dart_gptr_t& gptr, bool all_units, Until until) {
  return dart::with_runtime(function, [&](dart::Runtime& runtime) {
    dart_gptr_t begin = gptr;
    begin.addr_or_offs.offset = 0;
    if (all_units) begin.unitid = 0;
    dart::GlobalMemory::check(begin, 0);
    poll_in_some_flushes();
    const std::int32_t unit = all_units ? dart::PendingOperations::any_unit : gptr.unitid;
    if (until == Until::operation) {
      runtime.pending_operations().flush(gptr.segid, unit);
    } else {
      runtime.pending_operations().flush_local(gptr.segid, unit);
    }
  });
}

dart_handle_t to_handle(dash::exec::Operation operation) {
  if (operation.done()) return DART_HANDLE_NULL;
  dash::exec::StatePtr<dash::exec::State> state = operation.state();
  return reinterpret_cast<dart_handle_t>(state.detach());
}

dash::exec::State* state_of(dart_handle_t handle) noexcept {
  return reinterpret_cast<dash::exec::State*>(handle);
}

void release(dart_handle_t& handle) noexcept {
  if (handle != DART_HANDLE_NULL) state_of(handle)->release();
  handle = DART_HANDLE_NULL;
}

void check_handles(const dart_handle_t* handles, size_t n) {
  if (handles == nullptr && n != 0) {
    dart::throw_error(DART_ERR_INVAL, "the array of {} handles is NULL", n);
  }
  if (n > INT_MAX) dart::throw_error(DART_ERR_INVAL, "{} handles exceed {}", n, INT_MAX);
}

bool is_reached(dash::exec::State& state, Until until) noexcept {
  return until == Until::operation ? state.done() : state.source_done();
}

dart_ret_t wait_all(const char* function, dart_handle_t handles[], size_t n, Until until) {
  return dart::guarded(function, [&] {
    check_handles(handles, n);
    for (size_t i = 0; i < n; ++i) {
      if (handles[i] == DART_HANDLE_NULL) continue;
      dash::exec::State& state = *state_of(handles[i]);
      if (until == Until::operation) {
        state.wait();
      } else {
        const dash::exec::Activity activity(state);
        dash::exec::Engine::instance().wait_until([&] { return state.source_done(); });
      }
      release(handles[i]);
    }
  });
}

dart_ret_t test_all(const char* function, dart_handle_t handles[], size_t n, int32_t* flag,
                    Until until) {
  return dart::guarded(function, [&] {
    if (flag == nullptr) dart::throw_error(DART_ERR_INVAL, "flag is NULL");
    *flag = 0;
    check_handles(handles, n);
    dash::exec::Engine::instance().progress();
    for (size_t i = 0; i < n; ++i) {
      if (handles[i] != DART_HANDLE_NULL && !is_reached(*state_of(handles[i]), until)) return;
    }
    for (size_t i = 0; i < n; ++i)
      release(handles[i]);
    *flag = 1;
  });
}

}  // namespace

extern "C" {

dart_ret_t dart_get_blocking(void* dest, dart_gptr_t gptr, size_t nelem, dart_datatype_t src_type,
                             dart_datatype_t dst_type) noexcept {
  std::size_t nbytes = 0;
  if (is_simple_transfer(dest, nelem, src_type, dst_type, nbytes)) [[likely]] {
    if (const void* from = dart::uncounted_address(gptr, nbytes)) [[likely]] {
      dart::copy_on_node_blocking(dest, from, nbytes);
      return DART_OK;
    }
  }
  return get_slow(dest, gptr, nelem, src_type, dst_type);
}

dart_ret_t dart_put_blocking(dart_gptr_t gptr, const void* src, size_t nelem,
                             dart_datatype_t src_type, dart_datatype_t dst_type) noexcept {
  std::size_t nbytes = 0;
  if (is_simple_transfer(src, nelem, src_type, dst_type, nbytes)) [[likely]] {
    if (void* to = dart::uncounted_address(gptr, nbytes)) [[likely]] {
      dart::copy_on_node_blocking(to, src, nbytes);
      return DART_OK;
    }
  }
  return put_slow(gptr, src, nelem, src_type, dst_type);
}

dart_ret_t dart_get(void* dest, dart_gptr_t gptr, size_t nelem, dart_datatype_t src_type,
                    dart_datatype_t dst_type) noexcept {
  std::size_t nbytes = 0;
  if (const void* from = address_of_short_copy(dest, gptr, nelem, src_type, dst_type, nbytes)) {
    dart::copy_on_node(dest, from, nbytes);
    return DART_OK;
  }
  return dart::with_runtime("dart_get", [&](dart::Runtime& runtime) {
    start_get(runtime, dest, gptr, nelem, src_type, dst_type);
  });
}

dart_ret_t dart_put(dart_gptr_t gptr, const void* src, size_t nelem, dart_datatype_t src_type,
                    dart_datatype_t dst_type) noexcept {
  std::size_t nbytes = 0;
  if (void* to = address_of_short_copy(src, gptr, nelem, src_type, dst_type, nbytes)) {
    dart::copy_on_node(to, src, nbytes);
    return DART_OK;
  }
  return dart::with_runtime("dart_put", [&](dart::Runtime& runtime) {
    start_put(runtime, gptr, src, nelem, src_type, dst_type);
  });
}

dart_ret_t dart_flush(dart_gptr_t gptr) noexcept {
  return flush("dart_flush", gptr, false, Until::operation);
}
dart_ret_t dart_flush_all(dart_gptr_t gptr) noexcept {
  return flush("dart_flush_all", gptr, true, Until::operation);
}
dart_ret_t dart_flush_local(dart_gptr_t gptr) noexcept {
  return flush("dart_flush_local", gptr, false, Until::source);
}
dart_ret_t dart_flush_local_all(dart_gptr_t gptr) noexcept {
  return flush("dart_flush_local_all", gptr, true, Until::source);
}

dart_ret_t dart_get_handle(void* dest, dart_gptr_t gptr, size_t nelem, dart_datatype_t src_type,
                           dart_datatype_t dst_type, dart_handle_t* handle) noexcept {
  std::size_t nbytes = 0;
  const void* from = nullptr;
  if (handle != nullptr &&
      (from = address_of_short_copy(dest, gptr, nelem, src_type, dst_type, nbytes)) != nullptr) {
    dart::copy_on_node(dest, from, nbytes);
    *handle = DART_HANDLE_NULL;
    return DART_OK;
  }
  return dart::with_output(
      "dart_get_handle", handle, "handle", DART_HANDLE_NULL, [&](dart::Runtime& runtime) {
        *handle = to_handle(start_get(runtime, dest, gptr, nelem, src_type, dst_type));
      });
}

dart_ret_t dart_put_handle(dart_gptr_t gptr, const void* src, size_t nelem,
                           dart_datatype_t src_type, dart_datatype_t dst_type,
                           dart_handle_t* handle) noexcept {
  std::size_t nbytes = 0;
  void* to = nullptr;
  if (handle != nullptr &&
      (to = address_of_short_copy(src, gptr, nelem, src_type, dst_type, nbytes)) != nullptr) {
    dart::copy_on_node(to, src, nbytes);
    *handle = DART_HANDLE_NULL;
    return DART_OK;
  }
  return dart::with_output(
      "dart_put_handle", handle, "handle", DART_HANDLE_NULL, [&](dart::Runtime& runtime) {
        *handle = to_handle(start_put(runtime, gptr, src, nelem, src_type, dst_type));
      });
}

dart_ret_t dart_wait(dart_handle_t* handle) noexcept {
  return wait_all("dart_wait", handle, 1, Until::operation);
}
dart_ret_t dart_wait_local(dart_handle_t* handle) noexcept {
  return wait_all("dart_wait_local", handle, 1, Until::source);
}
dart_ret_t dart_waitall(dart_handle_t handles[], size_t n) noexcept {
  return wait_all("dart_waitall", handles, n, Until::operation);
}
dart_ret_t dart_waitall_local(dart_handle_t handles[], size_t n) noexcept {
  return wait_all("dart_waitall_local", handles, n, Until::source);
}

dart_ret_t dart_test(dart_handle_t* handle, int32_t* flag) noexcept {
  return test_all("dart_test", handle, 1, flag, Until::operation);
}
dart_ret_t dart_test_local(dart_handle_t* handle, int32_t* flag) noexcept {
  return test_all("dart_test_local", handle, 1, flag, Until::source);
}
dart_ret_t dart_testall(dart_handle_t handles[], size_t n, int32_t* flag) noexcept {
  return test_all("dart_testall", handles, handles == nullptr ? 0 : n, flag, Until::operation);
}
dart_ret_t dart_testall_local(dart_handle_t handles[], size_t n, int32_t* flag) noexcept {
  return test_all("dart_testall_local", handles, handles == nullptr ? 0 : n, flag, Until::source);
}

dart_ret_t dart_handle_free(dart_handle_t* handle) noexcept {
  return dart::guarded("dart_handle_free", [&] {
    check_handles(handle, 1);
    release(*handle);
  });
}

}  // extern "C"
