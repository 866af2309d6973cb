#include "dash/async/HostLoad.h"

namespace dash::exec {

void HostLoad::occupy(const core::CpuSet& set) noexcept {
  for (const int cpu : set) {
    occupied[static_cast<std::size_t>(cpu) / 64].fetch_or(std::uint64_t{1} << (cpu % 64),
                                                          std::memory_order_relaxed);
  }
  changes.fetch_add(1, std::memory_order_release);
}

void HostLoad::vacate(const core::CpuSet& set) noexcept {
  for (const int cpu : set) {
    occupied[static_cast<std::size_t>(cpu) / 64].fetch_and(~(std::uint64_t{1} << (cpu % 64)),
                                                           std::memory_order_relaxed);
  }
  changes.fetch_add(1, std::memory_order_release);
}

core::CpuSet HostLoad::vacant(const core::CpuSet& set) const noexcept {
  core::CpuSet result;
  for (const int cpu : set) {
    const std::uint64_t word =
        occupied[static_cast<std::size_t>(cpu) / 64].load(std::memory_order_relaxed);
    if ((word >> (cpu % 64) & 1) == 0) result.set(cpu);
  }
  return result;
}

}  // namespace dash::exec
