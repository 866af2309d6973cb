#pragma once

#include <dash/async/FunctionRef.h>

namespace lulesh {

/// Calls body(0) ... body(n - 1), in any order and possibly concurrently. The program that runs the
/// solver chooses the implementation.
using Loop = dash::exec::FunctionRef<void(int n, dash::exec::FunctionRef<void(int)> body)>;

}  // namespace lulesh
