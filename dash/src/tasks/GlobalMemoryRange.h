#pragma once

#include <cstddef>
#include <cstdint>

#include "dash/async/TaskGraph.h"
#include "dash/dart/if/dart_globmem.h"

namespace dash::tasks::internal {

/// A range of one unit's global memory in canonical form: the caller's own memory by addresses,
/// memory of other units by segment and offset.
struct GlobalMemoryRange {
  static constexpr std::int32_t own_memory = -1;

  int owner = 0;  // global id
  std::int32_t segment = own_memory;
  exec::MemoryRange range;

  bool operator==(const GlobalMemoryRange&) const = default;
  bool is_own() const noexcept { return segment == own_memory; }

  /// \throws exception::InvalidArgument if the range is not within a live allocation
  static GlobalMemoryRange of(const dart_gptr_t& gptr, std::size_t nbytes);
  /// \pre address belongs to this unit's global memory
  static GlobalMemoryRange of(const void* address, std::size_t nbytes);
};

}  // namespace dash::tasks::internal
