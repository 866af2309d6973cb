#pragma once

#include <span>
#include <vector>

#include "base/Caller.h"
#include "base/StridedLayout.h"
#include "dash/async/Operation.h"
#include "dash/core/Settings.h"
#include "dash/core/Statistics.h"
#include "dash/dart/if/dart_globmem.h"
#include "transfer/OneSided.h"

namespace dash::dart {

/// Transfers between two layouts with the same number of bytes.
/// \threads thread-safe
class TypedTransfers {
 public:
  explicit TypedTransfers(OneSided& one_sided) noexcept : _one_sided(one_sided) {}

  /// Start a transfer between two layouts, at least one of which is not contiguous. Within the node
  /// it is complete on return, or queued if it is large.
  /// \completion get: the data is in `dest`; put: remote
  /// \throws exception::RuntimeError if the access is not valid
  /// @{
  exec::Operation start_get(void* dest, const StridedLayout& dest_layout, const dart_gptr_t& src,
                            const StridedLayout& src_layout, Caller caller);
  exec::Operation start_put(const dart_gptr_t& dest, const StridedLayout& dest_layout,
                            const void* src, const StridedLayout& src_layout, Caller caller);
  /// @}

  /// Blocks at the target of at least this average length are an MPI operation each; shorter ones
  /// share messages.
  static std::size_t long_block() noexcept { return core::settings().rma_block_min; }

 private:
  exec::Operation copy_on_node(char* dest, const StridedLayout& dest_layout, const char* src,
                               const StridedLayout& src_layout, const dart_gptr_t& gptr,
                               Caller caller, core::OperationKind kind);
  exec::Operation put_long_blocks(const dart_gptr_t& dest, const StridedLayout& dest_layout,
                                  const RemoteAddress& remote, const char* src,
                                  StridedLayout src_layout);
  exec::Operation put_short_blocks(const dart_gptr_t& dest, const StridedLayout& dest_layout,
                                   const RemoteAddress& remote, const char* src,
                                   const StridedLayout& src_layout);
  exec::Operation get_long_blocks(char* dest, const StridedLayout& dest_layout,
                                  const dart_gptr_t& src, const RemoteAddress& remote,
                                  const StridedLayout& src_layout);
  exec::Operation get_short_blocks(char* dest, const StridedLayout& dest_layout,
                                   const dart_gptr_t& src, const RemoteAddress& remote,
                                   const StridedLayout& src_layout);

  OneSided& _one_sided;
};

}  // namespace dash::dart
