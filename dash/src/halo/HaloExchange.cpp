#include "dash/halo/HaloExchange.h"

#include <algorithm>
#include <cstring>
#include <new>
#include <string>
#include <utility>

#include "dash/Exception.h"
#include "dash/async/Watch.h"
#include "dash/core/Log.h"
#include "dash/dart/Access.h"
#include "dash/halo/HaloChecks.h"

namespace dash::halo::internal {
namespace {

constexpr std::size_t line_nbytes = 64;

constexpr std::size_t round_up(std::size_t nbytes) {
  return (nbytes + line_nbytes - 1) / line_nbytes * line_nbytes;
}

void check(dart_ret_t ret, const char* what) {
  if (ret != DART_OK) dart::throw_last_error(ret, what);
}

/// The caller's own address of an aligned segment.
std::byte* own_address(dart_gptr_t segment, dart_team_unit_t me) {
  void* address = nullptr;
  check(dart_gptr_setunit(&segment, me), "dart_gptr_setunit");
  check(dart_gptr_getaddr(segment, &address), "dart_gptr_getaddr");
  return static_cast<std::byte*>(address);
}

dart_gptr_t at(dart_gptr_t segment, dart_team_unit_t unit, std::size_t offset) {
  check(dart_gptr_setunit(&segment, unit), "dart_gptr_setunit");
  check(dart_gptr_incaddr(&segment, static_cast<std::int64_t>(offset)), "dart_gptr_incaddr");
  return segment;
}

/// Copies the blocks of the levels [0, nlevels) to contiguous memory; returns the end of the copy.
std::byte* pack(std::byte* to, const std::byte* from, const HaloLink& link, std::size_t nlevels) {
  if (nlevels == 0) {
    std::memcpy(to, from, link.block_nbytes);
    return to + link.block_nbytes;
  }
  const auto& level = link.levels[nlevels - 1];
  for (std::size_t i = 0; i < level.count; ++i) {
    to = pack(to, from + i * level.stride_nbytes, link, nlevels - 1);
  }
  return to;
}

}  // namespace

HaloExchange::HaloExchange(Team& team, region_index_t num_regions, std::size_t capacity_nbytes,
                           std::vector<HaloLink> links, std::vector<HaloRange> custom)
    : _team(team),
      _num_regions(num_regions),
      _channels(std::make_unique<Channel[]>(links.size())),
      _num_channels(links.size()),
      _by_region(num_regions, nullptr),
      _custom(std::move(custom)) {
  allocate(capacity_nbytes);
  // The network first: its transfers proceed while those on the node are copied.
  std::stable_partition(links.begin(), links.end(), [this](const HaloLink& link) {
    return dart::on_node_address(at(_segment, link.neighbor, 0), 1) == nullptr;
  });
  const std::size_t memory_offset = num_regions * sizeof(SignalPair);
  for (std::size_t c = 0; c < _num_channels; ++c) {
    auto& channel = _channels[c];
    channel.link = std::move(links[c]);
    connect(channel, memory_offset, round_up(capacity_nbytes));
    _by_region[channel.link.direction] = &channel;
    _num_receives += channel.link.receives ? 1 : 0;
  }
  _pending.store(_num_receives, std::memory_order_relaxed);
  // Nobody may send here before the signals exist.
  _team.barrier();
  _team.register_deallocator(this, [this] { release(); });
}

HaloExchange::~HaloExchange() {
  if (DART_GPTR_ISNULL(_segment)) return;
  try {
    _team.unregister_deallocator(this, [this] { release(); });
    release();
  } catch (const std::exception& error) {
    // The units went apart before; there is nobody left to tell but the log.
    core::log(core::LogLevel::error, std::string("halo memory not released: ") + error.what());
  }
}

// Signals of all regions, then the halo memory of both parities.
void HaloExchange::allocate(std::size_t capacity_nbytes) {
  const std::size_t signals_nbytes = _num_regions * sizeof(SignalPair);
  const std::size_t memory_nbytes = round_up(capacity_nbytes);
  check(dart_team_memalloc_aligned(_team.dart_id(), signals_nbytes + 2 * memory_nbytes,
                                   DART_TYPE_BYTE, &_segment),
        "allocation of halo memory");
  std::byte* own = own_address(_segment, _team.myid());
  for (region_index_t region = 0; region < _num_regions; ++region) {
    new (own + region * sizeof(SignalPair)) SignalPair{};
  }
  _memory = {own + signals_nbytes, own + signals_nbytes + memory_nbytes};
  _current = _memory[0];
}

void HaloExchange::connect(Channel& channel, std::size_t memory_offset, std::size_t memory_nbytes) {
  const auto& link = channel.link;
  auto* signals = reinterpret_cast<SignalPair*>(own_address(_segment, _team.myid()));
  for (std::size_t parity = 0; parity < 2; ++parity) {
    channel.signal[parity] = &signals[link.direction].of_parity[parity];
    channel.remote_signal[parity] =
        at(_segment, link.neighbor,
           link.opposite * sizeof(SignalPair) + parity * sizeof(dart::Signal));
    channel.remote_memory[parity] =
        at(_segment, link.neighbor, memory_offset + parity * memory_nbytes + link.remote_offset);
  }
}

void HaloExchange::release() {
  const auto segment = std::exchange(_segment, DART_GPTR_NULL);
  if (DART_GPTR_ISNULL(segment)) return;
  // The neighbours' sends of a last step that nobody waited for may still be under way. They must
  // not arrive in memory that others use by then; that a send is complete says nothing of its
  // signal, so it is the receivers who wait, if there is something to wait for.
  complete_sends();
  if (!all_units_agree(_team, _step)) {
    core::log(core::LogLevel::error,
              "the units started different numbers of halo updates, this one " +
                  std::to_string(_step) + "; the halo memory is kept until the library ends");
    return;
  }
  if (_step != 0) wait_for_signals();
  _memory = {};
  _current = nullptr;
  check(dart_team_memfree(segment), "release of halo memory");
}

void HaloExchange::wait_for_signals() {
  for (std::size_t c = 0; c < _num_channels; ++c) {
    const exec::Purpose purpose("the halo of step {} from unit {}", _step,
                                _channels[c].link.neighbor.id);
    dart::wait_signal(*_channels[c].signal[_step % 2], static_cast<std::uint32_t>(_step));
  }
}

void HaloExchange::prepare() {
  if (_step != 0) {
    wait_for_signals();
    complete_sends();
    if (_keep_custom.load(std::memory_order_relaxed)) copy_custom();
  }
  ++_step;
  _current = _memory[_step % 2];
  for (std::size_t c = 0; c < _num_channels; ++c) {
    _channels[c].arrived.store(false, std::memory_order_relaxed);
  }
  _pending.store(_num_receives, std::memory_order_release);
  for (std::size_t c = 0; c < _num_channels; ++c) {
    send(_channels[c]);
  }
}

void HaloExchange::send(Channel& channel) {
  const auto& link = channel.link;
  const auto value = static_cast<std::uint32_t>(_step);
  const auto memory = channel.remote_memory[_step % 2];
  const auto signal = channel.remote_signal[_step % 2];
  if (link.levels.empty()) {
    channel.send = dart::put_signal(memory, link.source, link.nbytes, signal, value);
  } else if (link.levels.size() == 1) {
    const auto& rows = link.levels.front();
    channel.send = dart::put_strided_signal(memory, link.source, link.block_nbytes,
                                            rows.stride_nbytes, rows.count, signal, value);
  } else if (void* direct = dart::on_node_address(memory, link.nbytes); direct != nullptr) {
    pack(static_cast<std::byte*>(direct), link.source, link, link.levels.size());
    // The signal's release store orders the packed data before it.
    channel.send = dart::put_signal(memory, nullptr, 0, signal, value);
  } else {
    channel.staging.resize(link.nbytes);
    pack(channel.staging.data(), link.source, link, link.levels.size());
    channel.send = dart::put_signal(memory, channel.staging.data(), link.nbytes, signal, value);
  }
}

void HaloExchange::expect(region_index_t region) {
  if (region >= _num_regions) {
    DASH_THROW(exception::OutOfRange,
               "halo region " << region << ": there are " << _num_regions << " regions");
  }
  if (_step == 0) {
    DASH_THROW(exception::RuntimeError,
               "update of halo region " << region << " alone needs prepare_update() first");
  }
  auto* channel = channel_of(region);
  if (channel == nullptr) return;
  if (channel->expected_step == _step) {
    DASH_THROW(exception::RuntimeError, "halo region "
                                            << region << " was already updated in step " << _step
                                            << ": the next update needs prepare_update() first");
  }
  channel->expected_step = _step;
}

void HaloExchange::expect_all() {
  for (std::size_t c = 0; c < _num_channels; ++c) {
    _channels[c].expected_step = _step;
  }
}

void HaloExchange::wait(region_index_t region) {
  auto* channel = channel_of(region);
  if (channel == nullptr || _step == 0) return;
  require(region);
  channel->send.wait();
  // Who waits for regions one by one also expects the boundary to be free after the last of them.
  if (!pending()) complete_sends();
}

void HaloExchange::wait() {
  if (_step == 0) return;
  for (std::size_t c = 0; c < _num_channels; ++c) {
    auto& channel = _channels[c];
    if (channel.expected_step == _step) require(channel.link.direction);
  }
  complete_sends();
}

void HaloExchange::require(region_index_t region) {
  auto* channel = channel_of(region);
  if (channel == nullptr || !channel->link.receives) return;
  if (channel->arrived.load(std::memory_order_acquire)) return;
  if (_step == 0) {
    DASH_THROW(exception::RuntimeError,
               "an element of halo region "
                   << region
                   << " was read in step 0: its update was never started (update, update_async)");
  }
  const exec::Purpose purpose("the halo of step {} from unit {}", _step, channel->link.neighbor.id);
  dart::wait_signal(*channel->signal[_step % 2], static_cast<std::uint32_t>(_step));
  arrive(*channel);
}

bool HaloExchange::test(region_index_t region) {
  auto* channel = channel_of(region);
  if (channel == nullptr || !channel->link.receives) return true;
  if (channel->arrived.load(std::memory_order_acquire)) return true;
  if (_step == 0 ||
      !dart::test_signal(*channel->signal[_step % 2], static_cast<std::uint32_t>(_step))) {
    return false;
  }
  arrive(*channel);
  return true;
}

void HaloExchange::arrive(Channel& channel) {
  if (!channel.arrived.exchange(true, std::memory_order_acq_rel)) {
    _pending.fetch_sub(1, std::memory_order_acq_rel);
  }
}

void HaloExchange::complete_sends() {
  for (std::size_t c = 0; c < _num_channels; ++c) {
    _channels[c].send.wait();
  }
}

void HaloExchange::copy_custom() {
  const std::byte* from = _memory[_step % 2];
  std::byte* to = _memory[(_step + 1) % 2];
  for (const auto& range : _custom) {
    std::memcpy(to + range.offset, from + range.offset, range.nbytes);
  }
}

HaloExchange::Channel* HaloExchange::channel_of(region_index_t region) const {
  return region < _num_regions ? _by_region[region] : nullptr;
}

}  // namespace dash::halo::internal
