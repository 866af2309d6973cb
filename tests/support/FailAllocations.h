#pragma once

/// \file
/// Replaces operator new by one that fails when the calling thread is told to. For one translation
/// unit of a program.

#include <cstddef>

namespace dash::test {

/// Allocations of this thread until one fails; 0: none does.
inline thread_local std::size_t allocations_left = 0;
/// Those of fewer bytes do not count.
inline thread_local std::size_t least_allocation = 0;

/// The n-th allocation of this thread from here on fails, while this lives; only that one.
/// \param least  bytes of the smallest one that counts. Unless it is 0, over-aligned ones do not: those are
///               messages by which units serve each other, and who has no memory for them ends the job.
class FailAllocation {
 public:
  explicit FailAllocation(std::size_t n, std::size_t least = 0) {
    allocations_left = n;
    least_allocation = least;
  }
  ~FailAllocation() { allocations_left = 0; }
  FailAllocation(const FailAllocation&) = delete;
  FailAllocation& operator=(const FailAllocation&) = delete;

  bool has_failed() const { return allocations_left == 0; }
};

inline bool allocation_fails(std::size_t nbytes, bool is_over_aligned = false) noexcept {
  const bool counts = nbytes >= least_allocation && (least_allocation == 0 || !is_over_aligned);
  return allocations_left != 0 && counts && --allocations_left == 0;
}

}  // namespace dash::test

#include "support/ReplaceNew.h"
