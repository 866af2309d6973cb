#include "launch/UnitHardware.h"

#include <algorithm>
#include <climits>
#include <cstring>
#include <fstream>
#include <map>
#include <set>
#include <string>

namespace dash::dart {

namespace {

constexpr int unknown = -1;
constexpr std::size_t bytes_per_mib = std::size_t{1} << 20;

using Processors = std::vector<core::Processor>;

int to_int(std::size_t value) {
  return static_cast<int>(std::min<std::size_t>(value, INT_MAX));
}

int to_int_or_unknown(std::size_t value) {
  return value == 0 ? unknown : to_int(value);
}

/// The processors of a set that the topology knows, in topology order.
Processors processors_of(const core::Topology& topology, const core::CpuSet& set) {
  Processors result;
  for (const core::Processor& processor : topology.processors()) {
    if (set.test(processor.os_index)) result.push_back(processor);
  }
  return result;
}

int count_distinct(const Processors& processors, int core::Processor::*component) {
  std::set<int> seen;
  for (const core::Processor& processor : processors)
    seen.insert(processor.*component);
  return static_cast<int>(seen.size());
}

/// Number of the component that contains most of the processors; of several, the lowest.
int most_frequent(const Processors& processors, int core::Processor::*component) {
  std::map<int, int> counts;
  for (const core::Processor& processor : processors)
    ++counts[processor.*component];
  const auto most =
      std::max_element(counts.begin(), counts.end(),
                       [](const auto& a, const auto& b) { return a.second < b.second; });
  return most->first;
}

int read_mhz(const core::Topology& topology, int cpu, const char* which) {
  if (!topology.is_this_machine()) return unknown;
  std::ifstream file("/sys/devices/system/cpu/cpu" + std::to_string(cpu) + "/cpufreq/cpuinfo_" +
                     which + "_freq");
  long khz = 0;
  return file >> khz && khz > 0 ? static_cast<int>(khz / 1000) : unknown;
}

void set_all_unknown(dart_hwinfo_t& info) {
  for (int* field :
       {&info.num_cores, &info.num_numa, &info.numa_id, &info.num_sockets, &info.core_id,
        &info.cpu_id, &info.min_cpu_mhz, &info.max_cpu_mhz, &info.min_threads, &info.max_threads,
        &info.max_shmem_mbps, &info.system_memory_bytes, &info.numa_memory_bytes})
    *field = unknown;
  for (int level = 0; level < DART_LOCALITY_MAX_CACHE_LEVELS; ++level)
    info.cache_sizes[level] = info.cache_line_sizes[level] = info.cache_ids[level] = unknown;
  for (dart_locality_scope_pos_t& position : info.scopes)
    position = {DART_LOCALITY_SCOPE_UNDEFINED, unknown};
}

void describe_caches(const core::Topology& topology, const core::Processor& first,
                     dart_hwinfo_t& info) {
  for (int level = 0; level < DART_LOCALITY_MAX_CACHE_LEVELS; ++level) {
    const int index = first.caches[static_cast<std::size_t>(level)];
    const core::Cache cache = topology.cache(level + 1, index);
    info.cache_ids[level] = index;
    info.cache_sizes[level] = to_int_or_unknown(cache.nbytes);
    info.cache_line_sizes[level] = to_int_or_unknown(cache.line_bytes);
  }
}

void describe_threads(const Processors& processors, dart_hwinfo_t& info) {
  std::map<int, int> threads;
  for (const core::Processor& processor : processors)
    ++threads[processor.core];
  info.min_threads = INT_MAX;
  for (const auto& [core, count] : threads) {
    info.min_threads = std::min(info.min_threads, count);
    info.max_threads = std::max(info.max_threads, count);
  }
}

/// A package may contain several NUMA domains, or a NUMA domain several packages; the smaller one comes
/// first.
void describe_scopes(const core::Topology& topology, const core::Processor& first,
                     dart_hwinfo_t& info) {
  const auto append = [&info](dart_locality_scope_t scope, int index) {
    info.scopes[info.num_scopes++] = {scope, index};
  };
  const auto processors_with_same = [&](int core::Processor::*component) {
    return std::count_if(
        topology.processors().begin(), topology.processors().end(),
        [&](const core::Processor& other) { return other.*component == first.*component; });
  };
  append(DART_LOCALITY_SCOPE_CPU, first.os_index);
  append(DART_LOCALITY_SCOPE_CORE, first.core);
  for (const int cache : first.caches) {
    if (cache >= 0) append(DART_LOCALITY_SCOPE_CACHE, cache);
  }
  if (processors_with_same(&core::Processor::numa) <=
      processors_with_same(&core::Processor::package)) {
    append(DART_LOCALITY_SCOPE_NUMA, first.numa);
    append(DART_LOCALITY_SCOPE_PACKAGE, first.package);
  } else {
    append(DART_LOCALITY_SCOPE_PACKAGE, first.package);
    append(DART_LOCALITY_SCOPE_NUMA, first.numa);
  }
}

/// Memory of a NUMA domain in MiB. A single domain has the memory of the machine, since some virtual machines
/// report less for the domain.
int numa_memory_mib(const core::Topology& topology, int numa) {
  const std::size_t nbytes =
      topology.num_numa() == 1 ? topology.memory_bytes() : topology.numa_memory_bytes(numa);
  return to_int_or_unknown(nbytes / bytes_per_mib);
}

}  // namespace

UnitHardware describe_unit(const core::Topology& topology, const core::CpuSet& home) {
  UnitHardware result;
  dart_hwinfo_t& info = result.hwinfo;
  set_all_unknown(info);
  result.processors = home;
  const std::string& host = topology.hostname();
  std::memcpy(info.host, host.data(), std::min(host.size(), sizeof info.host - 1));
  info.cpu_id = home.first();
  info.num_cores = home.count();
  info.system_memory_bytes = to_int_or_unknown(topology.memory_bytes() / bytes_per_mib);
  const Processors processors = processors_of(topology, home);
  if (processors.empty()) return result;  // the topology describes none of the processors
  for (const core::Processor& processor : processors)
    result.cores.set(processor.core);
  const core::Processor& first = processors.front();
  info.num_cores = count_distinct(processors, &core::Processor::core);
  info.num_numa = count_distinct(processors, &core::Processor::numa);
  info.num_sockets = count_distinct(processors, &core::Processor::package);
  info.numa_id = most_frequent(processors, &core::Processor::numa);
  info.core_id = first.core;
  info.cpu_id = first.os_index;
  info.min_cpu_mhz = read_mhz(topology, first.os_index, "min");
  info.max_cpu_mhz = read_mhz(topology, first.os_index, "max");
  info.numa_memory_bytes = numa_memory_mib(topology, info.numa_id);
  describe_caches(topology, first, info);
  describe_threads(processors, info);
  describe_scopes(topology, first, info);
  return result;
}

}  // namespace dash::dart
