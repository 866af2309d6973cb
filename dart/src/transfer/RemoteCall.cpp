#include "transfer/RemoteCall.h"

#include <array>
#include <atomic>
#include <cstring>
#include <utility>

#include "transfer/OneSided.h"

namespace dash::dart {

namespace {

/// By segment id, as an unsigned number. Written while nobody asks.
std::atomic<CallService*>& service_of(std::int16_t segid) noexcept {
  static std::array<std::atomic<CallService*>, 65536> services{};
  return services[static_cast<std::uint16_t>(segid)];
}

/// Receives the reply.
class Call final : public Request {
 public:
  explicit Call(std::shared_ptr<CallReply> reply) noexcept
      : Request(OnePart()), _reply(std::move(reply)) {}

  void take_reply(const std::byte* payload, std::size_t nbytes) noexcept override {
    std::memcpy(_reply->bytes.data(), payload, nbytes);
    _reply->nbytes = nbytes;
  }

 private:
  std::shared_ptr<CallReply> _reply;
};

}  // namespace

CallService* find_service(std::int16_t segid) noexcept {
  return service_of(segid).load(std::memory_order_acquire);
}

void add_service(const dart_gptr_t& segment, CallService& service) noexcept {
  service_of(segment.segid).store(&service, std::memory_order_release);
}

void remove_service(const dart_gptr_t& segment) noexcept {
  service_of(segment.segid).store(nullptr, std::memory_order_release);
}

exec::Operation call_async(const dart_gptr_t& target, const void* request, std::size_t nbytes,
                           std::shared_ptr<CallReply> reply) {
  static_assert(CallService::max_bytes == Message::max_payload);
  return translated([&] {
    if (nbytes > CallService::max_bytes) {
      throw_error(DART_ERR_INVAL, "a request of {} bytes; at most {} are expected", nbytes,
                  CallService::max_bytes);
    }
    Runtime::get();
    const RemoteAddress place = remote_place(GlobalMemory::check(target, 0), target);
    return start_operation<Call>(
        target,
        [&](RmaDriver& driver, Request& call) {
          auto message = std::make_unique<Message>(MessageKind::call);
          message->value = static_cast<std::uint16_t>(target.segid);
          message->nbytes = nbytes;
          std::memcpy(message->payload.data(), request, nbytes);
          call.trace("call", nbytes, place.unit);
          driver.send(std::move(message), place.unit, nbytes, &call);
        },
        std::move(reply));
  });
}

}  // namespace dash::dart
