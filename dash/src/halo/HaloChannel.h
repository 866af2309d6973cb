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

/// What is wrong with the use of a region that was left out of the update.
inline constexpr const char* never_started =
    ": its update was never started (update, update_async, update_async_at)";

/// What a neighbour on the node writes to tell that the data of a region has come, with the data
/// itself if there is little: a cache line, so that one transfer between processors brings both.
struct alignas(64) HaloSlot {
  dart::Signal signal;
  std::array<std::byte, 64 - sizeof(dart::Signal)> data;

  /// Raises the signal of a step, whose only writer the caller is, in one access to the line: who
  /// waits looks at it all the time, and takes it away between two.
  void raise(std::uint64_t step) noexcept;
};
static_assert(sizeof(HaloSlot) == 64);

/// The memory of an exchange: for each region two slots, then the halo memory twice.
struct HaloPlaces {
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

/// One direction of an exchange: what goes to the neighbour there, and what comes from it. To a
/// neighbour on the node by its memory, to others by streams.
class HaloChannel {
 public:
  HaloChannel(HaloLink link, const HaloPlaces& places);
  /// \pre futures of departure() have been polled for since the last send was complete
  ~HaloChannel() { dart::forget_signals(&_sent, sizeof _sent); }
  HaloChannel(const HaloChannel&) = delete;
  HaloChannel& operator=(const HaloChannel&) = delete;

  const HaloLink& link() const noexcept { return _link; }
  bool receives() const noexcept { return _link.receive_nbytes != 0; }
  bool on_node() const noexcept { return _remote_slots[0] != nullptr; }
  /// Whether the neighbour's signal of each step comes: with data, or in its place.
  bool is_signalled() const noexcept { return receives() || on_node(); }

  /// Gives a channel between nodes its streams, before the first step.
  /// \param outgoing, incoming  their numbers, among those to and from the neighbour
  void join(dart::StreamEnds& streams, std::uint32_t outgoing, std::uint32_t incoming);

  /// On a node: sends the data of a step, now, or as soon as the neighbour has begun the previous one.
  /// \pre the previous one is sent
  void start_send(std::uint64_t step);
  /// Between nodes: makes it ready to be sent. The receiver's part in a transfer is that it receives.
  /// \param transfers  what is to be started is added
  /// \pre the previous one is sent; that of the step before the last one has come
  void make_ready(std::uint64_t step, std::vector<dart::StreamEnds::Transfer>& transfers);

  /// Whether the last send is complete; makes no progress.
  bool has_sent() const noexcept;
  void wait_sent();
  /// What is complete when it is.
  exec::Operation departure();

  dart::Signal& signal(std::uint64_t step) noexcept { return *_signals[step % 2]; }
  bool is_signalled(std::uint64_t step) const noexcept {
    return dart::signal_reached(_signals[step % 2]->value.load(std::memory_order_acquire),
                                static_cast<std::uint32_t>(step));
  }
  /// Whether the neighbour is known to have begun the step after the last one of this unit: between
  /// nodes by the data that it has sent.
  bool is_ahead(std::uint64_t own_step) const;
  /// Waits for the signal, as long as that takes.
  void wait_for_signal(std::uint64_t step);
  /// Brings data that came with the signal to the halo memory. \pre the signal has come
  void take(std::uint64_t step) noexcept;

  /// Sends what is none: to a neighbour that has begun more steps than this unit.
  void send_nothing_real();

  /// Whether an update of the region was started in a step.
  bool is_expected(std::uint64_t step) const noexcept {
    return expected.load(std::memory_order_relaxed) == step;
  }

  // The last step in which the region was wanted, and in which it was found to have arrived.
  std::atomic<std::uint64_t> expected{0};
  std::atomic<std::uint64_t> arrived{0};

 private:
  class LateSend;

  exec::Operation send_on_node(std::uint64_t step);
  /// Names the data to be sent between nodes: contiguous, or packed first, or as it lies.
  dart::StreamEnds::Transfer add_send();
  /// Whether it is packed first, into _staging.
  bool packs() const noexcept { return !_link.levels.empty() && !_staging.empty(); }

  HaloLink _link;
  dart_gptr_t _peer;                         // names segment and unit
  std::array<HaloSlot*, 2> _slots{};         // own
  std::array<dart::Signal*, 2> _signals{};   // in them
  std::array<std::byte*, 2> _halo{};         // own
  std::array<HaloSlot*, 2> _remote_slots{};  // of the node; else null
  std::array<std::byte*, 2> _remote_halo{};  // of the node; else null
  std::array<dart_gptr_t, 2> _remote_signals{};
  exec::Operation _sending;  // on a node
  std::vector<std::byte> _staging;

  dart::StreamEnds* _streams = nullptr;  // between nodes
  std::uint32_t _outgoing = 0;
  std::uint32_t _incoming = 0;
  std::array<dart::StreamEnds::Transfer, 2> _receives{};
  dart::StreamEnds::Transfer _send = 0;
  dart::Signal _sent;  // the last step whose data has left
  std::uint32_t _last_sent = 0;
};

}  // namespace dash::halo::internal
