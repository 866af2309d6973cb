#include "NodeSharing.h"

#include <dash/Collectives.h>
#include <dash/algorithm/ForEach.h>
#include <dash/core/Topology.h>
#include <dash/dart/Placement.h>
#include <dash/util/Locality.h>

#include <algorithm>
#include <map>

namespace lulesh {

namespace {

/// Of a unit: with fewer, to meet takes longer than they do.
constexpr std::size_t worth_sharing = 4;

/// Whether units have to share processors, which balances their work as well and for nothing.
bool are_crowded() {
  struct Host {
    int units = 0;
    dash::core::CpuSet processors;
  };
  std::map<int, Host> hosts;
  for (const auto& unit : dash::dart::unit_placements()) {
    Host& host = hosts[unit.host];
    ++host.units;
    host.processors |= unit.processors;
  }
  return std::any_of(hosts.begin(), hosts.end(), [](const auto& host) {
    return host.second.units > static_cast<int>(host.second.processors.count());
  });
}

}  // namespace

std::unique_ptr<NodeSharing> NodeSharing::where_it_pays(const Mesh& mesh,
                                                        const RegionOptions& regions,
                                                        dash::Team& team) {
  if (dash::util::Locality::NumNodes() == team.size() || are_crowded()) return nullptr;
  const std::size_t own = num_dear_batches(make_regions(mesh, regions, mesh.unit()));
  const std::size_t most = dash::allreduce_async(own, dash::max<std::size_t>(), team).get();
  if (most < worth_sharing) return nullptr;
  return std::make_unique<NodeSharing>(most, team);
}

NodeSharing::NodeSharing(std::size_t batches, dash::Team& team)
    : _batches(batches * team.size(), dash::BLOCKED, team) {}

std::span<MaterialBatch> NodeSharing::own() {
  return {_batches.lbegin(), _batches.lsize()};
}

void NodeSharing::compute_all() {
  dash::for_each(dash::par_node, _batches.begin(), _batches.end(),
                 [](MaterialBatch& batch) { compute(batch); });
}

}  // namespace lulesh
