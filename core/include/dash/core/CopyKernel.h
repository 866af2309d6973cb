#pragma once

#include <cstddef>
#include <string_view>

#include "dash/core/Export.h"

namespace dash::core {

/// Copies `n` bytes between ranges that do not overlap: by `memcpy` below `settings().nontemporal_min`,
/// else by `copy_nontemporal`. A caller that divides a long copy into chunks has to choose once, by the
/// size of the whole copy.
/// \threads thread-safe   \completion a release store of the caller publishes the copy
DASH_API void copy_bytes(void* dst, const void* src, std::size_t n) noexcept;

/// Copies `n` bytes between ranges that do not overlap, bypassing the caches for the destination: for copies
/// so large that they would only evict other data. Any alignment.
/// \threads thread-safe
/// \completion ends with a store fence: a release store of the caller publishes the copy
DASH_API void copy_nontemporal(void* dst, const void* src, std::size_t n) noexcept;

/// The instruction set that `copy_nontemporal` chose for this processor: "avx512f", "avx2", "sse2",
/// or "memcpy" if the processor has no non-temporal stores.
DASH_API std::string_view copy_kernel_name() noexcept;

/// As `copy_nontemporal`, with the given instruction set: for tests and benchmarks.
/// \returns false, without copying, if this processor does not support it
DASH_API bool copy_nontemporal_by(std::string_view kernel, void* dst, const void* src,
                                  std::size_t n) noexcept;

/// Copies `nblocks` blocks of `blocklen` bytes: block i from `src + i*src_stride` to `dst +
/// i*dst_stride`. The destination does not overlap the source, and its blocks do not overlap each
/// other. Packs a column with `dst_stride == blocklen`, unpacks one with `src_stride == blocklen`.
/// \param   src_stride, dst_stride bytes
/// \threads thread-safe
DASH_API void copy_strided(void* dst, const void* src, std::size_t blocklen, std::size_t src_stride,
                           std::size_t dst_stride, std::size_t nblocks) noexcept;

}  // namespace dash::core
