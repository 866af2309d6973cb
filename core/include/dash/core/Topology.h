#pragma once

#include <array>
#include <cstddef>
#include <string>
#include <vector>

#include "dash/core/CpuSet.h"
#include "dash/core/Export.h"

namespace dash::core {

/// One hardware thread. The other numbers count cores, NUMA domains, packages and caches of the
/// machine in topology order.
struct Processor {
  static constexpr std::size_t cache_levels = 5;

  int os_index = 0;  ///< its number in a CpuSet
  int core = 0;
  int numa = 0;
  int package = 0;
  /// The data cache of each level, [0] being L1; -1 where there is none or it is not known.
  std::array<int, cache_levels> caches{-1, -1, -1, -1, -1};
};

/// A data cache. What is not known is 0.
struct Cache {
  std::size_t nbytes = 0;
  std::size_t line_bytes = 0;
};

/// What the hardware of a machine looks like: plain data, copied out of hwloc when loaded.
/// \threads any, as it does not change
class Topology {
 public:
  /// The machine this process runs on, without the processors that its container withholds.
  /// \threads any   \throws exception::RuntimeError if hwloc cannot read the machine
  /// \cost    some milliseconds
  DASH_API static Topology load();

  /// A machine made up for tests, on which all processors are allowed.
  /// \param   description in the language of hwloc, as "package:2 numa:2 core:8 pu:1"
  /// \throws  exception::InvalidArgument if hwloc does not understand it
  DASH_API static Topology from_synthetic(const std::string& description);

  const std::string& hostname() const noexcept { return _hostname; }

  /// Equal for processes on one running machine, in containers too, and different for different
  /// machines: the id of the boot, or the host name where there is none.
  const std::string& machine_id() const noexcept { return _machine_id; }

  int num_packages() const noexcept { return _num_packages; }
  int num_numa() const noexcept { return _num_numa; }
  int num_cores() const noexcept { return _num_cores; }
  int num_pus() const noexcept { return static_cast<int>(_processors.size()); }

  /// All processors, in topology order: neighbours share the most.
  const std::vector<Processor>& processors() const noexcept { return _processors; }

  /// Bytes of one data cache of the level (1, 2, ...); 0 if there is none or it is not known.
  std::size_t cache_size(int level) const noexcept {
    return level >= 1 && level <= static_cast<int>(_cache_sizes.size())
               ? _cache_sizes[static_cast<std::size_t>(level) - 1]
               : 0;
  }

  /// The cache `index` of the level (1, 2, ...), as Processor::caches numbers them; caches of one
  /// level need not be alike. All unknown if there is none such.
  DASH_API Cache cache(int level, int index) const noexcept;

  /// Bytes of a cache line.
  std::size_t cache_line_bytes() const noexcept { return _cache_line_bytes; }

  /// The processors that the loading process was allowed to run on.
  const CpuSet& allowed() const noexcept { return _allowed; }

  /// Bytes of main memory of the machine.
  std::size_t memory_bytes() const noexcept { return _memory_bytes; }

  /// Bytes of main memory of a NUMA domain, as far as they are known; 0 if they are not.
  DASH_API std::size_t numa_memory_bytes(int numa) const noexcept;

  /// The system's number of a NUMA domain; -1 if there is none such.
  DASH_API int numa_os_index(int numa) const noexcept;

  /// False for a machine that was made up, here or by hwloc's own variables (HWLOC_SYNTHETIC,
  /// HWLOC_XMLFILE): no thread can be bound to its processors.
  bool is_this_machine() const noexcept { return _is_this_machine; }

  /// The processors of the whole machine as a set.
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

/// The part of `mask` that belongs to the unit `index` of the `nunits` units that divide it among
/// themselves: a contiguous slice in topology order. Slices differ by at most one core in size, and
/// no two units share a core if there are cores enough. With more units than processors each gets
/// the whole mask.
/// \param   mask processors that the topology does not know are taken to come after those it knows
/// \returns never an empty set
/// \threads any
/// \throws  exception::InvalidArgument unless 0 <= index < nunits and the mask is not empty
DASH_API CpuSet processor_share(const Topology& topology, const CpuSet& mask, int index,
                                int nunits);

/// Where a unit is at home: its processor_share, but where there are more units than processors,
/// each has one processor, units that follow each other the same one or neighbours.
/// \threads any   \throws as processor_share
DASH_API CpuSet home_processors(const Topology& topology, const CpuSet& mask, int index,
                                int nunits);

/// The version of the library that reads the hardware. \threads any
DASH_API std::string topology_library();

/// Lets the calling thread run on these processors only.
/// \throws  exception::InvalidArgument for an empty set, exception::RuntimeError if the system
///          refuses
DASH_API void bind_this_thread(const CpuSet& cpus);

/// The processors that the calling thread may run on.
/// \throws  exception::RuntimeError if the system does not tell
DASH_API CpuSet this_thread_affinity();

}  // namespace dash::core
