#include "transfer/AtomicOperations.h"

#include <algorithm>
#include <cstring>
#include <memory>

#include "base/Atomics.h"
#include "base/Error.h"
#include "base/Types.h"
#include "dash/core/Statistics.h"
#include "dash/dart/Access.h"

namespace dash::dart {

namespace {

using core::OperationKind;
using core::OperationPath;

/// Stores the old value in the caller's buffer.
class Fetch final : public Request {
 public:
  explicit Fetch(void* old) noexcept : Request(Parts{1}), _old(old) {}

  void take_reply(const std::byte* payload, std::size_t nbytes) noexcept override {
    std::memcpy(_old, payload, nbytes);
  }

 private:
  void* _old;
};

template <class Function>
Function defined(Function function, dart_operation_t op, dart_datatype_t type) {
  if (function != nullptr) return function;
  size_in_bytes(0, type);  // throws if the type is wrong
  if (op >= DART_OP_LAST || op == DART_OP_UNDEFINED || op == DART_OP_MINMAX) {
    throw_error(DART_ERR_INVAL,
                "operation {} is not an atomic operation (expected {} to {}, except "
                "DART_OP_MINMAX)",
                op, static_cast<int>(DART_OP_MIN), static_cast<int>(DART_OP_NO_OP));
  }
  throw_error(DART_ERR_INVAL, "operation {} is bitwise, but data type {} is not an integer", op,
              type);
}

void check_alignment(const dart_gptr_t& gptr, std::uint64_t location, std::size_t size) {
  if (location % size == 0) return;
  throw_error(DART_ERR_INVAL,
              "an atomic operation on {} bytes at offset {} of unit {} (location {:#x}), not a "
              "multiple of {}",
              size, gptr.addr_or_offs.offset, static_cast<int>(gptr.unitid), location, size);
}

/// \throws exception::RuntimeError if a buffer is NULL
void check_not_null(const void* buffer, const char* name) {
  if (buffer == nullptr) throw_error(DART_ERR_INVAL, "{} of an atomic operation is NULL", name);
}

std::unique_ptr<Message> atomic_message(MessageKind kind, const RemoteAddress& remote,
                                        std::uint64_t offset, dart_datatype_t type,
                                        dart_operation_t op) {
  auto message = std::make_unique<Message>(kind);
  message->op = static_cast<std::uint8_t>(op);
  message->type = static_cast<std::uint8_t>(type);
  message->location = remote.location + offset;
  message->flags = remote.absolute ? Message::absolute_location : 0;
  return message;
}

void* aligned_on_node(const dart_gptr_t& gptr, std::size_t nbytes, std::size_t size) {
  void* const target = on_node_address(gptr, nbytes);
  if (target != nullptr) check_alignment(gptr, reinterpret_cast<std::uint64_t>(target), size);
  return target;
}

}  // namespace

RemoteAddress AtomicOperations::checked_address(const dart_gptr_t& gptr, std::size_t nbytes,
                                                std::size_t size) const {
  const RemoteAddress remote = _one_sided.checked_address(gptr, nbytes);
  check_alignment(gptr, remote.location, size);
  return remote;
}

exec::Operation AtomicOperations::start_accumulate(const dart_gptr_t& gptr, const void* values,
                                                   std::size_t nelem, dart_datatype_t type,
                                                   dart_operation_t op) {
  const Accumulate accumulate = defined(find_accumulate(op, type), op, type);
  const std::size_t nbytes = size_in_bytes(nelem, type);
  const std::size_t size = basic_type_sizes[type];
  if (nelem != 0 && op != DART_OP_NO_OP) check_not_null(values, "the operand");
  if (void* const target = aligned_on_node(gptr, nbytes, size)) {
    core::count(OperationKind::accumulate, OperationPath::memory, nbytes);
    accumulate(target, values, nelem);
    return {};
  }
  const RemoteAddress remote = checked_address(gptr, nbytes, size);
  if (nelem == 0) return {};
  core::count(OperationKind::accumulate, OperationPath::message, nbytes);
  return _one_sided.start_parts<Request>(gptr, [&](Request& request) {
    RmaDriver& driver = _one_sided.driver();
    request.set_source_parts(Request::all_parts);
    request.trace("accumulate", nbytes, remote.unit);
    for (std::size_t offset = 0; offset < nbytes; offset += Message::max_payload) {
      auto message = atomic_message(MessageKind::accumulate, remote, offset, type, op);
      const std::size_t length = std::min(Message::max_payload, nbytes - offset);
      message->nbytes = static_cast<std::uint32_t>(length);
      // DART_OP_NO_OP has no operand.
      if (op != DART_OP_NO_OP) {
        std::memcpy(message->payload.data(), static_cast<const char*>(values) + offset, length);
      }
      // Messages are handled in order: the reply to the last one acknowledges all of them.
      const bool last = offset + length == nbytes;
      driver.flow().wait_below_limit();
      if (last) request.add_part();
      driver.send(std::move(message), remote.unit, length, last ? &request : nullptr);
    }
  });
}

exec::Operation AtomicOperations::start_fetch_and_op(const dart_gptr_t& gptr, const void* value,
                                                     void* old, dart_datatype_t type,
                                                     dart_operation_t op) {
  const FetchAndOp fetch_and_op = defined(find_fetch_and_op(op, type), op, type);
  const std::size_t size = basic_type_sizes[type];
  if (op != DART_OP_NO_OP) check_not_null(value, "the operand");
  check_not_null(old, "the result");
  if (void* const target = aligned_on_node(gptr, size, size)) {
    core::count(OperationKind::atomic, OperationPath::memory, size);
    fetch_and_op(target, value, old);
    return {};
  }
  const RemoteAddress remote = checked_address(gptr, size, size);
  core::count(OperationKind::atomic, OperationPath::message, size);
  OneSided::OperationStart<Fetch> start(_one_sided, gptr, old);
  auto message = atomic_message(MessageKind::fetch_and_op, remote, 0, type, op);
  message->nbytes = static_cast<std::uint32_t>(size);
  if (op != DART_OP_NO_OP) std::memcpy(message->payload.data(), value, size);
  start.request().trace("fetch_and_op", size, remote.unit);
  _one_sided.driver().send(std::move(message), remote.unit, size, &start.request());
  return start.finish();
}

exec::Operation AtomicOperations::start_compare_and_swap(const dart_gptr_t& gptr, const void* value,
                                                         const void* compare, void* old,
                                                         dart_datatype_t type) {
  const std::size_t size = size_in_bytes(1, type);
  const CompareAndSwap compare_and_swap = find_compare_and_swap(type);
  check_not_null(value, "the new value");
  check_not_null(compare, "the value to compare with");
  check_not_null(old, "the result");
  if (void* const target = aligned_on_node(gptr, size, size)) {
    core::count(OperationKind::atomic, OperationPath::memory, size);
    compare_and_swap(target, value, compare, old);
    return {};
  }
  const RemoteAddress remote = checked_address(gptr, size, size);
  core::count(OperationKind::atomic, OperationPath::message, size);
  OneSided::OperationStart<Fetch> start(_one_sided, gptr, old);
  auto message = atomic_message(MessageKind::compare_and_swap, remote, 0, type, DART_OP_REPLACE);
  message->nbytes = static_cast<std::uint32_t>(2 * size);
  std::memcpy(message->payload.data(), value, size);
  std::memcpy(message->payload.data() + size, compare, size);
  start.request().trace("compare_and_swap", size, remote.unit);
  _one_sided.driver().send(std::move(message), remote.unit, size, &start.request());
  return start.finish();
}

}  // namespace dash::dart
