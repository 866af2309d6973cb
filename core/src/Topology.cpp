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

// Copies what we need out of hwloc, which is let go again: its object is large, and a machine does
// not change.
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
    result._num_packages = at_least_one(HWLOC_OBJ_PACKAGE);
    result._num_numa = at_least_one(HWLOC_OBJ_NUMANODE);
    result._num_cores = hwloc_get_nbobjs_by_type(_hwloc.get(), HWLOC_OBJ_CORE) > 0
                            ? hwloc_get_nbobjs_by_type(_hwloc.get(), HWLOC_OBJ_CORE)
                            : result.num_pus();
    result._memory_bytes = hwloc_get_root_obj(_hwloc.get())->total_memory;
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

  // Memory hangs beside the tree, not above the processors: a domain is found by the set it names.
  // Where several memories share their processors (fast and slow ones), the first counts.
  int numa_of(hwloc_obj_t pu) const {
    hwloc_obj_t node = nullptr;
    while ((node = hwloc_get_next_obj_by_type(_hwloc.get(), HWLOC_OBJ_NUMANODE, node)) != nullptr) {
      if (hwloc_bitmap_isset(node->cpuset, pu->os_index) != 0) {
        return static_cast<int>(node->logical_index);
      }
    }
    return 0;
  }

  void read_processors(Topology& result) const {
    hwloc_obj_t pu = nullptr;
    while ((pu = hwloc_get_next_obj_by_type(_hwloc.get(), HWLOC_OBJ_PU, pu)) != nullptr) {
      if (pu->os_index >= static_cast<unsigned>(CpuSet::capacity)) {
        continue;  // a CpuSet cannot name it
      }
      const int place = static_cast<int>(pu->logical_index);
      result._processors.push_back({.os_index = static_cast<int>(pu->os_index),
                                    .core = logical_ancestor(pu, HWLOC_OBJ_CORE, place),
                                    .numa = numa_of(pu),
                                    .package = logical_ancestor(pu, HWLOC_OBJ_PACKAGE, 0)});
      result._allowed.set(static_cast<int>(pu->os_index));
    }
  }

  void read_caches(Topology& result) const {
    constexpr std::array levels{HWLOC_OBJ_L1CACHE, HWLOC_OBJ_L2CACHE, HWLOC_OBJ_L3CACHE,
                                HWLOC_OBJ_L4CACHE, HWLOC_OBJ_L5CACHE};
    for (const hwloc_obj_type_t level : levels) {
      hwloc_obj_t cache = hwloc_get_next_obj_by_type(_hwloc.get(), level, nullptr);
      result._cache_sizes.push_back(cache == nullptr ? 0 : cache->attr->cache.size);
      if (cache != nullptr && level == HWLOC_OBJ_L1CACHE && cache->attr->cache.linesize > 0) {
        result._cache_line_bytes = cache->attr->cache.linesize;
      }
    }
  }

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

// The members of `mask` in topology order. Those that the topology does not know follow in their
// own order, each a core by itself.
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
      result.push_back({.os_index = cpu, .core = next_core++, .numa = 0, .package = 0});
    }
  }
  return result;
}

// Where each core begins in `processors`, and at last their end.
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

Topology Topology::load() {
  TopologyReader reader;
  reader.load();
  Topology result = reader.read();
  std::string hostname = read_hostname();
  std::string machine_id = read_machine_id(hostname);
  TopologyReader::set_identity(result, std::move(hostname), std::move(machine_id));
  TopologyReader::set_allowed(result, this_thread_affinity());
  // hwloc adds up what the NUMA domains report, which some virtual machines do wrongly.
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
  // Whole cores while there is one for each unit: units that share a core slow each other down.
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

}  // namespace dash::core
