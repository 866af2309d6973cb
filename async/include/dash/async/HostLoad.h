#pragma once

#include <array>
#include <atomic>
#include <cstdint>

#include "dash/core/CpuSet.h"
#include "dash/core/Export.h"

namespace dash::exec {

/// Processor use of all units of a host, in memory that the units share.
/// A thread that sleeps inside the library is not counted.
struct DASH_API HostLoad {
  /// Main threads and progress threads that are runnable. Like `occupied`, a hint for the choice of a processor.
  std::atomic<std::int32_t> awake{0};
  std::int32_t processors = 1;
  /// Number of changes of `occupied`. Its increments have release order and follow the change, so that a thread that
  /// reads the number with acquire sees the change.
  std::atomic<std::uint32_t> changes{0};
  /// Processors to which runnable main threads are bound.
  std::array<std::atomic<std::uint64_t>, core::CpuSet::capacity / 64> occupied{};

  void occupy(const core::CpuSet& set) noexcept;
  void vacate(const core::CpuSet& set) noexcept;
  /// \returns the processors of `set` that are not occupied
  core::CpuSet vacant(const core::CpuSet& set) const noexcept;
};

}  // namespace dash::exec
