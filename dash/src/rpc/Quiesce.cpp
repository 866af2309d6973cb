// Detection of the end of all remote procedure calls.
//
// Each unit counts the calls that it has sent and those that have ended (CallCounts). The units add up both counts again
// and again, until the number of calls that had ended in one round is that of the calls sent in the next round (the
// four-counter method of Mattern). Every unit contributes to the second sum after all units have contributed to the first
// one. Let t be a time between the two. The counts only grow, so
//
//     ended(first round) <= ended(t) <= sent(t) <= sent(second round).
//
// If the first and the last are equal, all are, so no call is pending at t. If only pending calls start further ones,
// there are none after t either. Tasks that a call has started and has not waited for, and continuations, may start calls
// later: quiesce() does not cover them, and finish_calls() waits for all tasks before each round.

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstdint>

#include "dash/Exception.h"
#include "dash/Rpc.h"
#include "dash/async/Engine.h"
#include "dash/async/Watch.h"
#include "dash/core/Clock.h"
#include "dash/dart/Collective.h"
#include "dash/dart/if/dart.h"
#include "rpc/BatchRegistry.h"
#include "rpc/CallCounts.h"

namespace dash {

namespace internal {

/// The counts of one team, or of all.
struct Totals {
  std::uint64_t sent = 0;
  std::uint64_t ended = 0;
  std::uint64_t unfinished = 0;

  bool operator==(const Totals&) const = default;
  void add(const CallCounts& counts) noexcept {
    ended += counts.ended();
    sent += counts.sent();
    unfinished += counts.unfinished();
  }
};

/// Pause between two rounds, unless a count of this unit changes. It doubles with each round.
constexpr std::uint64_t shortest_pause_ns = 2'000;
constexpr std::uint64_t longest_pause_ns = 200'000;

/// Returns when all calls have ended.
/// \param prepare    called before each round
/// \param counts     returns the totals of this unit
/// \param has_error  whether a call of this unit has failed
/// \returns the number of units on which one has
template <class Prepare, class Counts, class HasError>
static std::uint64_t wait_until_quiet(const Team& team, const Prepare& prepare,
                                      const Counts& counts, const HasError& has_error) {
  const exec::Purpose purpose("the end of all remote procedure calls");
  exec::Engine& engine = exec::Engine::instance();
  std::uint64_t ended_before = ~std::uint64_t{0};
  std::uint64_t pause_ns = shortest_pause_ns;
  while (true) {
    prepare();
    open_batches().flush(true);
    engine.progress();  // receives calls that have arrived: the waits may end without a poll
    engine.wait_until([&] { return counts().unfinished == 0; });
    const Totals own = counts();
    std::array<std::uint64_t, 3> sums{own.sent, own.ended, has_error() ? 1U : 0U};
    team.collectives().allreduce(sums.data(), sums.data(), sums.size(), DART_TYPE_ULONGLONG,
                                 DART_OP_SUM);
    if (sums[0] == ended_before) return sums[2];
    ended_before = sums[1];
    if (sums[0] == sums[1]) continue;
    // The progress thread may need this processor to execute calls: this wait sleeps if it takes long.
    engine.wait_until([&] { return counts() != own; }, core::now_ns() + pause_ns);
    pause_ns = std::min(2 * pause_ns, longest_pause_ns);
  }
}

void finish_calls(exec::FunctionRef<void()> finish_tasks) {
  const auto all_teams = [] {
    Totals totals;
    for (const CallCounts* counts = CallCounts::latest(); counts != nullptr;
         counts = counts->next())
      totals.add(*counts);
    return totals;
  };
  wait_until_quiet(Team::All(), finish_tasks, all_teams, [] { return false; });
}

}  // namespace internal

void quiesce(const Team& team) {
  if (exec::in_job()) {
    throw exception::RuntimeError(
        "dash::quiesce in a task might wait for that task; call it outside of tasks");
  }
  auto& counts = internal::CallCounts::of_team(team.dart_id());
  std::exception_ptr error;
  const std::uint64_t failed = internal::wait_until_quiet(
      team, [] {},
      [&] {
        internal::Totals totals;
        totals.add(counts);
        return totals;
      },
      [&] {
        if (error == nullptr) error = counts.take_error();
        return error != nullptr;
      });
  if (error != nullptr) std::rethrow_exception(error);
  if (failed != 0) {
    throw exception::RuntimeError(
        fmt::format("functions of calls without a reply have failed on {} of {} units; their logs "
                    "have the errors",
                    failed, team.size()));
  }
}

}  // namespace dash
