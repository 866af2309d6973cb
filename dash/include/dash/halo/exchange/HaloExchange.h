#pragma once

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

#include "dash/Team.h"
#include "dash/async/Operation.h"
#include "dash/core/Export.h"
#include "dash/core/Spin.h"
#include "dash/dart/Stream.h"
#include "dash/dart/if/dart_globmem.h"
#include "dash/halo/Types.h"

namespace dash::halo::internal {

class HaloChannel;

using StridedLevel = dart::StridedBytes::Level;

/// The data sent to the neighbour in one direction in each step. The neighbour stores it as its
/// region in the opposite direction.
struct HaloLink {
  region_index_t direction = 0;
  region_index_t opposite = 0;
  dart_team_unit_t neighbour;
  /// The data received from the neighbour, in bytes: size of this unit's region in this direction,
  /// and its offset in this unit's halo memory.
  std::size_t receive_nbytes = 0;
  std::size_t own_offset = 0;
  /// Number of bytes to send; 0 if the neighbour needs no data, but only the signal that the step
  /// has begun.
  std::size_t nbytes = 0;
  /// Offset of the neighbour's region in its halo memory.
  std::size_t remote_offset = 0;
  /// The elements to send: contiguous blocks of `block_nbytes` bytes of memory, repeated with
  /// the counts and strides of `levels`, the innermost level first.
  const std::byte* source = nullptr;
  std::size_t block_nbytes = 0;
  std::vector<StridedLevel> levels;
};

/// A region's range in the halo memory, in bytes.
struct HaloRange {
  region_index_t region;
  std::size_t offset;
  std::size_t nbytes;
};

/// The exchange of halo regions of one block with all its neighbours, in bytes, independent of the
/// element type and the number of dimensions.
///
/// Data is pushed: the owner of boundary elements writes them to the halo memory of each neighbour
/// and raises the signal that they have arrived. All units call prepare() the same number of times;
/// call number k begins step k. There are no barriers and no messages that return credits, because
/// the halo memory is double buffered: step k uses the buffers and the signals of parity k % 2.
/// Within a node, for a unit A and its neighbour B, the following order holds (a unit's own calls
/// are in program order):
///
///   1. B has read the halos of step k-1        before  B calls prepare() for step k (user's order)
///   2. B calls prepare() for step k            before  B's signal k reaches A
///   3. B's signal k has reached A              before  A sends for step k+1
///   4. A sends for step k+1                    before  the buffer of parity (k+1) % 2 at B changes
///
/// So A overwrites the halos of step k-1 only after B has read them. The signal words are safe for
/// the same reason. B sends for step k only after A's signal k-1 has reached B. With this event in
/// place of (1), the order implies that A never writes a signal word while an earlier value for it
/// is in flight. So the words of both parities only increase, and a transfer that overtakes another
/// one cannot hide its signal.
///
/// prepare() does not wait for (3): if the signal has not arrived, the thread that observes the
/// signal sends A's data later. This happens only if A has not waited for all of step k; otherwise
/// it has seen the signals.
///
/// (3) requires a signal from each neighbour to which data is sent. If a stencil is asymmetric (the
/// region in one direction has a width, but the opposite one has none), data flows in one direction
/// only; then the receiver sends a signal without data. So there is a link in a direction if data
/// flows in this direction or in the opposite one.
///
/// Between nodes, data is sent in streams (dart::StreamEndpoints): the receiver specifies the
/// destination of the data of step k in its own prepare() for step k, and raises its own signal. No
/// message is sent back: if data flows in one direction only, MPI buffers all data that arrives
/// early, without a limit.
///
/// The source buffers are the block's own memory: wait() also completes the sends, so that the
/// boundary may be overwritten afterwards.
///
/// \threads prepare(), expect() and wait(): externally synchronized; all others: thread-safe,
///         except concurrently with prepare()
class DASH_API HaloExchange {
 public:
  /// \param team            team of the matrix
  /// \param num_regions     3^N
  /// \param capacity_nbytes upper bound of the bytes of halo memory of any unit, equal on all units
  /// \param links           one for each direction in which data flows either way
  /// \param custom          ranges of the halo memory that the user sets
  /// \collective over team
  /// \throws on all units: the error of the allocation; exception::InvalidArgument if two units on
  ///         different nodes exchange more regions than there are streams
  HaloExchange(Team& team, region_index_t num_regions, std::size_t capacity_nbytes,
               std::vector<HaloLink> links, std::vector<HaloRange> custom);

  HaloExchange(const HaloExchange&) = delete;
  HaloExchange& operator=(const HaloExchange&) = delete;

  /// \collective over team, unless the team has released the memory in finalize
  ~HaloExchange();

  /// Begins the next step: sends the boundary to all neighbours. Their data may arrive from now on;
  /// the halo memory is the other buffer.
  /// \blocks until the sends of the previous step are complete and, for neighbours on other nodes,
  ///         until all regions of step() - 1 have arrived; never for this step
  /// \throws exception::RuntimeError if follow_neighbours() has begun a step, or if a task uses the
  ///         previous step
  void prepare();

  /// Prevents the next step from beginning while a task uses this one: during its lifetime,
  /// prepare() throws exception::RuntimeError.
  class Use {
   public:
    explicit Use(HaloExchange& exchange) noexcept : _exchange(&exchange) { ++exchange._uses; }
    Use(Use&& other) noexcept : _exchange(std::exchange(other._exchange, nullptr)) {}
    Use& operator=(Use&&) = delete;
    ~Use() {
      // Release: prepare() loads 0 with acquire, so the task's accesses happen before the next step.
      if (_exchange != nullptr) _exchange->_uses.fetch_sub(1, std::memory_order_release);
    }

   private:
    HaloExchange* _exchange;
  };

  /// Declares that a region of this step is expected, so that wait() waits for it.
  /// \throws exception::RuntimeError before the first prepare(), or if called twice in one step;
  ///         exception::OutOfRange for an invalid region
  void expect(region_index_t region);

  /// Declares that all regions are expected.
  void expect_all();

  /// Waits for one region, if it is expected, and for the completion of the send in its direction;
  /// once all expected regions have arrived, for the completion of all sends.
  void wait(region_index_t region);

  /// Waits for all expected regions and for the completion of all sends.
  void wait();

  /// Whether wait() would return immediately; makes progress.
  bool test();

  /// Waits only for the completion of all sends.
  void complete_sends();

  /// Whether the arrival of at least one region of this step is not recorded yet.
  bool has_pending_regions() const noexcept {
    return _pending.load(std::memory_order_acquire) != 0;
  }

  /// Waits until one of several expected regions has arrived.
  void wait_for_any(const std::vector<region_index_t>& regions);

  /// Waits for a region if it has not arrived; returns immediately for a region without a sender.
  /// \throws exception::RuntimeError if no step has begun, since no data would arrive, and, with
  ///         assertions, if the region was not expected in this step
  void require(region_index_t region);

  /// Whether the region has arrived; does not wait.
  bool test(region_index_t region);

  /// Whether the region has arrived, without making progress.
  bool arrived(region_index_t region) noexcept;

  /// Operations of step `step`. arrival() completes when the region has arrived; departure(), when
  /// all sends are complete, so that the boundary may be written; completion(), when, in addition,
  /// all expected regions have arrived.
  /// \cost two allocations for a region that has not arrived
  /// \throws exception::OutOfRange for an invalid region, exception::RuntimeError if the current
  ///         step is not `step`
  /// @{
  exec::Operation arrival(region_index_t region, std::uint64_t step);
  exec::Operation departure(std::uint64_t step);
  exec::Operation completion(std::uint64_t step);
  /// @}

  /// Number of the current step; 0 if none has begun. Relaxed: the lock, or the external synchronization of prepare(),
  /// orders it.
  std::uint64_t step() const noexcept { return _step.load(std::memory_order_relaxed); }

  region_index_t num_regions() const noexcept { return _num_regions; }

  /// The halo memory of the current step, valid until the next prepare().
  std::byte* memory() const noexcept { return _current; }

  /// From now on copies a custom region of each step's memory to that of the next step, because the
  /// user has obtained a pointer for writing it.
  void keep_custom(region_index_t region) noexcept {
    _is_kept[region].store(true, std::memory_order_relaxed);
  }
  void keep_all_custom() noexcept {
    for (const HaloRange& range : _custom)
      keep_custom(range.region);
  }

  /// Copies all custom regions of this step's memory to the other buffer.
  void custom_changed() noexcept;

  /// If a neighbour has begun the next step, begins it too and sends zeros. Called while an
  /// exception unwinds the stack. Afterwards prepare() throws.
  void follow_neighbours();

 private:
  class Arrival;
  /// Numbers of the streams to and from a neighbour.
  struct StreamNumbers {
    std::uint32_t all = 0;
    std::uint32_t outgoing = 0;
    std::uint32_t incoming = 0;
  };

  void allocate(std::size_t capacity_nbytes);
  StreamNumbers streams_of(const HaloChannel& channel) const;
  void check_streams();
  void join_streams();
  void release();
  void wait_until_all_release();
  void catch_up(std::uint64_t step);
  void begin_empty_steps(std::uint64_t step);
  void begin_step();
  void arrive(HaloChannel& channel, std::uint64_t step);
  void wait_for_arrival(HaloChannel& channel, std::uint64_t step);
  bool has_unarrived_expected() const;
  void copy_custom(const HaloRange& range) noexcept;
  void copy_kept_regions() noexcept;
  void check_step(std::uint64_t step) const;
  /// The channel of a region; nullptr if there is none.
  HaloChannel* channel_of(region_index_t region) const;

  Team& _team;
  region_index_t _num_regions;
  const int _exceptions;       // number of uncaught exceptions at construction
  bool _has_followed = false;  // whether follow_neighbours() has begun a step
  dart_gptr_t _segment = DART_GPTR_NULL;
  std::size_t _segment_nbytes = 0;
  std::array<std::byte*, 2> _memory{};
  std::byte* _current = nullptr;  // the buffer of this step
  std::vector<std::unique_ptr<HaloChannel>> _channels;
  std::unique_ptr<dart::StreamEndpoints> _streams;  // of the channels between nodes
  std::vector<dart::StreamEndpoints::Transfer> _starting;
  std::vector<HaloChannel*> _by_region;
  std::vector<HaloRange> _custom;
  // Whether a custom region is kept, by index. Relaxed: prepare(), which reads it, is externally synchronized.
  std::unique_ptr<std::atomic<bool>[]> _is_kept;
  // Guards the change of steps and the recording of arrivals, which other threads may do.
  core::SpinLock _lock;
  std::atomic<std::uint64_t> _step{0};
  std::uint32_t _num_receives = 0;
  // Number of regions of this step whose arrival has not been recorded. The thread that records an
  // arrival decrements it with release; has_pending_regions() loads it with acquire.
  std::atomic<std::uint32_t> _pending{0};
  // Number of pending arrival operations, which refer to this object.
  std::atomic<std::uint32_t> _awaited{0};
  // Number of tasks that compute this step.
  std::atomic<std::uint32_t> _uses{0};
};

}  // namespace dash::halo::internal
