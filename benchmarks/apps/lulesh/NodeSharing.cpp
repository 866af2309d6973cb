#include "NodeSharing.h"

#include <dash/Collectives.h>
#include <dash/algorithm/ForEach.h>
#include <dash/dart/Placement.h>
#include <dash/util/Locality.h>

namespace lulesh {

namespace {

/// Of a unit: with fewer, to meet takes longer than they do.
constexpr std::size_t worth_sharing = 4;

/// Whether units have to share processors on a host, which balances their work as well and for nothing.
bool are_crowded(dash::Team& team) {
  const int here = dash::dart::placement().oversubscribed ? 1 : 0;
  return dash::allreduce_async(here, dash::max<int>(), team).get() != 0;
}

}  // namespace

std::unique_ptr<NodeSharing> NodeSharing::where_it_pays(const Mesh& mesh,
                                                        const RegionOptions& regions,
                                                        dash::Team& team) {
  if (dash::util::Locality::NumNodes() == team.size() || are_crowded(team)) return nullptr;
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
