#pragma once

#include <cstddef>
#include <vector>

#include "dash/algorithm/internal/sort/SortKernel.h"
#include "dash/core/Export.h"

namespace dash::internal {

/// Sorts native memory by all workers: each a part, which are merged then.
/// \cost with several workers, and to be stable, as much memory again
DASH_API void sort_native(void* elements, std::size_t size, const SortKernel& kernel, int workers);

/// Merges sorted sequences that follow each other in memory, two by two by all workers.
/// \param bounds  where the sequences begin, and where the last one ends
/// \param other   as much memory
/// \returns which of the two has the result
/// \cost so many passes as the number of sequences has binary digits, less one for powers of two
DASH_API void* merge_sequences(std::vector<std::size_t> bounds, void* elements, void* other,
                               const SortKernel& kernel, int workers);

/// Copies native memory by all workers. The two must not overlap.
DASH_API void copy_native(const void* from, std::size_t nbytes, void* to, int workers);

}  // namespace dash::internal
