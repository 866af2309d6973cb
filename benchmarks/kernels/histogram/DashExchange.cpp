#include "DashExchange.h"

#include <dash/Algorithm.h>

#include <algorithm>
#include <functional>

#include "support/NodeBlocks.h"

namespace histogram {

namespace {

std::size_t num_locks(std::size_t bins) {
  return (bins + bins_of_lock - 1) / bins_of_lock;
}

bool is_one_node(const dash::Team& team) {
  return std::all_of(team.begin(), team.end(),
                     [&](int unit) { return team.is_on_node(dash::team_unit_t(unit)); });
}

}  // namespace

DashExchange::DashExchange(const Problem& problem, Combining combining, dash::Team& team)
    : _team(team),
      _combining(combining),
      _bins(problem.bins()),
      _block((problem.bins() + team.size() - 1) / team.size()),
      _histogram(problem.bins(), dash::BLOCKED, team),
      _blocks(kernels::blocks_on_node(_histogram)),
      _is_one_node(is_one_node(team)),
      _locks(team.size() * num_locks(_block), team),
      _counts(2 * problem.bins() * team.size(), dash::BLOCKED, team),
      _receive_buffers(
          combining == Combining::gather ? 2 * team.size() * _block * team.size() : team.size(),
          dash::BLOCKED, team),
      _on_node(kernels::blocks_on_node(_counts)),
      _arrived(team.size(), team) {
  const auto own = static_cast<std::size_t>(team.myid().id);
  for (std::size_t unit = 0; unit < team.size(); ++unit)
    _remote_signals.push_back(_arrived(dash::team_unit_t(static_cast<int>(unit)), own));
}

void DashExchange::reset() {
  // Gathering overwrites the histogram.
  if (_combining == Combining::gather) return;
  std::fill(_histogram.lbegin(), _histogram.lend(), 0);
  _team.barrier();
}

void DashExchange::add(const std::vector<Key>& keys, kernels::Stopwatch& communication) {
  ++_round;
  if (_combining != Combining::keys) count(keys, {counts(), _bins});
  communication.time([&] {
    if (_combining == Combining::gather) return gather();
    _combining == Combining::accumulate ? accumulate() : add_each(keys);
    _team.barrier();
  });
}

/// Two buffers are enough: a unit that counts round r + 2 has received the counts of round r + 1 of
/// all other units, which send them after they have read those of round r.
void DashExchange::gather() {
  const auto own = static_cast<std::size_t>(_team.myid().id);
  for (std::size_t distance = 1; distance < _team.size(); ++distance)
    send_to((own + distance) % _team.size());
  std::vector<const Count*> parts{counts() + std::min(own * _block, _bins)};
  for (std::size_t unit = 0; unit < _team.size(); ++unit) {
    if (unit == own) continue;
    _arrived[unit].wait_until(_round);
    parts.push_back(counts_from(unit));
  }
  sum(parts, {_histogram.lbegin(), _histogram.lsize()});
  for (auto& sent : _sent)
    sent.wait();
  _sent.clear();
}

void DashExchange::send_to(std::size_t unit) {
  const std::size_t first = std::min(unit * _block, _bins);
  const std::size_t size = std::min(_block, _bins - first);
  if (_on_node[unit] != nullptr || size == 0) return _remote_signals[unit].set(_round);
  const auto own = static_cast<std::size_t>(_team.myid().id);
  const auto to = 2 * _team.size() * _block * unit + receive_offset(own);
  _sent.push_back(dash::put_signal_async(counts() + first, counts() + first + size,
                                         _receive_buffers.begin() + static_cast<std::ptrdiff_t>(to),
                                         _remote_signals[unit], _round));
}

const Count* DashExchange::counts_from(std::size_t unit) const {
  if (_on_node[unit] == nullptr) return _receive_buffers.lbegin() + receive_offset(unit);
  const auto own = static_cast<std::size_t>(_team.myid().id);
  return _on_node[unit] + _round % 2 * _bins + std::min(own * _block, _bins);
}

void DashExchange::accumulate_on_node() {
  const auto own = static_cast<std::size_t>(_team.myid().id);
  for (std::size_t distance = 0; distance < _team.size(); ++distance) {
    const std::size_t unit = (own + distance) % _team.size();
    const std::size_t first = std::min(unit * _block, _bins);
    const std::size_t size = std::min(_block, _bins - first);
    for (std::size_t begin = 0; begin < size; begin += bins_of_lock) {
      const Count* const added = counts() + first + begin;
      Count* const sums = _blocks[unit] + begin;
      _locks.with(unit * num_locks(_block) + begin / bins_of_lock, [&] {
        std::transform(added, added + std::min(bins_of_lock, size - begin), sums, sums,
                       std::plus<>());
      });
    }
  }
}

void DashExchange::accumulate() {
  if (_is_one_node) return accumulate_on_node();
  dash::transform(counts(), counts() + _bins, _histogram.begin(), _histogram.begin(),
                  dash::plus<Count>());
}

void DashExchange::add_each(const std::vector<Key>& keys) {
  using Bin = dash::Atomic<Count>;
  for (const Key key : keys)
    dash::GlobAsyncRef<Bin>(dash::GlobRef<Bin>(_histogram[key])).add(1);
  _histogram.flush();
}

BinRange DashExchange::own_bins() {
  const auto own = static_cast<std::size_t>(_team.myid().id);
  return {std::min(own * _block, _bins), {_histogram.lbegin(), _histogram.lsize()}};
}

void DashExchange::collect(Count* histogram) {
  _team.barrier();
  if (_team.myid() == 0) dash::copy(_histogram.begin(), _histogram.end(), histogram);
  _team.barrier();
}

}  // namespace histogram
