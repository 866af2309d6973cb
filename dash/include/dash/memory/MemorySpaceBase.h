#pragma once

#include <memory_resource>
#include <type_traits>

#include "dash/core/Export.h"
#include "dash/memory/MemorySpace.h"

namespace dash {

/// Memory of the caller's own: a resource for the containers of std::pmr.
template <class Tag>
class MemorySpace<memory_domain_local, Tag> : public std::pmr::memory_resource {
 public:
  using memory_space_type_category = Tag;
  using memory_space_domain_category = memory_domain_local;
  using memory_space_layout_tag = memory_space_contiguous;
  using void_pointer = void*;
  using const_void_pointer = const void*;
};

/// What kinds of global memory have in common: their categories.
template <class Tag>
class MemorySpace<memory_domain_global, Tag> {
 public:
  using memory_space_type_category = Tag;
  using memory_space_domain_category = memory_domain_global;
  using memory_space_layout_tag = memory_space_noncontiguous;
};

/// What a kind of memory is.
template <class Space>
struct memory_space_traits {
  using memory_space_type = Space;
  using memory_space_type_category = typename Space::memory_space_type_category;
  using memory_space_domain_category = typename Space::memory_space_domain_category;
  using memory_space_layout_tag = typename Space::memory_space_layout_tag;
  using is_global = std::is_same<memory_space_domain_category, memory_domain_global>;
  using is_local = std::is_same<memory_space_domain_category, memory_domain_local>;
  using void_pointer = typename Space::void_pointer;
  using const_void_pointer = typename Space::const_void_pointer;
};

namespace internal {

/// The object of get_default_memory_space(), for the combinations that there are.
template <class Domain, class Tag>
struct DefaultMemorySpace {
  static_assert(
      sizeof(Tag) == 0,
      "dash::get_default_memory_space: there is local memory of memory_space_host_tag and "
      "memory_space_hbw_tag, and global memory of memory_space_host_tag");
};

}  // namespace internal

/// The memory of a kind that there is without anybody having made it: local host, local hbw, global
/// host (which units allocate by themselves).
/// \returns one object of the process  \threads any
template <class Domain, class Tag>
auto* get_default_memory_space() {
  return internal::DefaultMemorySpace<Domain, Tag>::get();
}

}  // namespace dash
