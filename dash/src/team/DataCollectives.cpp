#include "dash/DataCollectives.h"

#include <fmt/format.h>

#include <exception>

#include "dash/Exception.h"

namespace dash::internal {

void check_one_per_unit(const Team& team, std::size_t number, const char* what) {
  if (number == team.size()) return;
  throw exception::InvalidArgument(fmt::format(
      "{}: {} for a team of {} units; expected one for each unit", what, number, team.size()));
}

void exchange_blocks(const Team& team,
                     exec::FunctionRef<std::span<const std::byte>(std::size_t unit)> outgoing,
                     exec::FunctionRef<std::span<std::byte>(std::size_t unit)> incoming) {
  const auto global = [&](std::size_t unit) {
    return team.global_id(team_unit_t(static_cast<int>(unit))).id;
  };
  const std::size_t units = team.size();
  const auto me = static_cast<std::size_t>(team.myid().id);
  std::exception_ptr error;
  for (std::size_t distance = 0; distance < units; ++distance) {
    const std::size_t target = (me + distance) % units;
    const std::size_t source = (me + units - distance) % units;
    try {
      dart::exchange_messages(outgoing(target), global(target), incoming(source), global(source));
    } catch (const exception::InvalidArgument&) {
      // The message has been received, though not stored. The other units wait for the messages that follow.
      if (error == nullptr) error = std::current_exception();
    }
  }
  if (error != nullptr) std::rethrow_exception(error);
}

}  // namespace dash::internal
