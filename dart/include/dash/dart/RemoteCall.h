#pragma once

/// \file
/// Requests to units of other nodes. The target's polling thread handles them without a call by
/// its application. Growing containers use them. Within a node, units access each other's memory
/// directly. Internal to the library.

#include <array>
#include <cstddef>
#include <memory>
#include <span>

#include "dash/async/Operation.h"
#include "dash/core/Export.h"
#include "dash/dart/if/dart_globmem.h"

namespace dash::dart {

/// Handles the requests of other units that concern one segment of global memory.
class DASH_API CallService {
 public:
  /// Maximum size of a request, and of a reply.
  static constexpr std::size_t max_bytes = 4096;

  CallService() = default;
  CallService(const CallService&) = delete;
  CallService& operator=(const CallService&) = delete;
  virtual ~CallService() = default;

  /// Handles a request. It runs on the polling thread, which may be the progress thread, under the
  /// poll lock: it must neither wait nor call code of the application.
  /// \param request  aligned for any basic type
  /// \param reply    buffer of max_bytes bytes
  /// \returns bytes of the reply
  virtual std::size_t serve(std::span<const std::byte> request, std::byte* reply) noexcept = 0;
};

/// Directs the requests to this unit that concern a segment to a service, until remove_service().
/// \pre no unit has sent a request yet, or may send one after the removal; a barrier ensures both
/// \blocks never  \threads thread-safe
DASH_API void add_service(const dart_gptr_t& segment, CallService& service) noexcept;
DASH_API void remove_service(const dart_gptr_t& segment) noexcept;

/// The reply to a request.
struct CallReply {
  alignas(16) std::array<std::byte, CallService::max_bytes> bytes;
  std::size_t nbytes = 0;
};

/// Sends a request to the unit of `target` that concerns its segment.
/// \param request  at most CallService::max_bytes bytes; read before the call returns
/// \param reply    filled on completion; the operation shares its ownership until then
/// \pre the unit is on another node
/// \completion the returned operation: the reply has arrived. Flushes of the segment, and barriers,
///             wait for it, too
/// \blocks never, except while too many operations are in flight  \threads thread-safe
/// \throws exception::InvalidArgument if the target is not within a live segment
/// \cost a message and its reply
DASH_API exec::Operation call_async(const dart_gptr_t& target, const void* request,
                                    std::size_t nbytes, std::shared_ptr<CallReply> reply);

}  // namespace dash::dart
