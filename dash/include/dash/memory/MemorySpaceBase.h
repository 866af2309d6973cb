#pragma once

#include <memory_resource>
#include <type_traits>

#include "dash/core/Export.h"
#include "dash/memory/MemorySpace.h"

namespace dash {

/// Local memory of the caller: a resource for std::pmr containers.
template <class Tag>
class MemorySpace<memory_domain_local, Tag> : public std::pmr::memory_resource {
 public:
  using memory_space_type_category = Tag;
  using memory_space_domain_category = memory_domain_local;
  using memory_space_layout_tag = memory_space_contiguous;
  using void_pointer = void*;
  using const_void_pointer = const void*;
};

/// Base class of kinds of global memory; defines their categories.
template <class Tag>
class MemorySpace<memory_domain_global, Tag> {
 public:
  using memory_space_type_category = Tag;
  using memory_space_domain_category = memory_domain_global;
  using memory_space_layout_tag = memory_space_noncontiguous;
};

/// Properties of a memory space.
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

/// The object that get_default_memory_space() returns, for the supported combinations.
template <class Domain, class Tag>
struct DefaultMemorySpace {
  static_assert(
      sizeof(Tag) == 0,
      "dash::get_default_memory_space: expected local memory of memory_space_host_tag and "
      "memory_space_hbw_tag, or global memory of memory_space_host_tag");
};

}  // namespace internal

/// The predefined memory space of a kind: local host, local hbw, or global host (which each unit
/// allocates independently).
/// \returns the process's only object of this kind  \threads thread-safe
template <class Domain, class Tag>
auto* get_default_memory_space() {
  return internal::DefaultMemorySpace<Domain, Tag>::get();
}

}  // namespace dash
