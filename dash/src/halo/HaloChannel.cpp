#include "HaloChannel.h"

#include <cstring>
#include <exception>
#include <utility>

#include "FaceCopy.h"
#include "dash/Exception.h"
#include "dash/async/Engine.h"
#include "dash/core/Settings.h"
#include "dash/core/Statistics.h"
#include "dash/dart/Access.h"
#include "dash/dart/Stream.h"
#include "dash/dart/Transfer.h"

namespace dash::halo::internal {
namespace {

dart_gptr_t at(dart_gptr_t segment, dart_team_unit_t unit, std::size_t offset) {
  if (dart_gptr_setunit(&segment, unit) != DART_OK ||
      dart_gptr_incaddr(&segment, static_cast<std::int64_t>(offset)) != DART_OK) {
    dart::throw_last_error(DART_ERR_INVAL, "a place in halo memory");
  }
  return segment;
}

template <class T>
T* address_on_node(const dart_gptr_t& gptr, std::size_t nbytes) {
  return static_cast<T*>(dart::on_node_address(gptr, nbytes));
}

}  // namespace

/// A send that begins when the neighbour has begun the previous step, and is complete when it is.
/// Made with a reference for each of the two continuations that end it, one after the other, and one
/// for the channel.
class HaloChannel::LateSend final : public exec::State {
 public:
  /// \param begun  complete when the neighbour has begun the previous step
  LateSend(HaloChannel& channel, std::uint64_t step, exec::StatePtr<exec::State> begun) noexcept
      : State(2),
        _channel(channel),
        _step(step),
        _awaited(std::move(begun)),
        _credit(*this),
        _sent(*this) {}

  void start() noexcept {
    if (!_awaited->attach(_credit)) _credit.run();
  }

  exec::Label label() const noexcept override {
    return {"the begin of step {} at unit {}, to send it a halo",
            {static_cast<long>(_step - 1), _channel._link.neighbor.id}};
  }

 private:
  struct Credit final : exec::Continuation {
    explicit Credit(LateSend& send) noexcept : Continuation(Where::inline_), late(send) {}
    void run() noexcept override { late.send(); }
    LateSend& late;
  };
  struct Sent final : exec::Continuation {
    explicit Sent(LateSend& send) noexcept : Continuation(Where::inline_), late(send) {}
    void run() noexcept override { late.end(); }
    LateSend& late;
  };

  void send() noexcept {
    try {
      if (_awaited->failed()) std::rethrow_exception(_awaited->error());
      const auto sending = _channel.send_now(_step);
      _awaited = sending.state();
      if (_awaited && _awaited->attach(_sent)) return;
    } catch (...) {
      set_error(std::current_exception());
    }
    end();
  }
  void end() noexcept {
    if (_awaited && _awaited->failed()) set_error(_awaited->error());
    complete();
    release();
  }

  HaloChannel& _channel;
  std::uint64_t _step;
  exec::StatePtr<exec::State> _awaited;
  Credit _credit;
  Sent _sent;
};

HaloChannel::HaloChannel(HaloLink link, const HaloPlaces& places)
    : _link(std::move(link)), _peer(at(places.segment, _link.neighbor, 0)) {
  for (std::size_t parity = 0; parity < 2; ++parity) {
    const auto slot = places.slot_offset(_link.direction, parity);
    _slots[parity] =
        address_on_node<HaloSlot>(at(places.segment, places.me, slot), sizeof(HaloSlot));
    _signals[parity] = &_slots[parity]->signal;
    const auto halo = at(places.segment, places.me, places.offset(parity, _link.own_offset));
    _halo[parity] = address_on_node<std::byte>(halo, _link.receive_nbytes);

    const auto remote_slot =
        at(places.segment, _link.neighbor, places.slot_offset(_link.opposite, parity));
    _remote_signals[parity] = remote_slot;
    _remote_slots[parity] = address_on_node<HaloSlot>(remote_slot, sizeof(HaloSlot));
    const auto remote =
        at(places.segment, _link.neighbor, places.offset(parity, _link.remote_offset));
    _remote_halo[parity] = address_on_node<std::byte>(remote, _link.nbytes);
  }
}

void HaloChannel::start_receive(std::uint64_t step) {
  if (on_node() || !receives()) return;
  dart::receive_in_stream(_peer, _link.opposite, _halo[step % 2], _link.receive_nbytes,
                          signal(step), static_cast<std::uint32_t>(step));
}

void HaloChannel::start_send(std::uint64_t step) {
  // Between nodes the receiver's part in a transfer is that it receives.
  if (!on_node() || step == 1 || is_signalled(step - 1)) {
    _sending = send_now(step);
    return;
  }
  auto* const late = new LateSend(
      *this, step, dart::when_signal(signal(step - 1), static_cast<std::uint32_t>(step - 1)));
  _sending = exec::Operation(exec::StatePtr<exec::State>::adopt(late));
  late->start();
}

exec::Operation HaloChannel::send_now(std::uint64_t step) {
  if (on_node()) return send_on_node(step);
  if (_link.nbytes == 0) return {};
  const std::byte* source = _link.source;
  if (!_link.levels.empty()) {
    _staging.resize(_link.nbytes);
    pack(_staging.data(), _link);
    source = _staging.data();
  }
  return dart::send_in_stream(_peer, _link.direction, source, _link.nbytes);
}

exec::Operation HaloChannel::send_on_node(std::uint64_t step) {
  const std::size_t parity = step % 2;
  const auto value = static_cast<std::uint32_t>(step);
  // What fits goes with its signal whatever the settings say: take() at the receiver looks there.
  const bool in_slot = _link.nbytes <= sizeof(HaloSlot::data);
  if (in_slot || _link.nbytes < core::settings().copy_queue_min) {
    if (_link.nbytes != 0) {
      // The signal's line comes while the data is written, instead of afterwards.
      __builtin_prefetch(_remote_slots[parity], 1);
      std::byte* const to = in_slot ? _remote_slots[parity]->data.data() : _remote_halo[parity];
      pack(to, _link);
    }
    core::count(core::OperationKind::signal, core::OperationPath::memory, _link.nbytes);
    // Its release orders the data before it.
    dart::raise_signal(_remote_slots[parity]->signal, value, dart::SignalOp::set);
    return {};
  }
  core::count(core::OperationKind::signal, core::OperationPath::queue, _link.nbytes);
  auto& engine = exec::Engine::instance();
  std::byte* const to = _remote_halo[parity];
  const auto copy = _link.levels.empty() ? engine.copy_async(to, _link.source, _link.nbytes)
                                         : engine.copy_async(*new FaceCopy(to, _link));
  dart::raise_after(copy, _remote_signals[parity], value, dart::SignalOp::set,
                    dart::SignalFlush::ignores);
  return copy;
}

void HaloChannel::take(std::uint64_t step) noexcept {
  if (!on_node() || _link.receive_nbytes > sizeof(HaloSlot::data)) return;
  std::memcpy(_halo[step % 2], _slots[step % 2]->data.data(), _link.receive_nbytes);
}

void HaloChannel::send_nothing_real() {
  if (_link.nbytes == 0) return;
  _staging.resize(_link.nbytes);
  _link.source = _staging.data();
  _link.block_nbytes = _link.nbytes;
  _link.levels.clear();
}

}  // namespace dash::halo::internal
