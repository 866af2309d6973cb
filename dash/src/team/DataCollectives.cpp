#include "dash/DataCollectives.h"

#include <fmt/format.h>

#include "dash/Exception.h"

namespace dash::internal {

void check_one_per_unit(const Team& team, std::size_t number, const char* what) {
  if (number == team.size()) return;
  throw exception::InvalidArgument(fmt::format(
      "{}: {} for a team of {} units; expected one for each unit", what, number, team.size()));
}

void exchange_with(const Team& team, std::span<const std::byte> send, std::size_t target,
                   std::span<std::byte> recv, std::size_t source) {
  const auto global = [&](std::size_t unit) {
    return team.global_id(team_unit_t(static_cast<int>(unit))).id;
  };
  dart::exchange_messages(send, global(target), recv, global(source));
}

}  // namespace dash::internal
