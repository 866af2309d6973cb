#include <climits>

#include "api/Boundary.h"
#include "dash/core/Trace.h"
#include "dash/dart/Collective.h"
#include "dash/dart/TaskMessage.h"
#include "dash/dart/if/dart_communication.h"

namespace core = dash::core;
namespace dart = dash::dart;

namespace {

template <class Buffer>
dart::MessageEnd<Buffer> checked_end(dart::Runtime& runtime, Buffer buffer, size_t nelem,
                                     dart_datatype_t dtype, int tag, dart_global_unit_t unit,
                                     const char* role) {
  if (unit.id < 0 || unit.id >= runtime.all().size()) {
    dart::throw_error(DART_ERR_INVAL, "the {} is unit {}, but there are units 0 to {}", role,
                      unit.id, runtime.all().size() - 1);
  }
  const int largest_tag = runtime.two_sided().largest_tag();
  if (tag < 0 || tag > largest_tag) {
    dart::throw_error(DART_ERR_INVAL, "tag {} is not between 0 and {}", tag, largest_tag);
  }
  if (nelem > INT_MAX) {
    dart::throw_error(DART_ERR_INVAL, "{} elements are more than a message may have ({})", nelem,
                      INT_MAX);
  }
  const std::size_t size = runtime.types().element_bytes(dtype);
  if (buffer == nullptr && nelem != 0) {
    dart::throw_error(DART_ERR_INVAL, "the buffer is NULL, for {} elements", nelem);
  }
  return {buffer, nelem, size, tag, unit.id};
}

}  // namespace

extern "C" {

dart_ret_t dart_send(const void* sendbuf, size_t nelem, dart_datatype_t dtype, int tag,
                     dart_global_unit_t dest) noexcept {
  return dart::with_runtime("dart_send", [&](dart::Runtime& runtime) {
    const auto message = checked_end(runtime, sendbuf, nelem, dtype, tag, dest, "destination");
    const core::TraceSpan traced(core::TraceKind::operation, "send", message.nbytes(), dest.id);
    runtime.two_sided().send(message);
  });
}

dart_ret_t dart_recv(void* recvbuf, size_t nelem, dart_datatype_t dtype, int tag,
                     dart_global_unit_t src) noexcept {
  return dart::with_runtime("dart_recv", [&](dart::Runtime& runtime) {
    const auto message = checked_end(runtime, recvbuf, nelem, dtype, tag, src, "source");
    const core::TraceSpan traced(core::TraceKind::operation, "receive", message.nbytes(), src.id);
    runtime.two_sided().recv(message);
  });
}

dart_ret_t dart_sendrecv(const void* sendbuf, size_t send_nelem, dart_datatype_t send_dtype,
                         int send_tag, dart_global_unit_t dest, void* recvbuf, size_t recv_nelem,
                         dart_datatype_t recv_dtype, int recv_tag,
                         dart_global_unit_t src) noexcept {
  return dart::with_runtime("dart_sendrecv", [&](dart::Runtime& runtime) {
    const auto out =
        checked_end(runtime, sendbuf, send_nelem, send_dtype, send_tag, dest, "destination");
    const auto in = checked_end(runtime, recvbuf, recv_nelem, recv_dtype, recv_tag, src, "source");
    const core::TraceSpan sending(core::TraceKind::operation, "send", out.nbytes(), dest.id);
    const core::TraceSpan receiving(core::TraceKind::operation, "receive", in.nbytes(), src.id);
    runtime.two_sided().sendrecv(out, in);
  });
}

}  // extern "C"

namespace dash::dart {

void exchange_messages(std::span<const std::byte> send, int to, std::span<std::byte> recv,
                       int from) {
  TwoSided& two_sided = Runtime::get().two_sided();
  const int tag = two_sided.collective_tag();
  two_sided.sendrecv({send.data(), send.size(), 1, tag, to},
                     {recv.data(), recv.size(), 1, tag, from});
}

OutgoingMessage::OutgoingMessage(int unit, std::size_t nbytes, MessageRole role) {
  Runtime::get().task_messages().reserve(*this, unit, nbytes, role);
}

void set_message_batches(MessageBatches& batches) {
  Runtime::get().task_messages().set_batches(batches);
}

void set_message_receiver(MessageReceiver receiver) {
  Runtime::get().task_messages().set_receiver(receiver);
}

}  // namespace dash::dart
