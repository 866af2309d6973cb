#pragma once

#include <cstddef>
#include <vector>

#include "dash/algorithm/internal/sort/SortKernel.h"
#include "dash/core/Export.h"

namespace dash::internal {

/// Sorts native memory with several workers: each sorts a part, then the parts are merged.
/// \cost memory for a copy of the elements with several workers or a stable order
DASH_API void sort_native(void* elements, std::size_t size, const SortKernel& kernel, int workers);

/// Merges adjacent sorted sequences pairwise, with several workers.
/// \param bounds  index of the first element of each sequence, and the end of the last one
/// \param other  buffer of the same size
/// \returns the buffer that contains the result: `elements` or `other`
/// \cost ceil(log2(number of sequences)) passes
DASH_API void* merge_sequences(std::vector<std::size_t> bounds, void* elements, void* other,
                               const SortKernel& kernel, int workers);

/// Copies native memory with several workers. Source and target must not overlap.
DASH_API void copy_native(const void* from, std::size_t nbytes, void* to, int workers);

}  // namespace dash::internal
