#pragma once

#include <memory_resource>
#include <type_traits>

#include "dash/core/Export.h"
#include "dash/memory/MemorySpace.h"

namespace dash {

/// Local memory of the caller: a resource for std::pmr containers.
/// \ingroup memory
template <class Tag>
class MemorySpace<memory_domain_local, Tag> : public std::pmr::memory_resource {
 public:
  /// Tag of the type of memory, for example memory_space_host_tag.
  using memory_space_type_category = Tag;
  /// Tag: memory of one unit.
  using memory_space_domain_category = memory_domain_local;
  /// Tag: each allocation is contiguous.
  using memory_space_layout_tag = memory_space_contiguous;
  /// Native pointer to memory without a type.
  using void_pointer = void*;
  /// Native pointer to memory without a type, for reading.
  using const_void_pointer = const void*;
};

/// Base class of kinds of global memory; defines their categories.
/// \ingroup memory
template <class Tag>
class MemorySpace<memory_domain_global, Tag> {
 public:
  /// Tag of the type of memory, for example memory_space_host_tag.
  using memory_space_type_category = Tag;
  /// Tag: global memory.
  using memory_space_domain_category = memory_domain_global;
  /// Tag: memory may consist of several blocks.
  using memory_space_layout_tag = memory_space_noncontiguous;
};

/// Properties of a memory space.
/// \tparam Space  a MemorySpace of any kind
/// \ingroup memory
template <class Space>
struct memory_space_traits {
  /// The memory space.
  using memory_space_type = Space;
  /// Tag of the type of memory, for example memory_space_host_tag.
  using memory_space_type_category = typename Space::memory_space_type_category;
  /// Tag of the domain: memory_domain_global or memory_domain_local.
  using memory_space_domain_category = typename Space::memory_space_domain_category;
  /// Tag of the layout: memory_space_contiguous or memory_space_noncontiguous.
  using memory_space_layout_tag = typename Space::memory_space_layout_tag;
  /// std::true_type for global memory, otherwise std::false_type.
  using is_global = std::is_same<memory_space_domain_category, memory_domain_global>;
  /// std::true_type for memory of one unit, otherwise std::false_type.
  using is_local = std::is_same<memory_space_domain_category, memory_domain_local>;
  /// Pointer to memory without a type, native or global.
  using void_pointer = typename Space::void_pointer;
  /// Pointer to memory without a type, for reading.
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
/// \ingroup memory
template <class Domain, class Tag>
auto* get_default_memory_space() {
  return internal::DefaultMemorySpace<Domain, Tag>::get();
}

}  // namespace dash
