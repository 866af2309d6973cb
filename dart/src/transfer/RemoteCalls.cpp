#include "transfer/RemoteCalls.h"

#include <array>
#include <atomic>
#include <cstring>
#include <utility>

#include "base/Error.h"

namespace dash::dart {

namespace {

/// The service of a segment, by its id. Stored with release and loaded with acquire: a handler sees the
/// constructed service. In .bss: only pages with ids in use are ever accessed.
std::atomic<CallService*>& service_of(std::int16_t segid) noexcept {
  static std::array<std::atomic<CallService*>, 65536> services{};
  return services[static_cast<std::uint16_t>(segid)];
}

/// Stores the reply in the caller's buffer.
class Call final : public Request {
 public:
  explicit Call(std::shared_ptr<CallReply> reply) noexcept
      : Request(Parts{1}), _reply(std::move(reply)) {}

  void take_reply(const std::byte* payload, std::size_t nbytes) noexcept override {
    std::memcpy(_reply->bytes.data(), payload, nbytes);
    _reply->nbytes = nbytes;
  }

 private:
  std::shared_ptr<CallReply> _reply;
};

void handle_call(void* messenger, int source, const Message& message, FinishedParts& /*finished*/) {
  alignas(16) std::array<std::byte, CallService::max_bytes> reply;
  CallService* const service =
      service_of(static_cast<std::int16_t>(message.value)).load(std::memory_order_acquire);
  const std::size_t nbytes =
      service == nullptr ? 0
                         : service->serve({message.payload.data(), message.nbytes}, reply.data());
  static_cast<Messenger*>(messenger)->reply(source, message.token, reply.data(), nbytes);
}

}  // namespace

void add_service(const dart_gptr_t& segment, CallService& service) noexcept {
  service_of(segment.segid).store(&service, std::memory_order_release);
}

void remove_service(const dart_gptr_t& segment) noexcept {
  service_of(segment.segid).store(nullptr, std::memory_order_release);
}

RemoteCalls::RemoteCalls(OneSided& one_sided) : _one_sided(one_sided) {
  Messenger& messenger = one_sided.driver().messenger();
  messenger.set_handler(MessageKind::call, &messenger, handle_call);
}

exec::Operation RemoteCalls::start(const dart_gptr_t& target, const void* request,
                                   std::size_t nbytes, std::shared_ptr<CallReply> reply) {
  static_assert(CallService::max_bytes == Message::max_payload);
  if (nbytes > CallService::max_bytes) {
    throw_error(DART_ERR_INVAL, "a request of {} bytes; at most {} are expected", nbytes,
                CallService::max_bytes);
  }
  const RemoteAddress remote = _one_sided.checked_address(target, 0);
  OneSided::OperationStart<Call> start(_one_sided, target, std::move(reply));
  auto message = std::make_unique<Message>(MessageKind::call);
  message->value = static_cast<std::uint16_t>(target.segid);
  message->nbytes = static_cast<std::uint32_t>(nbytes);
  std::memcpy(message->payload.data(), request, nbytes);
  start.request().trace("call", nbytes, remote.unit);
  _one_sided.driver().send(std::move(message), remote.unit, nbytes, &start.request());
  return start.finish();
}

}  // namespace dash::dart
