#include "DashExchange.h"

#include <dash/Algorithm.h>

#include <algorithm>
#include <functional>
#include <optional>

namespace histogram {

DashExchange::DashExchange(const Problem& problem, Combining combining, dash::Team& team)
    : _team(team),
      _combining(combining),
      _bins(problem.bins()),
      _histogram(problem.bins(), dash::BLOCKED, team),
      _counts(problem.bins() * team.size(), dash::BLOCKED, team),
      _fetched(combining == Combining::gather ? _histogram.lsize() * team.size() : 0) {}

void DashExchange::reset() {
  std::fill(_histogram.lbegin(), _histogram.lend(), 0);
  _team.barrier();
}

void DashExchange::add(const std::vector<Key>& keys, kernels::Stopwatch& communication) {
  if (_combining == Combining::keys) return add_each(keys);
  count(keys, {_counts.lbegin(), _bins});
  communication.time([&] { _combining == Combining::gather ? gather() : accumulate(); });
}

/// What is on the node is added where it is, while the rest is on its way.
void DashExchange::gather() {
  _team.barrier();
  const std::size_t size = _histogram.lsize();
  if (size == 0) return;
  const auto add = [&](const Count* counts) {
    std::transform(counts, counts + size, _histogram.lbegin(), _histogram.lbegin(), std::plus<>());
  };
  const auto first = _histogram.pattern().global(0);
  std::vector<const Count*> on_node;
  std::vector<dash::Future<Count*>> fetched;
  for (std::size_t unit = 0; unit < _team.size(); ++unit) {
    const auto counts = _counts.begin() + static_cast<std::ptrdiff_t>(unit * _bins) + first;
    if (const Count* const address = counts.on_node_address(size)) {
      on_node.push_back(address);
    } else {
      fetched.push_back(dash::copy_async(counts, counts + static_cast<std::ptrdiff_t>(size),
                                         _fetched.data() + unit * size));
    }
  }
  for (const Count* counts : on_node)
    add(counts);
  for (auto& counts : fetched)
    add(counts.get() - size);
}

void DashExchange::accumulate() {
  dash::transform(_counts.lbegin(), _counts.lend(), _histogram.begin(), _histogram.begin(),
                  dash::plus<Count>());
}

void DashExchange::add_each(const std::vector<Key>& keys) {
  using Bin = dash::Atomic<Count>;
  for (const Key key : keys)
    dash::GlobAsyncRef<Bin>(dash::GlobRef<Bin>(_histogram[key])).add(1);
  _histogram.flush();
}

void DashExchange::collect(Count* histogram) {
  _team.barrier();
  if (_team.myid() == 0) dash::copy(_histogram.begin(), _histogram.end(), histogram);
  _team.barrier();
}

}  // namespace histogram
