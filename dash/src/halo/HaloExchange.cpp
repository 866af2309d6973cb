#include "dash/halo/exchange/HaloExchange.h"

#include <algorithm>
#include <chrono>
#include <cstring>
#include <exception>
#include <mutex>
#include <new>
#include <string>
#include <utility>

#include "HaloChannel.h"
#include "dash/Exception.h"
#include "dash/Future.h"
#include "dash/async/Engine.h"
#include "dash/async/Watch.h"
#include "dash/core/Log.h"
#include "dash/dart/Access.h"
#include "dash/dart/Stream.h"
#include "dash/dart/Transfer.h"
#include "dash/halo/exchange/HaloChecks.h"
#include "halo/ExchangeRegistry.h"

namespace dash::halo::internal {
namespace {

constexpr std::size_t line_nbytes = 64;

/// Number of polls for any of several regions before futures are created to wait for them.
constexpr int max_polls_for_any = 16;

constexpr std::size_t round_up(std::size_t nbytes) {
  return (nbytes + line_nbytes - 1) / line_nbytes * line_nbytes;
}

void check(dart_ret_t ret, const char* what) {
  if (ret != DART_OK) dart::throw_last_error(ret, what);
}

/// The caller's address of an aligned segment.
std::byte* own_address(dart_gptr_t segment, dart_team_unit_t me) {
  void* address = nullptr;
  check(dart_gptr_setunit(&segment, me), "dart_gptr_setunit");
  check(dart_gptr_getaddr(segment, &address), "dart_gptr_getaddr");
  return static_cast<std::byte*>(address);
}

}  // namespace

HaloExchange::HaloExchange(Team& team, region_index_t num_regions, std::size_t capacity_nbytes,
                           std::vector<HaloLink> links, std::vector<HaloRange> custom)
    : _team(team),
      _num_regions(num_regions),
      _exceptions(std::uncaught_exceptions()),
      _by_region(num_regions, nullptr),
      _custom(std::move(custom)),
      _is_kept(std::make_unique<std::atomic<bool>[]>(num_regions)) {
  allocate(capacity_nbytes);
  const ExchangeLayout layout{_segment, _team.myid(), 2 * num_regions * sizeof(HaloSlot),
                              round_up(capacity_nbytes)};
  for (HaloLink& link : links) {
    auto& channel = *_channels.emplace_back(std::make_unique<HaloChannel>(std::move(link), layout));
    _by_region[channel.link().direction] = &channel;
    _num_receives += channel.receives() ? 1 : 0;
  }
  _pending.store(_num_receives, std::memory_order_relaxed);
  check_streams();
  join_streams();
  _team.register_deallocator(this, [this] { release(); });
  ExchangeRegistry::instance().add(*this);
}

HaloExchange::~HaloExchange() {
  if (DART_GPTR_ISNULL(_segment)) return;
  try {
    _team.unregister_deallocator(this, [this] { release(); });
    release();
  } catch (const std::exception& error) {
    // The units are no longer synchronized, so the error can only be logged.
    core::log(core::LogLevel::error, std::string("halo memory not released: ") + error.what());
  }
}

void HaloExchange::allocate(std::size_t capacity_nbytes) {
  const std::size_t slots = 2 * std::size_t{_num_regions};
  const std::size_t memory_nbytes = round_up(capacity_nbytes);
  _segment_nbytes = slots * sizeof(HaloSlot) + 2 * memory_nbytes;
  check(dart_team_memalloc_aligned(_team.dart_id(), _segment_nbytes, DART_TYPE_BYTE, &_segment),
        "allocation of halo memory");
  std::byte* own = own_address(_segment, _team.myid());
  for (std::size_t slot = 0; slot < slots; ++slot) {
    new (own + slot * sizeof(HaloSlot)) HaloSlot{};
  }
  _memory[0] = own + slots * sizeof(HaloSlot);
  _memory[1] = _memory[0] + memory_nbytes;
  _current = _memory[0];
}

/// Checks that there are enough streams to all neighbours on other nodes; throws on all units or on
/// none. Afterwards the signals of all units exist, so any unit may send.
void HaloExchange::check_streams() {
  std::uint64_t most = 0;
  for (const auto& channel : _channels) {
    if (!channel->on_node()) most = std::max<std::uint64_t>(most, streams_of(*channel).all);
  }
  most = max_over_team(_team, most);
  const auto available = dart::num_streams(_segment);
  if (most <= available) return;
  check(dart_team_memfree(std::exchange(_segment, DART_GPTR_NULL)), "release of halo memory");
  DASH_THROW(exception::InvalidArgument,
             "a halo of " << _num_regions << " regions needs " << most
                          << " streams between two units on different nodes, but only " << available
                          << " are available; use fewer dimensions or CYCLIC borders");
}

/// A unit may be the neighbour in several directions. Both ends number the streams in the order of
/// the sender's directions.
HaloExchange::StreamNumbers HaloExchange::streams_of(const HaloChannel& channel) const {
  StreamNumbers numbers;
  const HaloLink& link = channel.link();
  for (const auto& other : _channels) {
    if (other->link().neighbour.id != link.neighbour.id) continue;
    ++numbers.all;
    numbers.outgoing += other->link().direction < link.direction ? 1 : 0;
    numbers.incoming += other->link().opposite < link.opposite ? 1 : 0;
  }
  return numbers;
}

void HaloExchange::join_streams() {
  _streams = std::make_unique<dart::StreamEndpoints>();
  for (const auto& channel : _channels) {
    if (channel->on_node()) continue;
    const StreamNumbers numbers = streams_of(*channel);
    channel->join(*_streams, numbers.outgoing, numbers.incoming);
  }
}

void HaloExchange::release() {
  const auto segment = std::exchange(_segment, DART_GPTR_NULL);
  if (DART_GPTR_ISNULL(segment)) return;
  wait_until_all_release();
  ExchangeRegistry::instance().remove(*this);
  // Data of a last step that a unit has not waited for may still be in flight. It must not arrive
  // after the memory is reused. A completed send does not imply that its signal has arrived, so the
  // receivers wait.
  catch_up(max_over_team(_team, step()));
  for (const auto& channel : _channels) {
    // The data of the two steps may arrive in any order.
    if (step() > 1) wait_for_arrival(*channel, step() - 1);
    if (step() != 0) wait_for_arrival(*channel, step());
  }
  complete_sends();
  const exec::Purpose purpose("completion of the futures of halo regions");
  exec::Engine::instance().wait_until(
      [this] { return _awaited.load(std::memory_order_acquire) == 0; });
  // Completes the futures of sends.
  exec::Engine::instance().progress();
  _memory = {};
  _current = nullptr;
  _streams.reset();
  // A send completes before its signal is raised, which accesses the segment. After the barrier,
  // all signals of all units have arrived.
  _team.barrier();
  check(dart_team_memfree(segment), "release of halo memory");
}

/// Returns when all units release the exchange. If an exception unwinds this unit's stack, its
/// neighbours wait for steps that it will not begin; until the release, it takes part in them.
void HaloExchange::wait_until_all_release() {
  const exec::Purpose purpose("the release of a halo by all units, after {} steps", step());
  const Future<void> all = _team.barrier_async();
  if (std::uncaught_exceptions() > _exceptions) {
    core::log(core::LogLevel::warn, "an exception destroys a halo of this unit, after " +
                                        std::to_string(step()) +
                                        " halo updates; other units receive zeros from it");
    while (!all.wait_for(std::chrono::milliseconds(1)))
      ExchangeRegistry::instance().follow_neighbours();
  }
  all.wait();
}

void HaloExchange::follow_neighbours() {
  const bool is_behind =
      std::any_of(_channels.begin(), _channels.end(),
                  [this](const auto& channel) { return channel->is_ahead(step()); });
  if (!is_behind) return;
  _has_followed = true;
  begin_empty_steps(step() + 1);
}

/// Units that have begun fewer steps than others begin the missing steps, since the others wait for
/// them.
void HaloExchange::catch_up(std::uint64_t step) {
  if (this->step() == step) return;
  core::log(core::LogLevel::warn, "this unit has started " + std::to_string(this->step()) +
                                      " halo updates, another unit " + std::to_string(step));
  begin_empty_steps(step);
}

/// Begins all steps up to `step`, sending zeros.
void HaloExchange::begin_empty_steps(std::uint64_t step) {
  complete_sends();
  for (const auto& channel : _channels) {
    channel->send_zeros();
  }
  while (this->step() != step) {
    begin_step();
  }
}

void HaloExchange::prepare() {
  if (_has_followed) {
    DASH_THROW(
        exception::RuntimeError,
        "a halo update after step "
            << step() << ", in which this unit sent zeros to its neighbours "
            << "because an exception destroyed another halo; its steps no longer match theirs");
  }
  if (_uses.load(std::memory_order_acquire) != 0) {
    DASH_THROW(exception::RuntimeError,
               "a halo update while a task of stencil_for_async still computes step "
                   << step() << ": wait for its future first");
  }
  copy_kept_regions();
  begin_step();
}

void HaloExchange::begin_step() {
  complete_sends();
  const std::uint64_t step = this->step() + 1;
  if (step > 2) {
    // Usually returns immediately.
    for (const auto& channel : _channels) {
      if (!channel->on_node()) wait_for_arrival(*channel, step - 2);
    }
  }
  {
    std::lock_guard lock(_lock);
    _step.store(step, std::memory_order_relaxed);
    _current = _memory[step % 2];
    _pending.store(_num_receives, std::memory_order_release);
  }
  // Starts network transfers first, so that they proceed while data within the node is copied.
  _starting.clear();
  for (const auto& channel : _channels) {
    if (!channel->on_node()) channel->make_ready(step, _starting);
  }
  if (!_starting.empty()) _streams->start(_starting, static_cast<std::uint32_t>(step));
  for (const auto& channel : _channels) {
    if (channel->on_node()) channel->start_send(step);
  }
}

void HaloExchange::expect(region_index_t region) {
  const std::uint64_t step = this->step();
  if (region >= _num_regions) {
    DASH_THROW(exception::OutOfRange,
               "halo region " << region << ": there are " << _num_regions << " regions");
  }
  if (step == 0) {
    DASH_THROW(exception::RuntimeError,
               "update of halo region " << region << ": call prepare_update() first");
  }
  auto* channel = channel_of(region);
  if (channel == nullptr) return;
  if (channel->is_expected(step)) {
    DASH_THROW(exception::RuntimeError, "halo region "
                                            << region << " was already updated in step " << step
                                            << "; call prepare_update() before the next update");
  }
  channel->expected.store(step, std::memory_order_relaxed);
}

void HaloExchange::expect_all() {
  for (const auto& channel : _channels) {
    channel->expected.store(step(), std::memory_order_relaxed);
  }
}

void HaloExchange::wait_for_arrival(HaloChannel& channel, std::uint64_t step) {
  if (!channel.is_signalled() || channel.is_signalled(step)) return;
  const exec::Purpose purpose("the halo of step {} from unit {}", step,
                              channel.link().neighbour.id);
  channel.wait_for_signal(step);
}

void HaloExchange::wait(region_index_t region) {
  if (step() == 0) return;
  if (auto* channel = channel_of(region)) {
    if (channel->is_expected(step())) require(region);
    channel->wait_sent();
  }
  // A caller that waits for the regions one by one may write the boundary after the last of them.
  if (!has_unarrived_expected()) complete_sends();
}

/// Whether the arrival of any expected region has not been recorded yet.
bool HaloExchange::has_unarrived_expected() const {
  const std::uint64_t step = this->step();
  return has_pending_regions() &&
         std::any_of(_channels.begin(), _channels.end(), [&](const auto& channel) {
           return channel->receives() && channel->is_expected(step) &&
                  channel->arrived.load(std::memory_order_acquire) != step;
         });
}

void HaloExchange::wait() {
  if (step() == 0) return;
  if (!_starting.empty()) _streams->poll_all_started();
  for (const auto& channel : _channels) {
    if (channel->is_expected(step())) {
      require(channel->link().direction);
    }
  }
  complete_sends();
}

bool HaloExchange::test() {
  if (step() == 0) return true;
  exec::Engine::instance().progress();
  bool done = true;
  for (const auto& channel : _channels) {
    const bool expected = channel->is_expected(step());
    done = done && (!expected || arrived(channel->link().direction)) && channel->has_sent();
  }
  return done;
}

void HaloExchange::wait_for_any(const std::vector<region_index_t>& regions) {
  if (regions.size() == 1) return require(regions.front());
  auto& engine = exec::Engine::instance();
  for (int i = 0; i < max_polls_for_any; ++i) {
    if (std::any_of(regions.begin(), regions.end(),
                    [this](auto region) { return arrived(region); }))
      return;
    engine.progress();
  }
  std::vector<exec::Operation> arrivals;
  for (const region_index_t region : regions)
    arrivals.push_back(arrival(region, step()));
  const exec::Purpose purpose("one of {} halos of step {}", regions.size(), step());
  engine.wait_until([&] {
    return std::any_of(arrivals.begin(), arrivals.end(), [](const exec::Operation& operation) {
      return !operation.state() || operation.state()->done();
    });
  });
}

void HaloExchange::require(region_index_t region) {
  auto* channel = channel_of(region);
  if (channel == nullptr || !channel->receives()) return;
  const std::uint64_t step = this->step();
  if (step != 0 && channel->arrived.load(std::memory_order_acquire) == step) return;
  bool started = step != 0;
#ifdef DASH_ENABLE_ASSERTIONS
  started = started && channel->is_expected(step);
#endif
  if (!started) {
    DASH_THROW(exception::RuntimeError, "an element of halo region " << region
                                                                     << " was read in step " << step
                                                                     << update_never_started);
  }
  wait_for_arrival(*channel, step);
  arrive(*channel, step);
}

bool HaloExchange::arrived(region_index_t region) noexcept {
  auto* channel = channel_of(region);
  if (channel == nullptr || !channel->receives()) return true;
  const std::uint64_t step = this->step();
  if (step == 0) return false;
  if (channel->arrived.load(std::memory_order_acquire) == step) return true;
  if (!channel->is_signalled(step)) return false;
  // A query for a region that was not part of the update must not make it readable.
  if (channel->is_expected(step)) arrive(*channel, step);
  return true;
}

bool HaloExchange::test(region_index_t region) {
  if (arrived(region)) return true;
  exec::Engine::instance().progress();
  return arrived(region);
}

/// Records the arrival of a region's data, once.
void HaloExchange::arrive(HaloChannel& channel, std::uint64_t step) {
  std::lock_guard lock(_lock);
  if (step != this->step() || channel.arrived.load(std::memory_order_relaxed) == step) return;
  channel.unpack_slot(step);
  // Release: a thread that loads the step with acquire sees the halo, including data that is unpacked here.
  channel.arrived.store(step, std::memory_order_release);
  _pending.fetch_sub(1, std::memory_order_release);
}

void HaloExchange::complete_sends() {
  for (const auto& channel : _channels) {
    channel->wait_sent();
  }
}

void HaloExchange::copy_custom(const HaloRange& range) noexcept {
  const std::byte* const from = _memory[step() % 2];
  std::byte* const to = _memory[(step() + 1) % 2];
  std::memcpy(to + range.offset, from + range.offset, range.nbytes);
}

void HaloExchange::copy_kept_regions() noexcept {
  for (const HaloRange& range : _custom) {
    if (_is_kept[range.region].load(std::memory_order_relaxed)) copy_custom(range);
  }
}

void HaloExchange::custom_changed() noexcept {
  for (const HaloRange& range : _custom)
    copy_custom(range);
}

HaloChannel* HaloExchange::channel_of(region_index_t region) const {
  return region < _num_regions ? _by_region[region] : nullptr;
}

}  // namespace dash::halo::internal
