#pragma once

#include "dash/Types.h"
#include "dash/matrix/MatrixRef.h"
#include "dash/memory/MemorySpace.h"

namespace dash {

/// Consecutive elements of an Array, addressed by indices relative to the first of them.
/// Valid for as long as the Array is allocated; iterators stay valid when the view is gone.
template <class T, typename IndexType, class PatternType, class LocalMemSpace = HostSpace>
using ArrayRef = MatrixRef<T, 1, 1, PatternType, LocalMemSpace>;

}  // namespace dash
