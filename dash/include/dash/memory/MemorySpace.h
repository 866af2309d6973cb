#pragma once

#include <cstdint>

namespace dash {

/// \addtogroup memory
/// @{

/// Tag of global memory.
struct memory_domain_global {};
/// Tag of memory of one unit.
struct memory_domain_local {};

/// Tag of main memory.
struct memory_space_host_tag {};
/// Tag of high-bandwidth memory.
struct memory_space_hbw_tag {};
/// Tag of memory of CUDA devices; not used by the library.
struct memory_space_cuda_tag {};
/// Tag of persistent memory; not used by the library.
struct memory_space_pmem_tag {};

/// Tag of memory that may consist of several blocks.
struct memory_space_noncontiguous {};
/// Tag of memory that is contiguous.
struct memory_space_contiguous : memory_space_noncontiguous {};

/// Tag of memory that is allocated once.
struct allocation_static {};
/// Tag of memory that is allocated at any time.
struct allocation_dynamic {};

/// Tag of memory that all units allocate together.
struct synchronization_collective {};
/// Tag of memory that units allocate independently.
struct synchronization_independent {};
/// Tag of memory that a single unit allocates; not used by the library.
struct synchronization_single {};
/// @}

/// The units that participate in an allocation of global memory.
/// \ingroup memory
enum class global_allocation_policy : std::uint8_t {
  /// all units together
  collective,
  /// the caller alone
  non_collective,
  /// the caller alone; other units can access it after the next collective commit
  epoch_synchronized
};

/// A kind of memory, specialized for memory_domain_local and memory_domain_global.
/// \tparam Tag  the type of memory, for example memory_space_host_tag
/// \ingroup memory
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
