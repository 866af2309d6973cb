#include "launch/ProcessorReservation.h"

#include <algorithm>
#include <cstddef>
#include <vector>

namespace dash::dart {

namespace {

/// Units that the same progress process serves.
struct Group {
  int server;  // rank
  int nunits;
};

}  // namespace

ProcessorReservation reserve_processors(const Processes& processes,
                                        std::span<const std::int32_t> host_units, int unit,
                                        const core::Topology& topology, const core::CpuSet& mask) {
  std::vector<Group> groups;  // in the order of their first units
  for (const std::int32_t other : host_units) {
    const int server = processes.server(other);
    const auto group = std::find_if(groups.begin(), groups.end(),
                                    [server](const Group& each) { return each.server == server; });
    if (group != groups.end()) {
      ++group->nunits;
    } else {
      groups.push_back({server, 1});
    }
  }
  const int nprocesses = static_cast<int>(host_units.size() + groups.size());
  ProcessorReservation reserved;
  int first = 0;
  for (const Group& group : groups) {
    core::CpuSet slice;
    for (int process = first; process <= first + group.nunits; ++process)
      slice |= core::processor_share(topology, mask, process, nprocesses);
    first += group.nunits + 1;
    const core::GroupShare share = core::reserve_core(topology, slice, group.nunits);
    reserved.all_servers |= share.server;
    if (group.server != processes.server(unit)) continue;
    const int index = processes.index_at_server[static_cast<std::size_t>(unit)];
    reserved.unit = core::processor_share(topology, share.units, index, group.nunits);
    reserved.server = share.server;
  }
  return reserved;
}

}  // namespace dash::dart
