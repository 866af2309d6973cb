#pragma once

/// \file
/// Requests that a unit serves for others without being asked by its program: what containers whose
/// memory grows stand on between nodes. On a node they reach each other's memory directly.

#include <array>
#include <cstddef>
#include <memory>
#include <span>

#include "dash/async/Operation.h"
#include "dash/core/Export.h"
#include "dash/dart/if/dart_globmem.h"

namespace dash::dart {

/// Serves the requests that other units have concerning one segment of global memory.
class DASH_API CallService {
 public:
  /// Of a request, and of a reply.
  static constexpr std::size_t max_bytes = 4096;

  CallService() = default;
  CallService(const CallService&) = delete;
  CallService& operator=(const CallService&) = delete;
  virtual ~CallService() = default;

  /// Does what the request asks for. Runs on whatever thread polls, the progress thread included,
  /// with its lock held: it must neither wait nor run a user's code.
  /// \param request  aligned for any basic type    \param reply  has room for max_bytes
  /// \returns bytes of the reply
  virtual std::size_t serve(std::span<const std::byte> request, std::byte* reply) noexcept = 0;
};

/// From here on requests to this unit about the segment are the service's; until remove_service().
/// Before it is called nobody may have asked, and afterwards nobody may any more: a barrier does it.
/// \threads any   \blocks never
DASH_API void add_service(const dart_gptr_t& segment, CallService& service) noexcept;
DASH_API void remove_service(const dart_gptr_t& segment) noexcept;

/// What a request is answered with.
struct CallReply {
  alignas(16) std::array<std::byte, CallService::max_bytes> bytes;
  std::size_t nbytes = 0;
};

/// Sends a request to the unit of `target`, about its segment.
/// \param request  at most CallService::max_bytes; is read before the call returns
/// \param reply    is filled; the operation keeps it for as long as it needs it
/// \pre the unit is on another node
/// \completion the returned operation: the reply is there. Flushes of the segment, and barriers,
///             complete it, too
/// \blocks never, except while too many operations are in flight   \threads any
/// \throws exception::InvalidArgument if the target is not within a live segment
/// \cost a message and its answer
DASH_API exec::Operation call_async(const dart_gptr_t& target, const void* request,
                                    std::size_t nbytes, std::shared_ptr<CallReply> reply);

}  // namespace dash::dart
