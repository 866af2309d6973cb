#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "dash/core/CpuSet.h"
#include "dash/core/Export.h"

namespace dash::core {

/// One hardware thread. The other numbers count cores, NUMA domains and packages of the machine in
/// topology order.
struct Processor {
  int os_index = 0;  ///< its number in a CpuSet
  int core = 0;
  int numa = 0;
  int package = 0;
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

  /// Bytes of a cache line.
  std::size_t cache_line_bytes() const noexcept { return _cache_line_bytes; }

  /// The processors that the loading process was allowed to run on.
  const CpuSet& allowed() const noexcept { return _allowed; }

  /// Bytes of main memory of the machine.
  std::size_t memory_bytes() const noexcept { return _memory_bytes; }

 private:
  friend class TopologyReader;
  Topology() = default;

  std::string _hostname;
  std::string _machine_id;
  std::vector<Processor> _processors;
  std::vector<std::size_t> _cache_sizes;
  CpuSet _allowed;
  std::size_t _memory_bytes = 0;
  std::size_t _cache_line_bytes = 64;
  int _num_packages = 0;
  int _num_numa = 0;
  int _num_cores = 0;
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

/// Lets the calling thread run on these processors only.
/// \throws  exception::InvalidArgument for an empty set, exception::RuntimeError if the system
///          refuses
DASH_API void bind_this_thread(const CpuSet& cpus);

/// The processors that the calling thread may run on.
/// \throws  exception::RuntimeError if the system does not tell
DASH_API CpuSet this_thread_affinity();

}  // namespace dash::core
