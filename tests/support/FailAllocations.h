#pragma once

/// \file
/// Replaces operator new by one that can be made to fail in the calling thread. For one translation unit of a
/// program.

#include <cstddef>

namespace dash::test {

/// Number of allocations of this thread until one fails; 0: none fails.
inline thread_local std::size_t allocations_left = 0;
/// Smaller allocations are not counted.
inline thread_local std::size_t min_allocation = 0;

/// Makes the n-th allocation of this thread during the lifetime of the object fail, and no other one.
/// \param least  size in bytes of the smallest allocation that is counted. Unless it is 0, over-aligned
///               allocations are not counted: these are messages between units, and a failure would
///               end the job.
class FailAllocation {
 public:
  explicit FailAllocation(std::size_t n, std::size_t least = 0) {
    allocations_left = n;
    min_allocation = least;
  }
  ~FailAllocation() { allocations_left = 0; }
  FailAllocation(const FailAllocation&) = delete;
  FailAllocation& operator=(const FailAllocation&) = delete;

  bool has_failed() const { return allocations_left == 0; }
};

inline bool allocation_fails(std::size_t nbytes, bool is_over_aligned = false) noexcept {
  const bool counts = nbytes >= min_allocation && (min_allocation == 0 || !is_over_aligned);
  return allocations_left != 0 && counts && --allocations_left == 0;
}

}  // namespace dash::test

#include "support/ReplaceNew.h"
