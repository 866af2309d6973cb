#pragma once

/// \file
/// Replaces operator new by one that counts the allocations of the calling thread.

#include <cstddef>

inline thread_local std::size_t allocations = 0;

namespace dash::test {

inline bool allocation_fails(std::size_t /*nbytes*/, bool /*is_over_aligned*/ = false) noexcept {
  ++allocations;
  return false;
}

}  // namespace dash::test

#include "support/ReplaceNew.h"
