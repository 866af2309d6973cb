#include "dash/WorkQueue.h"

#include <fmt/format.h>

#include <chrono>

#include "dash/Collectives.h"
#include "dash/Exception.h"
#include "dash/algorithm/Operation.h"

namespace dash::internal {

namespace {

/// Time between two attempts to take items of others, doubled after each of them.
constexpr std::uint64_t shortest_idle_ns = 2'000;
constexpr std::uint64_t longest_idle_ns = 200'000;
constexpr std::size_t max_victims_of_other_nodes = 8;

}  // namespace

EndOfWork::EndOfWork(const Team& team)
    : _team(&team),
      _random(static_cast<unsigned>(team.myid().id) + 1),
      _pause_ns(shortest_idle_ns) {
  for (int unit = 0; unit < static_cast<int>(team.size()); ++unit) {
    const team_unit_t id(unit);
    if (id != team.myid()) (team.is_on_node(id) ? _of_node : _others).push_back(id);
  }
}

bool EndOfWork::wait(const Counts& own) {
  if (!_round.valid()) {
    _sums = {own.created, own.completed, own.failed};
    _round =
        allreduce_async(_sums.data(), _sums.data(), _sums.size(), plus<std::uint64_t>(), *_team);
  }
  const bool has_ended = _round.wait_for(std::chrono::nanoseconds(_pause_ns));
  _pause_ns = std::min(2 * _pause_ns, longest_idle_ns);
  if (!has_ended) return false;
  std::exchange(_round, {}).get();
  const bool is_end = _sums[0] == _completed_before;
  _completed_before = _sums[1];
  return is_end;
}

void EndOfWork::reset_pause() noexcept {
  _pause_ns = shortest_idle_ns;
}

const std::vector<team_unit_t>& EndOfWork::victims() {
  std::shuffle(_of_node.begin(), _of_node.end(), _random);
  std::shuffle(_others.begin(), _others.end(), _random);
  const std::size_t num_others = std::min(_others.size(), max_victims_of_other_nodes);
  _victims = _of_node;
  _victims.insert(_victims.end(), _others.begin(),
                  _others.begin() + static_cast<std::ptrdiff_t>(num_others));
  return _victims;
}

void throw_failed_items(std::uint64_t num_failed) {
  throw exception::RuntimeError(
      fmt::format("dash::WorkQueue::run: {} items have failed on other units, which have thrown "
                  "the exceptions",
                  num_failed));
}

}  // namespace dash::internal
