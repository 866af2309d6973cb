#pragma once

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "dash/async/Operation.h"
#include "dash/dart/Signal.h"
#include "dash/dart/Stream.h"
#include "dash/halo/exchange/HaloExchange.h"

namespace dash::halo::internal {

/// The end of the message for access to a region that was not part of the update.
inline constexpr const char* update_never_started =
    ": its update was never started (update, update_async, update_async_at)";

/// The cache line in which a neighbour on the same node signals that data of a region has arrived.
/// Small data is contained in the line, so that a single transfer between processors suffices.
struct alignas(64) HaloSlot {
  dart::Signal signal;
  std::array<std::byte, 64 - sizeof(dart::Signal)> data;

  /// Raises the signal of a step with a single access to the line, which is contended because
  /// waiting threads poll it. The caller is the only writer.
  void raise(std::uint64_t step) noexcept;
};
static_assert(sizeof(HaloSlot) == 64);

/// The layout of an exchange's global memory: two slots for each region, then two halo buffers.
struct ExchangeLayout {
  dart_gptr_t segment;
  dart_team_unit_t me;
  std::size_t memory_offset;
  std::size_t memory_nbytes;

  static std::size_t slot_offset(region_index_t region, std::size_t parity) {
    return (2 * region + parity) * sizeof(HaloSlot);
  }
  std::size_t offset(std::size_t parity, std::size_t in_memory) const {
    return memory_offset + parity * memory_nbytes + in_memory;
  }
};

/// One direction of an exchange: the data sent to the neighbour in that direction, and the data
/// received from it. Uses shared memory for a neighbour on the node and streams otherwise.
class HaloChannel {
 public:
  HaloChannel(HaloLink link, const ExchangeLayout& layout);
  /// \pre the engine has been polled since the last send completed, so that the operations of
  ///      send_completion() are complete
  ~HaloChannel() { dart::cancel_signal_waits(&_sent, sizeof _sent); }
  HaloChannel(const HaloChannel&) = delete;
  HaloChannel& operator=(const HaloChannel&) = delete;

  const HaloLink& link() const noexcept { return _link; }
  bool receives() const noexcept { return _link.receive_nbytes != 0; }
  bool on_node() const noexcept { return _remote_slots[0] != nullptr; }
  /// Whether the neighbour raises a signal in each step, with or without data.
  bool is_signalled() const noexcept { return receives() || on_node(); }

  /// Assigns streams to a channel between nodes, before the first step.
  /// \param outgoing, incoming  numbers of the streams among those to and from the neighbour
  void join(dart::StreamEndpoints& streams, std::uint32_t outgoing, std::uint32_t incoming);

  /// Within a node: sends the data of a step, immediately or as soon as the neighbour has begun the
  /// previous step.
  /// \pre the previous send is complete
  void start_send(std::uint64_t step);
  /// Between nodes: prepares the transfers of a step.
  /// \param transfers  the transfers that the caller has to start are appended
  /// \pre the previous send is complete; the data of the step before the previous one has arrived
  void make_ready(std::uint64_t step, std::vector<dart::StreamEndpoints::Transfer>& transfers);

  /// Whether the last send is complete; makes no progress.
  bool has_sent() const noexcept;
  void wait_sent();
  /// An operation that completes with the last send.
  exec::Operation send_completion();

  dart::Signal& signal(std::uint64_t step) noexcept { return *_signals[step % 2]; }
  /// Acquire: pairs with the change of the signal, so the caller sees the neighbour's data.
  bool is_signalled(std::uint64_t step) const noexcept {
    return dart::signal_reached(_signals[step % 2]->value.load(std::memory_order_acquire),
                                static_cast<std::uint32_t>(step));
  }
  /// Whether the neighbour is known to have begun the step after this unit's current one. Between
  /// nodes, its data indicates that.
  bool is_ahead(std::uint64_t own_step) const;
  /// Waits for the signal without a timeout.
  void wait_for_signal(std::uint64_t step);
  /// Copies data contained in the slot to the halo memory. \pre the signal has been raised
  void unpack_slot(std::uint64_t step) noexcept;

  /// Makes all later sends transfer zeros. Used when this unit begins steps only because some
  /// unit has begun more steps than this one.
  void send_zeros();

  /// Whether an update of the region was started in a step.
  bool is_expected(std::uint64_t step) const noexcept {
    return expected.load(std::memory_order_relaxed) == step;
  }

  // The last step in which the region was expected, and the last in which its arrival was recorded. `expected` is relaxed:
  // only externally synchronized calls store it. `arrived` is stored with release after the data has been seen or
  // unpacked, and loaded with acquire before the halo is read.
  std::atomic<std::uint64_t> expected{0};
  std::atomic<std::uint64_t> arrived{0};

 private:
  class DeferredSend;

  exec::Operation send_on_node(std::uint64_t step);
  /// Registers the data to be sent between nodes: contiguous, packed first, or as strided blocks.
  dart::StreamEndpoints::Transfer add_send();
  /// Whether the data is packed into _staging first.
  bool packs() const noexcept { return !_link.levels.empty() && !_staging.empty(); }

  HaloLink _link;
  dart_gptr_t _peer;                         // segment and unit of the neighbour
  std::array<HaloSlot*, 2> _slots{};         // own
  std::array<dart::Signal*, 2> _signals{};   // in _slots
  std::array<std::byte*, 2> _halo{};         // own
  std::array<HaloSlot*, 2> _remote_slots{};  // null if the neighbour is on another node
  std::array<std::byte*, 2> _remote_halo{};  // null if the neighbour is on another node
  std::array<dart_gptr_t, 2> _remote_signals{};
  exec::Operation _sending;  // within a node
  std::vector<std::byte> _staging;

  dart::StreamEndpoints* _streams = nullptr;  // between nodes
  std::uint32_t _outgoing = 0;
  std::uint32_t _incoming = 0;
  std::array<dart::StreamEndpoints::Transfer, 2> _receives{};
  dart::StreamEndpoints::Transfer _send = 0;
  dart::Signal _sent;  // the last step whose send is complete
  std::uint32_t _last_sent = 0;
};

}  // namespace dash::halo::internal
