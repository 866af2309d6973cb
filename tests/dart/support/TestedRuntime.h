#pragma once

/// \file
/// The runtime that a test of internal classes examines.

#include "api/Runtime.h"

namespace dash::test {

/// \pre the runtime is initialized
inline dart::Runtime& tested_runtime() {
  return dart::Runtime::get();
}

}  // namespace dash::test
