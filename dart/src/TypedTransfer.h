#pragma once

#include <span>

#include "RunLayout.h"
#include "dash/async/Operation.h"
#include "dash/core/Settings.h"
#include "dash/dart/Transfer.h"
#include "dash/dart/if/dart_globmem.h"

namespace dash::dart {

/// What the caller of a transfer does next: one that waits for it copies within a node by itself.
enum class Caller { goes_on, waits };

/// Starts a transfer between two layouts of equally many bytes, of which one at least is not
/// contiguous. Within a node it is complete on return, or queued if it is large.
/// \completion get: the data is in `dest`; put: remote
/// \throws Error if the access is not valid
exec::Operation start_typed_get(void* dest, const RunLayout& dest_layout, const dart_gptr_t& src,
                                const RunLayout& src_layout, Caller caller);
exec::Operation start_typed_put(const dart_gptr_t& dest, const RunLayout& dest_layout,
                                const void* src, const RunLayout& src_layout, Caller caller);

/// Runs at the target of this length on average are an MPI operation each; shorter ones share
/// messages.
inline std::size_t rma_run() noexcept {
  return core::settings().rma_run_min;
}

}  // namespace dash::dart
