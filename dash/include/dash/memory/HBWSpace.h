#pragma once

#include <cstddef>

#include "dash/core/Export.h"
#include "dash/memory/MemorySpaceBase.h"

namespace dash {

/// High-bandwidth memory. This build has no support for it and uses host memory.
/// \threads thread-safe
/// \ingroup memory
class DASH_API HBWSpace : public MemorySpace<memory_domain_local, memory_space_hbw_tag> {
 public:
  HBWSpace() noexcept = default;
  /// Memory allocated from one object can be freed by another.
  HBWSpace(const HBWSpace&) noexcept = default;
  /// Without effect, since objects have no state.
  HBWSpace& operator=(const HBWSpace&) noexcept = default;
  ~HBWSpace() override;

  /// Whether high-bandwidth memory is available.
  static bool check_hbw_available() noexcept { return false; }

 private:
  void* do_allocate(std::size_t nbytes, std::size_t alignment) override;
  void do_deallocate(void* p, std::size_t nbytes, std::size_t alignment) override;
  bool do_is_equal(const std::pmr::memory_resource& other) const noexcept override;
};

template <>
struct internal::DefaultMemorySpace<memory_domain_local, memory_space_hbw_tag> {
  DASH_API static HBWSpace* get() noexcept;
};

}  // namespace dash
