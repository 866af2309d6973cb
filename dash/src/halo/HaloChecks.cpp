#include "dash/halo/exchange/HaloChecks.h"

#include <array>

#include "dash/dart/Collective.h"

namespace dash::halo::internal {

bool all_units_agree(Team& team, std::uint64_t number) {
  // Computes the minimum of the numbers and the minimum of their complements. The two minima are
  // complements of each other only if all numbers are equal.
  const std::array<unsigned long long, 2> mine{number, ~number};
  std::array<unsigned long long, 2> least{};
  team.collectives().allreduce(mine.data(), least.data(), mine.size(), DART_TYPE_ULONGLONG,
                               DART_OP_MIN);
  return least[0] == ~least[1];
}

std::uint64_t max_over_team(Team& team, std::uint64_t number) {
  const unsigned long long mine = number;
  unsigned long long largest = 0;
  team.collectives().allreduce(&mine, &largest, 1, DART_TYPE_ULONGLONG, DART_OP_MAX);
  return largest;
}

}  // namespace dash::halo::internal
