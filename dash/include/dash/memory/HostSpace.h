#pragma once

#include <cstddef>

#include "dash/core/Export.h"
#include "dash/memory/MemorySpaceBase.h"

namespace dash {

/// The memory of the process, allocated with operator new.
/// \threads thread-safe
/// \ingroup memory
class DASH_API HostSpace : public MemorySpace<memory_domain_local, memory_space_host_tag> {
 public:
  HostSpace() noexcept = default;
  /// Memory allocated from one object can be freed by another.
  HostSpace(const HostSpace&) noexcept = default;
  /// Without effect, since objects have no state.
  HostSpace& operator=(const HostSpace&) noexcept = default;
  ~HostSpace() override;

 private:
  void* do_allocate(std::size_t nbytes, std::size_t alignment) override;
  void do_deallocate(void* p, std::size_t nbytes, std::size_t alignment) override;
  bool do_is_equal(const std::pmr::memory_resource& other) const noexcept override;
};

template <>
struct internal::DefaultMemorySpace<memory_domain_local, memory_space_host_tag> {
  DASH_API static HostSpace* get() noexcept;
};

}  // namespace dash
