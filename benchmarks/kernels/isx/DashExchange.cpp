#include "DashExchange.h"

#include <dash/Init.h>
#include <dash/algorithm/Copy.h>

#include <algorithm>

namespace isx {

namespace {

/// Keys that are counted between two calls of the library, so that it fetches meanwhile.
constexpr std::size_t keys_at_once = 1 << 15;

}  // namespace

DashExchange::DashExchange(std::size_t capacity)
    : _self(dash::myid().id),
      _units(static_cast<int>(dash::size())),
      _capacity(capacity),
      _keys(capacity * dash::size()),
      _pieces(dash::size() * dash::size()),
      _told(dash::size()),
      _own_pieces(dash::size()),
      _copies(dash::size()) {
  for (const int unit : _keys.team()) {
    if (!_keys.team().is_on_node(dash::team_unit_t(unit))) _has_others = true;
  }
}

void DashExchange::run(std::span<const std::uint64_t> begins, const Consume& consume,
                       kernels::Stopwatch& communication) {
  ++_step;
  std::vector<dash::Future<Keys>> pieces = communication.time([&] {
    tell(begins);
    return receive_all();
  });

  const auto self = static_cast<std::size_t>(_self);
  const std::span<const Key> own = room().subspan(begins[self], begins[self + 1] - begins[self]);
  const std::size_t step = _has_others ? keys_at_once : std::max<std::size_t>(own.size(), 1);
  for (std::size_t i = 0; i < own.size(); i += step) {
    consume(own.subspan(i, std::min(step, own.size() - i)));
    if (_has_others) communication.time([] { dash::progress(); });
  }
  for (auto& piece : pieces) {
    consume(communication.time([&] { return piece.get(); }));
  }
}

void DashExchange::tell(std::span<const std::uint64_t> begins) {
  for (int i = 1; i < _units; ++i) {
    const int to = (_self + i) % _units;
    Piece& piece = _own_pieces[static_cast<std::size_t>(to)];
    piece = {begins[static_cast<std::size_t>(to)], begins[static_cast<std::size_t>(to) + 1]};
    const auto place = _pieces.begin() + static_cast<dash::default_index_t>(to * _units + _self);
    dash::put_signal_async(&piece, &piece + 1, place,
                           _told(dash::team_unit_t(to), static_cast<std::size_t>(_self)), _step);
  }
}

std::vector<dash::Future<DashExchange::Keys>> DashExchange::receive_all() {
  std::vector<dash::Future<Keys>> pieces;
  for (int i = 1; i < _units; ++i) {
    const int from = (_self + i) % _units;
    const auto place = static_cast<std::size_t>(from);
    pieces.push_back(_told[place].when(_step).then(
        [this, from, place](dash::signal_t) { return fetch(from, _pieces.lbegin()[place]); }));
  }
  return pieces;
}

dash::Future<DashExchange::Keys> DashExchange::fetch(int from, const Piece& piece) {
  const std::size_t count = piece.end - piece.begin;
  const auto begin = _keys.begin() + static_cast<dash::default_index_t>(
                                         static_cast<std::size_t>(from) * _capacity + piece.begin);
  if (count == 0) return dash::Future<Keys>(Keys());
  const Key* const here = begin.on_node_address(count);
  if (here != nullptr) return dash::Future<Keys>(Keys(here, count));

  auto& copy = _copies[static_cast<std::size_t>(from)];
  if (copy.size() < count) copy.resize(count + count / 8);
  const Keys result(copy.data(), count);
  return dash::copy_async(begin, begin + static_cast<dash::default_index_t>(count), copy.data())
      .then([result](Key*) { return result; });
}

}  // namespace isx
