#include "transfer/AtomicOperation.h"

#include <algorithm>
#include <cstring>
#include <memory>

#include "base/Atomics.h"
#include "transfer/OneSided.h"
#include "base/Types.h"
#include "dash/core/Statistics.h"
#include "dash/dart/Atomic.h"

namespace dash::dart {

namespace {

using core::OperationKind;
using core::OperationPath;

/// Receives the old value.
class Fetch final : public Request {
 public:
  explicit Fetch(void* old) noexcept : Request(OnePart()), _old(old) {}

  void take_reply(const std::byte* payload, std::size_t nbytes) noexcept override {
    std::memcpy(_old, payload, nbytes);
  }

 private:
  void* _old;
};

template <class Function>
Function defined(Function function, dart_operation_t op, dart_datatype_t type) {
  if (function != nullptr) return function;
  size_in_bytes(0, type);  // says if it is the type
  if (op >= DART_OP_LAST || op == DART_OP_UNDEFINED || op == DART_OP_MINMAX) {
    throw_error(DART_ERR_INVAL,
                "operation {} is not one of an atomic (predefined ones between {} and {}, but not "
                "DART_OP_MINMAX)",
                op, static_cast<int>(DART_OP_MIN), static_cast<int>(DART_OP_NO_OP));
  }
  throw_error(DART_ERR_INVAL, "operation {} is bitwise, but data type {} is not an integer", op,
              type);
}

void check_alignment(const dart_gptr_t& gptr, std::uint64_t place, std::size_t size) {
  if (place % size == 0) return;
  throw_error(DART_ERR_INVAL,
              "an atomic on {} bytes at offset {} of unit {} (at {:#x} there), which is not a "
              "multiple of {}",
              size, gptr.addr_or_offs.offset, static_cast<int>(gptr.unitid), place, size);
}

/// \throws Error if the operand or what else is needed is missing
void check_given(const void* buffer, const char* name) {
  if (buffer == nullptr) throw_error(DART_ERR_INVAL, "{} of an atomic operation is NULL", name);
}

/// Where a message finds the memory. \throws Error if the access is not valid
RemoteAddress checked_place(const dart_gptr_t& gptr, std::size_t nbytes, std::size_t size) {
  Runtime::get();
  const RemoteAddress place = remote_place(GlobalMemory::check(gptr, nbytes), gptr);
  check_alignment(gptr, place.place, size);
  return place;
}

std::unique_ptr<Message> atomic_message(MessageKind kind, const RemoteAddress& place,
                                        std::uint64_t offset, dart_datatype_t type,
                                        dart_operation_t op) {
  auto message = std::make_unique<Message>(kind);
  message->op = static_cast<std::uint8_t>(op);
  message->type = static_cast<std::uint8_t>(type);
  message->place = place.place + offset;
  message->flags = place.absolute ? Message::absolute_place : 0;
  return message;
}

void* aligned_on_node(const dart_gptr_t& gptr, std::size_t nbytes, std::size_t size) {
  void* const target = on_node_address(gptr, nbytes);
  if (target != nullptr) check_alignment(gptr, reinterpret_cast<std::uint64_t>(target), size);
  return target;
}

}  // namespace

exec::Operation start_accumulate(const dart_gptr_t& gptr, const void* values, std::size_t nelem,
                                 dart_datatype_t type, dart_operation_t op) {
  const Accumulate accumulate = defined(find_accumulate(op, type), op, type);
  const std::size_t nbytes = size_in_bytes(nelem, type);
  const std::size_t size = basic_type_sizes[type];
  if (nelem != 0 && op != DART_OP_NO_OP) check_given(values, "the operand");
  if (void* const target = aligned_on_node(gptr, nbytes, size)) {
    core::count(OperationKind::accumulate, OperationPath::memory, nbytes);
    accumulate(target, values, nelem);
    return {};
  }
  const RemoteAddress place = checked_place(gptr, nbytes, size);
  if (nelem == 0) return {};
  core::count(OperationKind::accumulate, OperationPath::message, nbytes);
  return start_parts<Request>(gptr, [&](RmaDriver& driver, Request& request) {
    request.source_done_with(Request::all_parts);
    request.trace("accumulate", nbytes, place.unit);
    for (std::size_t offset = 0; offset < nbytes; offset += Message::max_payload) {
      auto message = atomic_message(MessageKind::accumulate, place, offset, type, op);
      const std::size_t length = std::min(Message::max_payload, nbytes - offset);
      message->nbytes = length;
      // The operand of DART_OP_NO_OP may be missing.
      if (op != DART_OP_NO_OP) {
        std::memcpy(message->payload.data(), static_cast<const char*>(values) + offset, length);
      }
      // Messages are served in order: the answer to the last one is that to all.
      const bool last = offset + length == nbytes;
      driver.wait_for_room();
      if (last) request.add_part();
      driver.send(std::move(message), place.unit, length, last ? &request : nullptr);
    }
  });
}

exec::Operation start_fetch_and_op(const dart_gptr_t& gptr, const void* value, void* old,
                                   dart_datatype_t type, dart_operation_t op) {
  const FetchAndOp fetch_and_op = defined(find_fetch_and_op(op, type), op, type);
  const std::size_t size = basic_type_sizes[type];
  if (op != DART_OP_NO_OP) check_given(value, "the operand");
  check_given(old, "the result");
  if (void* const target = aligned_on_node(gptr, size, size)) {
    core::count(OperationKind::atomic, OperationPath::memory, size);
    fetch_and_op(target, value, old);
    return {};
  }
  const RemoteAddress place = checked_place(gptr, size, size);
  core::count(OperationKind::atomic, OperationPath::message, size);
  return start_operation<Fetch>(
      gptr,
      [&](RmaDriver& driver, Request& request) {
        auto message = atomic_message(MessageKind::fetch_and_op, place, 0, type, op);
        message->nbytes = size;
        if (op != DART_OP_NO_OP) std::memcpy(message->payload.data(), value, size);
        request.trace("fetch_and_op", size, place.unit);
        driver.send(std::move(message), place.unit, size, &request);
      },
      old);
}

exec::Operation start_compare_and_swap(const dart_gptr_t& gptr, const void* value,
                                       const void* compare, void* old, dart_datatype_t type) {
  const std::size_t size = size_in_bytes(1, type);
  const CompareAndSwap compare_and_swap = find_compare_and_swap(type);
  check_given(value, "the new value");
  check_given(compare, "the value to compare with");
  check_given(old, "the result");
  if (void* const target = aligned_on_node(gptr, size, size)) {
    core::count(OperationKind::atomic, OperationPath::memory, size);
    compare_and_swap(target, value, compare, old);
    return {};
  }
  const RemoteAddress place = checked_place(gptr, size, size);
  core::count(OperationKind::atomic, OperationPath::message, size);
  return start_operation<Fetch>(
      gptr,
      [&](RmaDriver& driver, Request& request) {
        auto message =
            atomic_message(MessageKind::compare_and_swap, place, 0, type, DART_OP_REPLACE);
        message->nbytes = 2 * size;
        std::memcpy(message->payload.data(), value, size);
        std::memcpy(message->payload.data() + size, compare, size);
        request.trace("compare_and_swap", size, place.unit);
        driver.send(std::move(message), place.unit, size, &request);
      },
      old);
}

exec::Operation accumulate_async(dart_gptr_t target, const void* values, std::size_t nelem,
                                 dart_datatype_t type, dart_operation_t op) {
  return translated([&] { return start_accumulate(target, values, nelem, type, op); });
}

exec::Operation fetch_op_async(dart_gptr_t target, const void* value, void* old,
                               dart_datatype_t type, dart_operation_t op) {
  return translated([&] { return start_fetch_and_op(target, value, old, type, op); });
}

exec::Operation compare_and_swap_async(dart_gptr_t target, const void* value, const void* compare,
                                       void* old, dart_datatype_t type) {
  return translated([&] { return start_compare_and_swap(target, value, compare, old, type); });
}

}  // namespace dash::dart
