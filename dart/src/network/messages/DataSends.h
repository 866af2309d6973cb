#pragma once

#include <cstddef>
#include <cstdint>

#include "dash/core/Spin.h"
#include "network/rma/Request.h"

namespace dash::dart {

/// The data of this process's memory that MPI sends to units that have requested it. MPI may read the memory after the
/// other unit has received the data, so it must not be returned to the system before.
/// \threads thread-safe
class DataSends {
 public:
  /// Sending data of one range. It is in the list until the send is complete.
  class Send final : public Request {
   public:
    Send(DataSends& all, const char* data, std::uint32_t nbytes) noexcept;

   private:
    friend class DataSends;
    void finish() noexcept override;

    DataSends& _all;
    const char* const _begin;
    const char* const _end;
    Send* _next = nullptr;
    Send** _link = nullptr;  // points to this object: `_first`, or `_next` of the one before
  };

  /// Whether MPI sends data of the range.
  bool overlap(const char* begin, std::uint64_t nbytes) const noexcept;

 private:
  mutable core::SpinLock _lock;  // guards the list
  Send* _first = nullptr;
};

}  // namespace dash::dart
