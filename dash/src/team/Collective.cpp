#include "dash/internal/team/Collective.h"

#include <algorithm>
#include <array>
#include <string_view>
#include <vector>

#include "dash/Exception.h"
#include "dash/dart/Transfer.h"

namespace dash::internal {

namespace {

/// Longer texts are truncated, so that one message of a fixed size suffices.
constexpr std::size_t max_error_text = 1024;

}  // namespace

void require_equal_sizes(std::size_t size, const char* operation, const Team& team) {
  std::vector<std::size_t> sizes(team.size());
  allgather_bytes(&size, sizes.data(), sizeof(size), team);
  for (std::size_t unit = 1; unit < sizes.size(); ++unit) {
    if (sizes[unit] == sizes[0]) continue;
    DASH_THROW(dash::exception::InvalidArgument,
               operation << ": unit " << unit << " passes " << sizes[unit]
                         << " elements, and unit 0 passes " << sizes[0]
                         << "; expected the same number on all units");
  }
}

void or_on_all(const std::uint64_t* own, std::uint64_t* all, std::size_t nwords, const Team& team) {
  if (team.size() == 0) return;
  team.collectives().allreduce(own, all, nwords, DART_TYPE_ULONGLONG, DART_OP_BOR);
}

void sum_on_all(const std::uint64_t* own, std::uint64_t* all, std::size_t n, const Team& team) {
  if (team.size() == 0) return;
  team.collectives().allreduce(own, all, n, DART_TYPE_ULONGLONG, DART_OP_SUM);
}

void agree(const Team& team, const char* operation, const char* error) {
  if (team.size() == 0) {
    if (error != nullptr) DASH_THROW(dash::exception::RuntimeError, operation << ": " << error);
    return;
  }
  // A failed transfer of the caller counts as a failure of the caller.
  const auto failed_transfer = error_of([] { dart::complete_all(); });
  if (error == nullptr && failed_transfer) error = failed_transfer->c_str();
  // The maximum identifies the first unit that failed; it is 0 if none has.
  const int nunits = static_cast<int>(team.size());
  const int mine = error != nullptr ? nunits - team.myid().id : 0;
  int first = 0;
  team.collectives().allreduce(&mine, &first, 1, DART_TYPE_INT, DART_OP_MAX);
  if (first == 0) return;

  throw_on_all(team, operation, team_unit_t(nunits - first), error);
}

void throw_on_all(const Team& team, const char* operation, team_unit_t first, const char* error) {
  std::array<char, max_error_text> text{};
  if (first == team.myid()) {
    const std::string_view message(error);
    message.copy(text.data(), std::min(message.size(), text.size() - 1));
  }
  if (team.size() > 1) team.collectives().bcast(text.data(), text.size(), first.id);
  DASH_THROW(dash::exception::RuntimeError,
             operation << " failed on unit " << first << ": " << text.data());
}

}  // namespace dash::internal
