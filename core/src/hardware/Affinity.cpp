#include <pthread.h>
#include <sched.h>

#include <cerrno>
#include <system_error>
#include <vector>

#include "dash/Exception.h"
#include "dash/core/Topology.h"

namespace dash::core {
namespace {

// The kernel's sets have no fixed size: it rejects a buffer for fewer processors than it supports.
constexpr std::size_t kernel_capacity = 16384;
using KernelMask = std::vector<cpu_set_t>;

constexpr std::size_t kernel_bytes = CPU_ALLOC_SIZE(kernel_capacity);

KernelMask empty_mask() {
  return KernelMask((kernel_bytes + sizeof(cpu_set_t) - 1) / sizeof(cpu_set_t));
}

std::string error_text(int error) {
  return std::generic_category().message(error);
}

}  // namespace

void bind_this_thread(const CpuSet& cpus) {
  if (cpus.empty()) {
    DASH_THROW(exception::InvalidArgument,
               "bind_this_thread: the set of processors is empty; give at least one");
  }
  KernelMask mask = empty_mask();
  for (const int cpu : cpus) {
    CPU_SET_S(static_cast<std::size_t>(cpu), kernel_bytes, mask.data());
  }
  const int error = pthread_setaffinity_np(pthread_self(), kernel_bytes, mask.data());
  if (error != 0) {
    DASH_THROW(exception::RuntimeError, "pthread_setaffinity_np to processors "
                                            << cpus.to_string() << " failed: " << error << " ("
                                            << error_text(error) << "); allowed are "
                                            << this_thread_affinity().to_string());
  }
}

CpuSet this_thread_affinity() {
  KernelMask mask = empty_mask();
  const int error = pthread_getaffinity_np(pthread_self(), kernel_bytes, mask.data());
  if (error != 0) {
    DASH_THROW(exception::RuntimeError,
               "pthread_getaffinity_np failed: " << error << " (" << error_text(error) << ")");
  }
  CpuSet result;
  for (int cpu = 0; cpu < CpuSet::capacity; ++cpu) {
    if (CPU_ISSET_S(static_cast<std::size_t>(cpu), kernel_bytes, mask.data())) {
      result.set(cpu);
    }
  }
  return result;
}

}  // namespace dash::core
