#pragma once

#include <span>
#include <vector>

#include "base/StridedLayout.h"
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
exec::Operation start_typed_get(void* dest, const StridedLayout& dest_layout, const dart_gptr_t& src,
                                const StridedLayout& src_layout, Caller caller);
exec::Operation start_typed_put(const dart_gptr_t& dest, const StridedLayout& dest_layout,
                                const void* src, const StridedLayout& src_layout, Caller caller);

/// Starts an operation, and keeps it among others: what is in flight is never lost to an exception.
template <class Start>
void start_kept(std::vector<exec::Operation>& operations, Start start) {
  operations.emplace_back();  // before anything is in flight
  operations.back() = start();
  if (!operations.back().state()) operations.pop_back();
}

/// get_runs_async() and put_runs_async() as several operations.
/// \param operations  to which they are added, also if it throws
void start_runs_get(dart_gptr_t src, std::span<const TransferRun> runs,
                    std::vector<exec::Operation>& operations);
void start_runs_put(dart_gptr_t dest, std::span<const TransferRun> runs,
                    std::vector<exec::Operation>& operations);

/// Runs at the target of this length on average are an MPI operation each; shorter ones share
/// messages.
inline std::size_t rma_run() noexcept {
  return core::settings().rma_run_min;
}

}  // namespace dash::dart
