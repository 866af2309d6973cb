#pragma once

#include <cstddef>
#include <cstring>

#include "dash/async/CopyJob.h"
#include "dash/core/CopyKernel.h"
#include "dash/core/Settings.h"

namespace dash::exec {

/// A copy of contiguous memory.
class BytesCopy final : public CopyJob {
 public:
  BytesCopy(void* dest, const void* src, std::size_t nbytes) noexcept
      : CopyJob(dest, src, nbytes, chunk_bytes()),
        _to(static_cast<char*>(dest)),
        _from(static_cast<const char*>(src)),
        _nontemporal(nbytes >= core::settings().nontemporal_min) {}

 private:
  void copy(std::size_t begin, std::size_t length) noexcept override {
    if (_nontemporal) {
      core::copy_nontemporal(_to + begin, _from + begin, length);
    } else {
      std::memcpy(_to + begin, _from + begin, length);
    }
  }

  char* const _to;
  const char* const _from;
  const bool _nontemporal;  // depends on the size of the whole copy
};

}  // namespace dash::exec
