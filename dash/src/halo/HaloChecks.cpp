#include "dash/halo/HaloChecks.h"

#include <array>

#include "dash/dart/Access.h"
#include "dash/dart/if/dart.h"

namespace dash::halo::internal {

bool all_units_agree(Team& team, std::uint64_t number) {
  // The minimum of a number and of its complement: they belong together only if all are equal.
  const std::array<unsigned long long, 2> mine{number, ~number};
  std::array<unsigned long long, 2> least{};
  const auto ret = dart_allreduce(mine.data(), least.data(), mine.size(), DART_TYPE_ULONGLONG,
                                  DART_OP_MIN, team.dart_id());
  if (ret != DART_OK) dart::throw_last_error(ret, "comparison of the units' halo specifications");
  return least[0] == ~least[1];
}

}  // namespace dash::halo::internal
