#include "DashExchange.h"

#include <dash/Init.h>
#include <dash/algorithm/Copy.h>

#include <algorithm>

namespace isx {

namespace {

/// Number of keys counted between two calls of the library, which make progress of the fetches.
constexpr std::size_t chunk_size = 1 << 15;

}  // namespace

DashExchange::DashExchange(std::size_t capacity)
    : _self(dash::myid().id),
      _units(static_cast<int>(dash::size())),
      _capacity(capacity),
      _keys(capacity * dash::size()),
      _ranges(dash::size() * dash::size()),
      _announced(dash::size()),
      _own_ranges(dash::size()),
      _copies(dash::size()) {
  for (const int unit : _keys.team()) {
    if (!_keys.team().is_on_node(dash::team_unit_t(unit))) _has_remote_units = true;
  }
}

void DashExchange::run(std::span<const std::uint64_t> begins, const Consume& consume,
                       kernels::Stopwatch& communication) {
  ++_step;
  std::vector<dash::Future<Keys>> ranges = communication.time([&] {
    announce(begins);
    return receive_all();
  });

  const auto self = static_cast<std::size_t>(_self);
  const std::span<const Key> own =
      send_buffer().subspan(begins[self], begins[self + 1] - begins[self]);
  const std::size_t step = _has_remote_units ? chunk_size : std::max<std::size_t>(own.size(), 1);
  for (std::size_t i = 0; i < own.size(); i += step) {
    consume(own.subspan(i, std::min(step, own.size() - i)));
    if (_has_remote_units) communication.time([] { dash::progress(); });
  }
  for (auto& range : ranges) {
    consume(communication.time([&] { return range.get(); }));
  }
}

void DashExchange::announce(std::span<const std::uint64_t> begins) {
  for (int i = 1; i < _units; ++i) {
    const int to = (_self + i) % _units;
    KeyRange& range = _own_ranges[static_cast<std::size_t>(to)];
    range = {begins[static_cast<std::size_t>(to)], begins[static_cast<std::size_t>(to) + 1]};
    const auto target = _ranges.begin() + static_cast<dash::default_index_t>(to * _units + _self);
    dash::put_signal_async(&range, &range + 1, target,
                           _announced(dash::team_unit_t(to), static_cast<std::size_t>(_self)),
                           _step);
  }
}

std::vector<dash::Future<DashExchange::Keys>> DashExchange::receive_all() {
  std::vector<dash::Future<Keys>> ranges;
  for (int i = 1; i < _units; ++i) {
    const int from = (_self + i) % _units;
    const auto index = static_cast<std::size_t>(from);
    ranges.push_back(_announced[index].when(_step).then(
        [this, from, index](dash::signal_t) { return fetch(from, _ranges.lbegin()[index]); }));
  }
  return ranges;
}

dash::Future<DashExchange::Keys> DashExchange::fetch(int from, const KeyRange& range) {
  const std::size_t count = range.end - range.begin;
  const auto begin = _keys.begin() + static_cast<dash::default_index_t>(
                                         static_cast<std::size_t>(from) * _capacity + range.begin);
  if (count == 0) return dash::Future<Keys>(Keys());
  const Key* const on_node = begin.on_node_address(count);
  if (on_node != nullptr) return dash::Future<Keys>(Keys(on_node, count));

  auto& copy = _copies[static_cast<std::size_t>(from)];
  if (copy.size() < count) copy.resize(count + count / 8);
  const Keys result(copy.data(), count);
  return dash::copy_async(begin, begin + static_cast<dash::default_index_t>(count), copy.data())
      .then([result](Key*) { return result; });
}

}  // namespace isx
