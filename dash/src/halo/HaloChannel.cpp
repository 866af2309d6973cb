#include "HaloChannel.h"

#include <bit>
#include <cstring>
#include <exception>
#include <utility>

#include "FaceCopy.h"
#include "dash/Exception.h"
#include "dash/async/Engine.h"
#include "dash/async/Watch.h"
#include "dash/core/OtherProcesses.h"
#include "dash/core/Settings.h"
#include "dash/core/Spin.h"
#include "dash/core/Statistics.h"
#include "dash/dart/Access.h"
#include "dash/dart/Transfer.h"

namespace dash::halo::internal {
namespace {

/// Number of polls of a signal before the thread calls the engine. These polls take a fraction of a
/// microsecond, about as long as one poll of the engine. A neighbour that is in the same step has
/// usually raised the signal by then.
constexpr int max_quick_polls = 50;

dart_gptr_t at(dart_gptr_t segment, dart_team_unit_t unit, std::size_t offset) {
  if (dart_gptr_setunit(&segment, unit) != DART_OK ||
      dart_gptr_incaddr(&segment, static_cast<std::int64_t>(offset)) != DART_OK) {
    dart::throw_last_error(DART_ERR_INVAL, "address in halo memory");
  }
  return segment;
}

template <class T>
T* address_on_node(const dart_gptr_t& gptr, std::size_t nbytes) {
  return static_cast<T*>(dart::on_node_address(gptr, nbytes));
}

}  // namespace

void HaloSlot::raise(std::uint64_t step) noexcept {
  static_assert(sizeof signal == sizeof(std::uint64_t));
  using Halves = std::array<std::uint32_t, 2>;
  using Both [[gnu::may_alias]] = std::uint64_t;
  const auto value = static_cast<std::uint32_t>(step);
  // A signal is set in every second step, so its previous value is step - 2, or 0 in the first two
  // steps. Usually no thread sleeps on it, so the other half of the word is 0.
  auto before = std::bit_cast<std::uint64_t>(Halves{step > 2 ? value - 2 : 0, 0});
  const auto after = std::bit_cast<std::uint64_t>(Halves{value, 0});
  core::before_other_processes();
  if (!__atomic_compare_exchange_n(reinterpret_cast<Both*>(&signal), &before, after, false,
                                   __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST)) {
    dart::raise_signal(signal, value, dart::SignalOp::set);
  }
}

/// A send that starts when the neighbour has begun the previous step. Created with one reference
/// for the two continuations, which run one after the other, and one for the channel.
class HaloChannel::DeferredSend final : public exec::State {
 public:
  /// \param begun  completes when the neighbour has begun the previous step
  DeferredSend(HaloChannel& channel, std::uint64_t step, exec::StatePtr<exec::State> begun) noexcept
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
    return {"start of step {} at unit {}, before a halo is sent to it",
            {static_cast<long>(_step - 1), _channel._link.neighbour.id}};
  }

 private:
  struct Credit final : exec::Continuation {
    explicit Credit(DeferredSend& of) noexcept : Continuation(Where::inline_), send(of) {}
    void run() noexcept override { send.send(); }
    DeferredSend& send;
  };
  struct Sent final : exec::Continuation {
    explicit Sent(DeferredSend& of) noexcept : Continuation(Where::inline_), send(of) {}
    void run() noexcept override { send.end(); }
    DeferredSend& send;
  };

  void send() noexcept {
    try {
      if (_awaited->failed()) std::rethrow_exception(_awaited->error());
      const auto sending = _channel.send_on_node(_step);
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

HaloChannel::HaloChannel(HaloLink link, const ExchangeLayout& layout)
    : _link(std::move(link)), _peer(at(layout.segment, _link.neighbour, 0)) {
  for (std::size_t parity = 0; parity < 2; ++parity) {
    const auto slot = layout.slot_offset(_link.direction, parity);
    _slots[parity] =
        address_on_node<HaloSlot>(at(layout.segment, layout.me, slot), sizeof(HaloSlot));
    _signals[parity] = &_slots[parity]->signal;
    const auto halo = at(layout.segment, layout.me, layout.offset(parity, _link.own_offset));
    _halo[parity] = address_on_node<std::byte>(halo, _link.receive_nbytes);

    const auto remote_slot =
        at(layout.segment, _link.neighbour, layout.slot_offset(_link.opposite, parity));
    _remote_signals[parity] = remote_slot;
    _remote_slots[parity] = address_on_node<HaloSlot>(remote_slot, sizeof(HaloSlot));
    const auto remote =
        at(layout.segment, _link.neighbour, layout.offset(parity, _link.remote_offset));
    _remote_halo[parity] = address_on_node<std::byte>(remote, _link.nbytes);
  }
}

void HaloChannel::join(dart::StreamEndpoints& streams, std::uint32_t outgoing,
                       std::uint32_t incoming) {
  _streams = &streams;
  _outgoing = outgoing;
  _incoming = incoming;
  for (std::size_t parity = 0; parity < 2 && receives(); ++parity) {
    _receives[parity] = streams.add_receive(_peer, _incoming, _halo[parity], _link.receive_nbytes,
                                            *_signals[parity]);
  }
  if (_link.nbytes != 0) _send = add_send();
}

dart::StreamEndpoints::Transfer HaloChannel::add_send() {
  if (_link.levels.empty())
    return _streams->add_send(_peer, _outgoing, _link.source, _link.nbytes, _sent);
  if (dart::is_sent_as_blocks(_link.nbytes, _link.block_nbytes)) {
    const dart::StridedBytes blocks{_link.source, _link.block_nbytes, _link.levels};
    return _streams->add_send(_peer, _outgoing, blocks, _link.nbytes, _sent);
  }
  _staging.resize(_link.nbytes);
  return _streams->add_send(_peer, _outgoing, _staging.data(), _link.nbytes, _sent);
}

void HaloChannel::start_send(std::uint64_t step) {
  if (step == 1 || is_signalled(step - 1)) {
    _sending = send_on_node(step);
    return;
  }
  auto* const send = new DeferredSend(
      *this, step, dart::when_signal(signal(step - 1), static_cast<std::uint32_t>(step - 1)));
  _sending = exec::Operation(exec::StatePtr<exec::State>::adopt(send));
  send->start();
}

void HaloChannel::make_ready(std::uint64_t step,
                             std::vector<dart::StreamEndpoints::Transfer>& transfers) {
  if (receives()) transfers.push_back(_receives[step % 2]);
  if (_link.nbytes == 0) return;
  if (packs()) pack(_staging.data(), _link);
  _last_sent = static_cast<std::uint32_t>(step);
  core::count(core::OperationKind::signal, core::OperationPath::two_sided, _link.nbytes);
  transfers.push_back(_send);
}

bool HaloChannel::has_sent() const noexcept {
  if (on_node()) return !_sending.state() || _sending.state()->done();
  return dart::signal_reached(_sent.value.load(std::memory_order_acquire), _last_sent);
}

void HaloChannel::wait_sent() {
  if (on_node()) {
    if (_sending.state()) _sending.wait();
  } else if (!has_sent()) {
    const exec::Purpose purpose("send of the halo of step {} to unit {}", _last_sent,
                                _link.neighbour.id);
    _streams->wait(_sent, _last_sent);
  }
}

exec::Operation HaloChannel::send_completion() {
  if (on_node()) return _sending;
  if (has_sent()) return {};
  return exec::Operation(dart::when_signal(_sent, _last_sent));
}

bool HaloChannel::is_ahead(std::uint64_t own_step) const {
  if (on_node()) return is_signalled(own_step + 1);
  return receives() && _streams->has_arrived(_peer, _incoming);
}

void HaloChannel::wait_for_signal(std::uint64_t step) {
  const auto value = static_cast<std::uint32_t>(step);
  if (!on_node()) return _streams->wait(signal(step), value);
  for (int i = 0; i < max_quick_polls; ++i) {
    if (is_signalled(step)) return;
    core::cpu_relax();
  }
  dart::wait_signal(signal(step), value);
}

exec::Operation HaloChannel::send_on_node(std::uint64_t step) {
  const std::size_t parity = step % 2;
  const auto value = static_cast<std::uint32_t>(step);
  // Small data always goes into the slot, independent of the settings: the receiver's unpack_slot()
  // expects it there.
  const bool in_slot = _link.nbytes <= sizeof(HaloSlot::data);
  if (in_slot || _link.nbytes <= core::settings().copy_queue_min) {
    if (_link.nbytes != 0) {
      // Fetches the signal's cache line while the data is written.
      __builtin_prefetch(_remote_slots[parity], 1);
      std::byte* const to = in_slot ? _remote_slots[parity]->data.data() : _remote_halo[parity];
      push(to, _link);
    }
    core::count(core::OperationKind::signal, core::OperationPath::memory, _link.nbytes);
    // The release of the signal orders the data before it.
    _remote_slots[parity]->raise(step);
    return {};
  }
  core::count(core::OperationKind::signal, core::OperationPath::queue, _link.nbytes);
  auto& engine = exec::Engine::instance();
  std::byte* const to = _remote_halo[parity];
  // FaceCopy stores contiguous data through the caches, too, because the neighbour reads it soon.
  const auto copy = engine.copy_async(*new FaceCopy(to, _link));
  return dart::raise_after(copy, _remote_signals[parity], value, dart::SignalOp::set,
                           dart::SignalFlush::ignores);
}

void HaloChannel::unpack_slot(std::uint64_t step) noexcept {
  if (!on_node() || _link.receive_nbytes > sizeof(HaloSlot::data)) return;
  std::memcpy(_halo[step % 2], _slots[step % 2]->data.data(), _link.receive_nbytes);
}

void HaloChannel::send_zeros() {
  const bool sends_zeros = _link.levels.empty() && _link.source == _staging.data();
  if (_link.nbytes == 0 || sends_zeros) return;
  _staging.assign(_link.nbytes, std::byte());
  _link.source = _staging.data();
  _link.block_nbytes = _link.nbytes;
  _link.levels.clear();
  if (!on_node()) _send = add_send();
}

}  // namespace dash::halo::internal
