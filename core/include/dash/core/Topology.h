#pragma once

#include <array>
#include <cstddef>
#include <string>
#include <vector>

#include "dash/core/CpuSet.h"
#include "dash/core/Export.h"

namespace dash::core {

/// A hardware thread. The numbers of cores, NUMA domains, packages and caches follow the topology order of
/// the machine.
struct Processor {
  static constexpr std::size_t cache_levels = 5;

  int os_index = 0;  ///< its number in the operating system and in a CpuSet
  int core = 0;
  int numa = 0;
  int package = 0;
  /// The data cache of each level; [0] is L1. -1 if there is none or it is unknown.
  std::array<int, cache_levels> caches{-1, -1, -1, -1, -1};
};

/// A data cache. Unknown values are 0.
struct Cache {
  std::size_t nbytes = 0;
  std::size_t line_bytes = 0;
};

/// The hardware of a machine: plain data, copied from hwloc when loaded.
/// \threads thread-safe: immutable
class Topology {
 public:
  /// The machine on which this process runs, restricted to the processors of its container.
  /// \threads thread-safe   \throws exception::RuntimeError if hwloc cannot read the machine
  /// \cost    some milliseconds
  DASH_API static Topology load();

  /// A synthetic machine for tests, with all processors allowed.
  /// \param   description hwloc's synthetic description, for example "package:2 numa:2 core:8 pu:1"
  /// \throws  exception::InvalidArgument if hwloc does not understand it
  DASH_API static Topology from_synthetic(const std::string& description);

  const std::string& hostname() const noexcept { return _hostname; }

  /// Identifies the running machine: equal for all its processes, even in containers. It is the boot id, or
  /// the host name if there is none.
  const std::string& machine_id() const noexcept { return _machine_id; }

  int num_packages() const noexcept { return _num_packages; }
  int num_numa() const noexcept { return _num_numa; }
  int num_cores() const noexcept { return _num_cores; }
  int num_pus() const noexcept { return static_cast<int>(_processors.size()); }

  /// All processors, in topology order: adjacent ones share most resources.
  const std::vector<Processor>& processors() const noexcept { return _processors; }

  /// Size in bytes of one data cache of the level (1, 2, ...); 0 if there is none or it is unknown.
  std::size_t cache_size(int level) const noexcept {
    return level >= 1 && level <= static_cast<int>(_cache_sizes.size())
               ? _cache_sizes[static_cast<std::size_t>(level) - 1]
               : 0;
  }

  /// The cache `index` of the level (1, 2, ...), numbered as in Processor::caches. Caches of one level may
  /// differ. All values are unknown if there is no such cache.
  DASH_API Cache cache(int level, int index) const noexcept;

  /// Size of a cache line in bytes.
  std::size_t cache_line_bytes() const noexcept { return _cache_line_bytes; }

  /// The processors that the loading process was allowed to run on.
  const CpuSet& allowed() const noexcept { return _allowed; }

  /// Size of the main memory in bytes.
  std::size_t memory_bytes() const noexcept { return _memory_bytes; }

  /// Size of the memory of a NUMA domain in bytes; 0 if unknown.
  DASH_API std::size_t numa_memory_bytes(int numa) const noexcept;

  /// Number of a NUMA domain in the operating system; -1 if there is no such domain.
  DASH_API int numa_os_index(int numa) const noexcept;

  /// False for a synthetic machine, from from_synthetic() or the environment variables HWLOC_SYNTHETIC and
  /// HWLOC_XMLFILE: threads cannot be bound to its processors.
  bool is_this_machine() const noexcept { return _is_this_machine; }

  /// The set of all processors of the machine.
  DASH_API CpuSet all_processors() const noexcept;

 private:
  friend class TopologyReader;
  Topology() = default;

  std::string _hostname;
  std::string _machine_id;
  std::vector<Processor> _processors;
  std::vector<std::size_t> _cache_sizes;
  std::array<std::vector<Cache>, Processor::cache_levels> _caches;
  std::vector<std::size_t> _numa_memory;
  std::vector<int> _numa_os_index;
  CpuSet _allowed;
  std::size_t _memory_bytes = 0;
  std::size_t _cache_line_bytes = 64;
  int _num_packages = 0;
  int _num_numa = 0;
  int _num_cores = 0;
  bool _is_this_machine = false;
};

/// The processors of unit `index` if `nunits` units divide `mask` among themselves: a contiguous slice in
/// topology order. The sizes of slices differ by at most one core, and no two units share a core if there
/// are enough cores. If there are more units than processors, each gets the whole mask.
/// \param   mask processors that the topology does not contain are ordered after all others
/// \returns a set that is not empty
/// \threads thread-safe
/// \throws  exception::InvalidArgument unless 0 <= index < nunits and the mask is not empty
DASH_API CpuSet processor_share(const Topology& topology, const CpuSet& mask, int index,
                                int nunits);

/// The preferred processors of a unit: its processor_share() or, if there are more units than processors, one
/// processor. Consecutive units then have the same or adjacent processors.
/// \threads thread-safe   \throws as processor_share
DASH_API CpuSet preferred_processors(const Topology& topology, const CpuSet& mask, int index,
                                     int nunits);

/// The processors of a group of units and of the process that serves them.
struct GroupShare {
  CpuSet units;
  CpuSet server;
};
/// Reserves the last core of `mask`, in topology order, for a process that serves units on the others. If the mask has
/// fewer cores than processes, reserves the last processor.
/// \threads thread-safe
/// \throws  exception::InvalidArgument unless the mask has more processors than units
DASH_API GroupShare reserve_core(const Topology& topology, const CpuSet& mask, int nunits);

/// Name and version of the library that reads the hardware. \threads thread-safe
DASH_API std::string topology_library();

/// Binds the calling thread to the given processors.
/// \throws  exception::InvalidArgument for an empty set, exception::RuntimeError if the system
///          refuses
DASH_API void bind_this_thread(const CpuSet& cpus);

/// The processors on which the calling thread may run.
/// \throws  exception::RuntimeError if the system call fails
DASH_API CpuSet this_thread_affinity();

}  // namespace dash::core
