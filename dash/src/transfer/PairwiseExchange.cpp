#include "dash/internal/transfer/PairwiseExchange.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <span>

#include "dash/Team.h"
#include "dash/async/Watch.h"
#include "dash/dart/Stream.h"
#include "dash/internal/team/StepRunner.h"

namespace dash::internal {

namespace {

/// The number of messages in each direction that are in flight at the same time.
constexpr std::size_t window = 2;
/// The stream of a segment that carries the messages.
constexpr std::uint32_t stream = 0;

std::size_t largest_of(const std::vector<PairwiseExchange::Sizes>& of_units) {
  std::size_t largest = 0;
  for (const auto& sizes : of_units) {
    for (const std::size_t nbytes : sizes)
      largest = std::max(largest, nbytes);
  }
  return largest;
}

/// The messages to a unit, or from a unit, in order. Each uses one of the buffers in turn.
class MessageQueue {
 public:
  /// \param buffers  `window` buffers of `buffer_size` bytes
  MessageQueue(dart::StreamEndpoints& endpoints, std::byte* buffers, std::size_t buffer_size)
      : _endpoints(&endpoints), _buffers(buffers), _buffer_size(buffer_size) {}

  /// \param add  add(buffer, nbytes, signal) adds a transfer
  template <class Add>
  void add(const PairwiseExchange::Sizes& sizes, const Add& add) {
    _transfers.reserve(sizes.size());
    for (std::size_t i = 0; i < sizes.size(); ++i)
      _transfers.push_back(add(buffer(i), sizes[i], _signals[i % window]));
  }

  std::size_t size() const { return _transfers.size(); }
  std::byte* buffer(std::size_t i) const { return _buffers + i % window * _buffer_size; }

  void start(std::size_t i) {
    _endpoints->start(std::span(&_transfers[i], 1), value_of(i),
                      dart::StreamEndpoints::Next::waits);
  }
  void wait(std::size_t i) { _endpoints->wait(_signals[i % window], value_of(i)); }

 private:
  static std::uint32_t value_of(std::size_t i) { return static_cast<std::uint32_t>(i + 1); }

  dart::StreamEndpoints* _endpoints;
  std::byte* _buffers;
  std::size_t _buffer_size;
  std::array<dart::Signal, window> _signals{};
  std::vector<dart::StreamEndpoints::Transfer> _transfers;
};

}  // namespace

/// The messages to one unit and from one unit.
struct PairwiseExchange::Round {
  team_unit_t to;
  team_unit_t from;
  dart::StreamEndpoints endpoints;
  MessageQueue sends;
  MessageQueue receives;

  Round(team_unit_t receiver, team_unit_t sender, std::byte* buffers, std::size_t buffer_size)
      : to(receiver),
        from(sender),
        sends(endpoints, buffers, buffer_size),
        receives(endpoints, buffers + window * buffer_size, buffer_size) {}
};

PairwiseExchange::PairwiseExchange(const GlobalSegment& memory, const std::vector<Sizes>& sends,
                                   const std::vector<Sizes>& receives) {
  const std::size_t buffer_size = std::max(largest_of(sends), largest_of(receives));
  if (buffer_size == 0) return;
  _buffers = std::make_unique_for_overwrite<std::byte[]>(2 * window * buffer_size);
  const auto size = static_cast<int>(memory.team().size());
  const int me = memory.team().myid().id;
  for (int distance = 1; distance < size; ++distance) {
    const team_unit_t to((me + distance) % size);
    const team_unit_t from((me - distance + size) % size);
    const Sizes& to_send = sends[static_cast<std::size_t>(to.id)];
    const Sizes& to_receive = receives[static_cast<std::size_t>(from.id)];
    if (to_send.empty() && to_receive.empty()) continue;
    Round& round =
        *_rounds.emplace_back(std::make_unique<Round>(to, from, _buffers.get(), buffer_size));
    round.sends.add(to_send, [&](const void* buffer, std::size_t nbytes, dart::Signal& signal) {
      return round.endpoints.add_send(memory.gptr_at(to, 0), stream, buffer, nbytes, signal);
    });
    round.receives.add(to_receive, [&](void* buffer, std::size_t nbytes, dart::Signal& signal) {
      return round.endpoints.add_receive(memory.gptr_at(from, 0), stream, buffer, nbytes, signal);
    });
  }
}

PairwiseExchange::~PairwiseExchange() = default;

void PairwiseExchange::run(
    exec::FunctionRef<void(team_unit_t, std::size_t, std::byte*)> pack,
    exec::FunctionRef<void(team_unit_t, std::size_t, const std::byte*)> unpack) {
  StepRunner steps;
  for (const auto& round : _rounds) {
    const exec::Purpose purpose("messages to unit {} and from unit {}", round->to.id,
                                round->from.id);
    MessageQueue& sends = round->sends;
    MessageQueue& receives = round->receives;
    for (std::size_t i = 0; i < std::min(receives.size(), window); ++i)
      receives.start(i);
    for (std::size_t i = 0; i < std::max(sends.size(), receives.size()); ++i) {
      if (i < sends.size()) {
        if (i >= window) sends.wait(i - window);
        steps.run([&] { pack(round->to, i, sends.buffer(i)); });
        sends.start(i);
      }
      if (i < receives.size()) {
        receives.wait(i);
        steps.run([&] { unpack(round->from, i, receives.buffer(i)); });
        if (i + window < receives.size()) receives.start(i + window);
      }
    }
    for (std::size_t i = sends.size() - std::min(sends.size(), window); i < sends.size(); ++i)
      sends.wait(i);
  }
  steps.finish();
}

}  // namespace dash::internal
