// Completion of the operations of an update.

#include <cstdint>
#include <utility>
#include <vector>

#include "HaloChannel.h"
#include "dash/Exception.h"
#include "dash/async/Watch.h"
#include "dash/dart/Signal.h"
#include "dash/halo/exchange/HaloExchange.h"

namespace dash::halo::internal {

/// Completes when a region of a step has arrived and can be read.
class HaloExchange::Arrival final : public exec::State, public exec::Continuation {
 public:
  /// \param signal  completes when the region's signal is raised. The caller creates it first:
  ///         each operation that _awaited counts must complete, because release() waits for it
  Arrival(HaloExchange& exchange, HaloChannel& channel, std::uint64_t step,
          exec::StatePtr<exec::State> signal) noexcept
      : State(2),
        Continuation(Where::inline_),
        _exchange(exchange),
        _channel(channel),
        _step(step),
        _signal(std::move(signal)) {
    _exchange._awaited.fetch_add(1, std::memory_order_relaxed);
  }

  void start() noexcept {
    if (!_signal->attach(*this)) run();
  }

  exec::Label label() const noexcept override {
    return {"the halo of step {} from unit {}",
            {static_cast<long>(_step), _channel.link().neighbour.id}};
  }

 private:
  void run() noexcept override {
    if (_signal->failed()) {
      set_error(_signal->error());
    } else {
      _exchange.arrive(_channel, _step);
    }
    // The last access to the exchange. Release: release() loads 0 with acquire before it frees the memory.
    _exchange._awaited.fetch_sub(1, std::memory_order_release);
    complete();
    release();
  }

  HaloExchange& _exchange;
  HaloChannel& _channel;
  std::uint64_t _step;
  exec::StatePtr<exec::State> _signal;
};

void HaloExchange::check_step(std::uint64_t step) const {
  if (step == this->step()) return;
  DASH_THROW(exception::RuntimeError, "a future of halo update "
                                          << step << " was requested after update " << this->step()
                                          << " had begun");
}

exec::Operation HaloExchange::arrival(region_index_t region, std::uint64_t step) {
  if (region >= _num_regions) {
    DASH_THROW(exception::OutOfRange,
               "halo region " << region << ": there are " << _num_regions << " regions");
  }
  check_step(step);
  auto* const channel = channel_of(region);
  if (channel == nullptr || !channel->receives()) return {};
  if (!channel->is_expected(step)) {
    DASH_THROW(exception::RuntimeError, "halo region " << region
                                                       << " was queried for a future in step "
                                                       << step << update_never_started);
  }
  if (arrived(region)) return {};
  auto* const arrival =
      new Arrival(*this, *channel, step,
                  dart::when_signal(channel->signal(step), static_cast<std::uint32_t>(step)));
  const exec::Operation operation(exec::StatePtr<exec::State>::adopt(arrival));
  arrival->start();
  return operation;
}

exec::Operation HaloExchange::departure(std::uint64_t step) {
  check_step(step);
  std::vector<exec::Operation> parts;
  for (const auto& channel : _channels) {
    parts.push_back(channel->send_completion());
  }
  return exec::when_all(parts);
}

exec::Operation HaloExchange::completion(std::uint64_t step) {
  check_step(step);
  std::vector<exec::Operation> parts;
  for (const auto& channel : _channels) {
    parts.push_back(channel->send_completion());
    if (channel->is_expected(step)) {
      parts.push_back(arrival(channel->link().direction, step));
    }
  }
  return exec::when_all(parts);
}

}  // namespace dash::halo::internal
