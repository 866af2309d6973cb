#pragma once

#include <cstddef>
#include <memory>

#include "dash/async/Operation.h"
#include "dash/dart/RemoteCall.h"
#include "transfer/OneSided.h"

namespace dash::dart {

/// Sends requests to the services of other units, and handles the requests of other units.
/// \threads thread-safe
class RemoteCalls {
 public:
  explicit RemoteCalls(OneSided& one_sided);
  RemoteCalls(const RemoteCalls&) = delete;
  RemoteCalls& operator=(const RemoteCalls&) = delete;

  /// See call_async(). \throws exception::RuntimeError
  exec::Operation start(const dart_gptr_t& target, const void* request, std::size_t nbytes,
                        std::shared_ptr<CallReply> reply);

 private:
  OneSided& _one_sided;
};

}  // namespace dash::dart
