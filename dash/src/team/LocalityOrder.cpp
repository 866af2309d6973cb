#include "team/LocalityOrder.h"

#include <algorithm>

namespace dash::internal {

std::vector<team_unit_t> locality_order(const std::vector<dart::UnitPlacement>& placements,
                                        team_unit_t myid) {
  const auto size = static_cast<int>(placements.size());
  const auto at = [&](team_unit_t unit) -> const dart::UnitPlacement& {
    return placements[static_cast<std::size_t>(unit.id)];
  };
  std::vector<team_unit_t> others;
  for (int step = 1; step < size; ++step) {
    const team_unit_t unit((myid.id + step) % size);
    if (at(unit).node == at(myid).node) others.push_back(unit);
  }
  std::stable_partition(others.begin(), others.end(),
                        [&](team_unit_t unit) { return at(unit).numa == at(myid).numa; });
  return others;
}

}  // namespace dash::internal
