#pragma once

#include "dash/Types.h"
#include "dash/matrix/MatrixRef.h"
#include "dash/memory/MemorySpace.h"

namespace dash {

/// Consecutive elements of an Array, addressed by indices relative to the first of them. Valid
/// until the Array is deallocated; iterators remain valid after the view is destroyed.
/// \ingroup containers
template <class T, typename IndexType, class PatternType, class LocalMemSpace = HostSpace>
using ArrayRef = MatrixRef<T, 1, 1, PatternType, LocalMemSpace>;

}  // namespace dash
