#include "dash/core/Topology.h"

#include <hwloc.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstdint>
#include <fstream>
#include <memory>
#include <system_error>
#include <type_traits>

#include "dash/Exception.h"

namespace dash::core {

// Copies the needed data from hwloc and releases the topology object, which is large.
class TopologyReader {
 public:
  TopologyReader() {
    hwloc_topology_t created = nullptr;
    if (hwloc_topology_init(&created) != 0) {
      fail("hwloc_topology_init");
    }
    _hwloc.reset(created);
  }

  void use_synthetic(const std::string& description) {
    if (hwloc_topology_set_synthetic(_hwloc.get(), description.c_str()) != 0) {
      DASH_THROW(exception::InvalidArgument,
                 "not a description of a machine: \""
                     << description << "\"; write, for example, \"package:2 numa:2 core:4 pu:1\"");
    }
  }

  void load() {
    if (hwloc_topology_load(_hwloc.get()) != 0) {
      fail("hwloc_topology_load");
    }
  }

  Topology read() const {
    Topology result;
    read_processors(result);
    read_caches(result);
    read_numa_memory(result);
    result._num_packages = at_least_one(HWLOC_OBJ_PACKAGE);
    result._num_numa = at_least_one(HWLOC_OBJ_NUMANODE);
    result._num_cores = hwloc_get_nbobjs_by_type(_hwloc.get(), HWLOC_OBJ_CORE) > 0
                            ? hwloc_get_nbobjs_by_type(_hwloc.get(), HWLOC_OBJ_CORE)
                            : result.num_pus();
    result._memory_bytes = hwloc_get_root_obj(_hwloc.get())->total_memory;
    result._is_this_machine = hwloc_topology_is_thissystem(_hwloc.get()) != 0;
    return result;
  }

  static void set_identity(Topology& topology, std::string hostname, std::string machine_id) {
    topology._hostname = std::move(hostname);
    topology._machine_id = std::move(machine_id);
  }

  static void set_allowed(Topology& topology, const CpuSet& allowed) {
    topology._allowed = allowed;
  }

  static void set_memory(Topology& topology, std::size_t nbytes) {
    topology._memory_bytes = nbytes;
  }

 private:
  struct Destroy {
    void operator()(hwloc_topology_t topology) const { hwloc_topology_destroy(topology); }
  };

  [[noreturn]] static void fail(const char* call) {
    const int error = errno;
    DASH_THROW(exception::RuntimeError, call << " failed: " << error << " ("
                                             << std::generic_category().message(error) << ")");
  }

  int at_least_one(hwloc_obj_type_t type) const {
    return std::max(hwloc_get_nbobjs_by_type(_hwloc.get(), type), 1);
  }

  int logical_ancestor(hwloc_obj_t pu, hwloc_obj_type_t type, int otherwise) const {
    const hwloc_obj* found = hwloc_get_ancestor_obj_by_type(_hwloc.get(), type, pu);
    return found == nullptr ? otherwise : static_cast<int>(found->logical_index);
  }

  // NUMA nodes are not ancestors of the processors in hwloc's tree: a domain is found by its cpuset. If
  // several memories (fast and slow ones) have the same processors, the first one is used.
  int numa_of(hwloc_obj_t pu) const {
    hwloc_obj_t node = nullptr;
    while ((node = hwloc_get_next_obj_by_type(_hwloc.get(), HWLOC_OBJ_NUMANODE, node)) != nullptr) {
      if (hwloc_bitmap_isset(node->cpuset, pu->os_index) != 0) {
        return static_cast<int>(node->logical_index);
      }
    }
    return 0;
  }

  // The data caches of a processor, starting with L1. A core without a cache of a level that other cores
  // have (a small core without L2, a package without L3) has -1 there.
  std::array<int, Processor::cache_levels> caches_of(hwloc_obj_t pu) const {
    std::array<int, Processor::cache_levels> result = Processor().caches;
    for (std::size_t level = 0; level < levels.size(); ++level)
      result[level] = logical_ancestor(pu, levels[level], -1);
    return result;
  }

  void read_processors(Topology& result) const {
    hwloc_obj_t pu = nullptr;
    while ((pu = hwloc_get_next_obj_by_type(_hwloc.get(), HWLOC_OBJ_PU, pu)) != nullptr) {
      if (pu->os_index >= static_cast<unsigned>(CpuSet::capacity)) {
        continue;  // outside the capacity of a CpuSet
      }
      const int index = static_cast<int>(pu->logical_index);
      result._processors.push_back({.os_index = static_cast<int>(pu->os_index),
                                    .core = logical_ancestor(pu, HWLOC_OBJ_CORE, index),
                                    .numa = numa_of(pu),
                                    .package = logical_ancestor(pu, HWLOC_OBJ_PACKAGE, 0),
                                    .caches = caches_of(pu)});
      result._allowed.set(static_cast<int>(pu->os_index));
    }
  }

  void read_caches(Topology& result) const {
    for (std::size_t level = 0; level < levels.size(); ++level) {
      hwloc_obj_t cache = nullptr;
      while ((cache = hwloc_get_next_obj_by_type(_hwloc.get(), levels[level], cache)) != nullptr) {
        result._caches[level].push_back(
            {.nbytes = cache->attr->cache.size, .line_bytes = cache->attr->cache.linesize});
      }
      const std::vector<Cache>& caches = result._caches[level];
      result._cache_sizes.push_back(caches.empty() ? 0 : caches.front().nbytes);
    }
    const std::vector<Cache>& nearest = result._caches.front();
    if (!nearest.empty() && nearest.front().line_bytes > 0) {
      result._cache_line_bytes = nearest.front().line_bytes;
    }
  }

  void read_numa_memory(Topology& result) const {
    hwloc_obj_t node = nullptr;
    while ((node = hwloc_get_next_obj_by_type(_hwloc.get(), HWLOC_OBJ_NUMANODE, node)) != nullptr) {
      result._numa_memory.push_back(node->attr->numanode.local_memory);
      result._numa_os_index.push_back(static_cast<int>(node->os_index));
    }
  }

  static constexpr std::array<hwloc_obj_type_t, Processor::cache_levels> levels{
      HWLOC_OBJ_L1CACHE, HWLOC_OBJ_L2CACHE, HWLOC_OBJ_L3CACHE, HWLOC_OBJ_L4CACHE,
      HWLOC_OBJ_L5CACHE};

  std::unique_ptr<std::remove_pointer_t<hwloc_topology_t>, Destroy> _hwloc;
};

namespace {

std::string read_hostname() {
  std::array<char, 256> name{};
  if (gethostname(name.data(), name.size() - 1) != 0) {
    return "unknown";
  }
  return name.data();
}

std::string read_machine_id(const std::string& hostname) {
  std::ifstream file("/proc/sys/kernel/random/boot_id");
  std::string id;
  return file >> id ? id : hostname;
}

std::size_t physical_memory() {
  const long pages = sysconf(_SC_PHYS_PAGES);
  const long bytes = sysconf(_SC_PAGESIZE);
  return pages > 0 && bytes > 0 ? static_cast<std::size_t>(pages) * static_cast<std::size_t>(bytes)
                                : 0;
}

// The members of `mask` in topology order. Processors that the topology does not contain follow in ascending
// order, each as a separate core.
std::vector<Processor> in_topology_order(const Topology& topology, const CpuSet& mask) {
  std::vector<Processor> result;
  CpuSet known;
  int next_core = topology.num_cores();
  for (const Processor& processor : topology.processors()) {
    known.set(processor.os_index);
    next_core = std::max(next_core, processor.core + 1);
    if (mask.test(processor.os_index)) {
      result.push_back(processor);
    }
  }
  for (const int cpu : mask) {
    if (!known.test(cpu)) {
      Processor unknown;
      unknown.os_index = cpu;
      unknown.core = next_core++;
      result.push_back(unknown);
    }
  }
  return result;
}

// The index in `processors` at which each core begins, followed by the number of processors.
std::vector<std::size_t> core_starts(const std::vector<Processor>& processors) {
  std::vector<std::size_t> starts;
  for (std::size_t i = 0; i < processors.size(); ++i) {
    if (i == 0 || processors[i].core != processors[i - 1].core) {
      starts.push_back(i);
    }
  }
  starts.push_back(processors.size());
  return starts;
}

}  // namespace

Cache Topology::cache(int level, int index) const noexcept {
  if (level < 1 || level > static_cast<int>(_caches.size()) || index < 0) return {};
  const std::vector<Cache>& caches = _caches[static_cast<std::size_t>(level) - 1];
  const auto i = static_cast<std::size_t>(index);
  return i < caches.size() ? caches[i] : Cache{};
}

std::size_t Topology::numa_memory_bytes(int numa) const noexcept {
  const auto i = static_cast<std::size_t>(numa);
  return numa >= 0 && i < _numa_memory.size() ? _numa_memory[i] : 0;
}

int Topology::numa_os_index(int numa) const noexcept {
  const auto i = static_cast<std::size_t>(numa);
  return numa >= 0 && i < _numa_os_index.size() ? _numa_os_index[i] : -1;
}

CpuSet Topology::all_processors() const noexcept {
  CpuSet result;
  for (const Processor& processor : _processors)
    result.set(processor.os_index);
  return result;
}

std::string topology_library() {
  return "hwloc " HWLOC_VERSION;
}

Topology Topology::load() {
  TopologyReader reader;
  reader.load();
  Topology result = reader.read();
  std::string hostname = read_hostname();
  std::string machine_id = read_machine_id(hostname);
  TopologyReader::set_identity(result, std::move(hostname), std::move(machine_id));
  TopologyReader::set_allowed(result, this_thread_affinity());
  // hwloc sums the sizes of the NUMA domains, which some virtual machines report wrongly.
  TopologyReader::set_memory(result, std::max(physical_memory(), result.memory_bytes()));
  return result;
}

Topology Topology::from_synthetic(const std::string& description) {
  TopologyReader reader;
  reader.use_synthetic(description);
  reader.load();
  Topology result = reader.read();
  TopologyReader::set_identity(result, "synthetic", "synthetic " + description);
  return result;
}

CpuSet processor_share(const Topology& topology, const CpuSet& mask, int index, int nunits) {
  if (index < 0 || index >= nunits) {
    DASH_THROW(exception::InvalidArgument, "processor_share: index " << index << " of " << nunits
                                                                     << " units; must be in [0, "
                                                                     << nunits << ")");
  }
  const std::vector<Processor> processors = in_topology_order(topology, mask);
  if (processors.empty()) {
    DASH_THROW(exception::InvalidArgument, "processor_share: the set of processors is empty");
  }
  const auto units = static_cast<std::uint64_t>(nunits);
  const auto unit = static_cast<std::uint64_t>(index);
  if (units > processors.size()) {
    return mask;
  }
  // Whole cores if there is at least one for each unit: units that share a core slow each other down.
  const std::vector<std::size_t> starts = core_starts(processors);
  const std::uint64_t ncores = starts.size() - 1;
  const bool by_core = ncores >= units;
  const std::uint64_t parts = by_core ? ncores : processors.size();
  std::uint64_t first = parts * unit / units;
  std::uint64_t last = parts * (unit + 1) / units;
  if (by_core) {
    first = starts[first];
    last = starts[last];
  }
  CpuSet share;
  for (std::uint64_t i = first; i < last; ++i) {
    share.set(processors[i].os_index);
  }
  return share;
}

GroupShare reserve_core(const Topology& topology, const CpuSet& mask, int nunits) {
  const std::vector<Processor> processors = in_topology_order(topology, mask);
  if (nunits < 0 || static_cast<std::size_t>(nunits) >= processors.size()) {
    DASH_THROW(exception::InvalidArgument, "reserve_core: " << processors.size()
                                                            << " processors for " << nunits
                                                            << " units; expected more processors");
  }
  const std::vector<std::size_t> starts = core_starts(processors);
  const std::size_t ncores = starts.size() - 1;
  const bool by_core = ncores > static_cast<std::size_t>(nunits);
  const std::size_t first = by_core ? starts[ncores - 1] : processors.size() - 1;
  GroupShare share;
  for (std::size_t i = 0; i < processors.size(); ++i)
    (i < first ? share.units : share.server).set(processors[i].os_index);
  return share;
}

CpuSet preferred_processors(const Topology& topology, const CpuSet& mask, int index, int nunits) {
  const CpuSet share = processor_share(topology, mask, index, nunits);
  const auto nprocessors = static_cast<std::uint64_t>(mask.count());
  const auto units = static_cast<std::uint64_t>(nunits);
  if (units <= nprocessors) return share;
  const std::vector<Processor> processors = in_topology_order(topology, mask);
  CpuSet home;
  home.set(processors[static_cast<std::uint64_t>(index) * nprocessors / units].os_index);
  return home;
}

}  // namespace dash::core
