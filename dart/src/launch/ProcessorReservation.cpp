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
  int first = 0;
  auto mine = groups.begin();
  for (; mine->server != processes.server(unit); ++mine)
    first += mine->nunits + 1;
  core::CpuSet slice;
  for (int process = first; process <= first + mine->nunits; ++process)
    slice |= core::processor_share(topology, mask, process, nprocesses);
  const core::GroupShare share = core::reserve_core(topology, slice, mine->nunits);
  const int index = processes.index_at_server[static_cast<std::size_t>(unit)];
  return {core::processor_share(topology, share.units, index, mine->nunits), share.server};
}

}  // namespace dash::dart
