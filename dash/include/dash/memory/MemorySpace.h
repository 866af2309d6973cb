#pragma once

#include <cstdint>

namespace dash {

/// \name What memory is: where it is seen from, what it is made of, how it comes and who takes part
/// @{
struct memory_domain_global {};
struct memory_domain_local {};

struct memory_space_host_tag {};
struct memory_space_hbw_tag {};
struct memory_space_cuda_tag {};
struct memory_space_pmem_tag {};

struct memory_space_noncontiguous {};
struct memory_space_contiguous : memory_space_noncontiguous {};

struct allocation_static {};
struct allocation_dynamic {};

struct synchronization_collective {};
struct synchronization_independent {};
struct synchronization_single {};
/// @}

/// Who has to take part when global memory is allocated.
enum class global_allocation_policy : std::uint8_t {
  /// all units, at once
  collective,
  /// the caller alone
  non_collective,
  /// the caller alone; the others see it from the next commit of all on
  epoch_synchronized
};

template <class Domain, class Tag>
class MemorySpace;

/// Memory that processors reach by load and store: the kind that containers use by default.
class HostSpace;
/// Memory of high bandwidth, where the machine has some.
class HBWSpace;

template <class LMemSpace>
class GlobStaticMem;

template <class LMemSpace>
class GlobLocalMemoryPool;

template <class T, class GlobMemT>
class GlobPtr;

template <class T>
class GlobRef;

template <class T>
class GlobAsyncRef;

}  // namespace dash
