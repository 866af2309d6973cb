#include "exchange/NodeSharing.h"

#include <dash/Collectives.h>
#include <dash/algorithm/ForEach.h>
#include <dash/dart/Placement.h>
#include <dash/util/Locality.h>

namespace lulesh {

bool NodeSharing::is_useful(dash::Team& team) {
  if (dash::util::Locality::NumNodes() == team.size()) return false;
  const int is_oversubscribed = dash::dart::placement().oversubscribed ? 1 : 0;
  return dash::allreduce_async(is_oversubscribed, dash::max<int>(), team).get() == 0;
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
