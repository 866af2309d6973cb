#pragma once

#include <cstdint>

namespace dash {

/// \name Tags that describe memory: domain, type, contiguity, allocation and synchronization
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

/// The units that participate in an allocation of global memory.
enum class global_allocation_policy : std::uint8_t {
  /// all units together
  collective,
  /// the caller alone
  non_collective,
  /// the caller alone; other units can access it after the next collective commit
  epoch_synchronized
};

template <class Domain, class Tag>
class MemorySpace;

/// Memory accessed by load and store; the default of containers.
class HostSpace;
/// High-bandwidth memory, if the machine has any.
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
