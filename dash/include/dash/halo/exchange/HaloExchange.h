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

/// What goes to the neighbour in one direction in each step. The neighbour keeps it as its region in
/// the opposite direction.
struct HaloLink {
  region_index_t direction = 0;
  region_index_t opposite = 0;
  dart_team_unit_t neighbor;
  /// What comes back, bytes: the own region in this direction, and where it begins in the own halo
  /// memory.
  std::size_t receive_nbytes = 0;
  std::size_t own_offset = 0;
  /// Bytes in total; 0: the neighbour needs none, only to know that the step has begun.
  std::size_t nbytes = 0;
  /// Where the neighbour's region begins in its halo memory.
  std::size_t remote_offset = 0;
  /// The elements in the block: `levels`, from the innermost, around blocks of contiguous bytes.
  const std::byte* source = nullptr;
  std::size_t block_nbytes = 0;
  std::vector<StridedLevel> levels;
};

/// A region's range of the halo memory, bytes.
struct HaloRange {
  region_index_t region;
  std::size_t offset;
  std::size_t nbytes;
};

/// The exchange of halo regions of one block with all its neighbours, in bytes: what does not depend
/// on element type and number of dimensions.
///
/// Nobody fetches: the owner of boundary elements pushes them into the halo memory of each
/// neighbour, and the data carries the signal that it has arrived. All units call prepare() the same
/// number of times; call number k is step k. There is neither a barrier nor a message that returns
/// credit, because the halo memory is double buffered: step k uses the buffers and the signals of
/// parity k % 2. On a node, what precedes what, for a unit A and its neighbour B (a unit's own calls
/// follow in program order):
///
///   1. B has read the halos of step k-1        before  B calls prepare() for step k   (user's order)
///   2. B calls prepare() for step k            before  B's signal k reaches A
///   3. B's signal k has reached A              before  A sends for step k+1
///   4. A sends for step k+1                    before  the buffer of parity (k+1) % 2 at B changes
///
/// So A overwrites the halos of step k-1 only after B has read them. By the same chain with "the
/// signal k-1 of A has reached B" in place of 1 (B does not send for step k before) a signal word is
/// never written while an earlier value for it is under way: words of both parities only ever grow,
/// and a transfer that overtakes another cannot hide it.
///
/// 3 is nothing that A waits for in prepare(): where the signal has not come yet, A's data leaves
/// when it does, sent by whoever finds it. That happens only to who has not waited for all of step
/// k, because who has, has seen its signals.
///
/// 3 needs a signal from each neighbour that is sent to. Where a stencil is asymmetric (the region
/// in one direction has a width, the opposite one has none), data flows one way only; then the
/// receiver sends a signal without data. So a link exists in a direction if data flows either way.
///
/// Between nodes the data goes in streams (dart::StreamEnds): the receiver has said where the
/// data of step k belongs in its own prepare() for step k, and raises its signal itself. Nothing goes
/// back there: where data flows one way only, MPI keeps what comes early, however much that is.
///
/// Source buffers are the block's own memory: wait() completes the sends too, so that afterwards the
/// boundary may be overwritten.
///
/// \threads prepare(), expect() and wait() one at a time; all others any, but not beside prepare()
class DASH_API HaloExchange {
 public:
  /// \param team            of the matrix
  /// \param num_regions     3^N
  /// \param capacity_nbytes bytes of halo memory of any unit at most, equal on all units
  /// \param links           one per direction in which data flows either way
  /// \param custom          ranges of the halo memory that the user sets
  /// \collective over team
  /// \throws what the allocation fails with; exception::InvalidArgument if two units on different
  ///         nodes have more regions of each other than streams; both on all units
  HaloExchange(Team& team, region_index_t num_regions, std::size_t capacity_nbytes,
               std::vector<HaloLink> links, std::vector<HaloRange> custom);

  HaloExchange(const HaloExchange&) = delete;
  HaloExchange& operator=(const HaloExchange&) = delete;

  /// \collective over team, unless the team has released the memory in finalize
  ~HaloExchange();

  /// Begins the next step: sends the boundary to all neighbours. Their data may arrive from now on;
  /// the halo memory is the other buffer.
  /// \blocks never on this step; until the sends of the previous one are complete, if that was not
  ///         waited for; until a region of the one before has arrived, if nobody waited for it
  /// \throws exception::RuntimeError if this unit has followed its neighbours into a step, or a task
  ///         uses the previous one
  void prepare();

  /// Keeps the next step from beginning while a task uses this one: prepare() throws
  /// exception::RuntimeError meanwhile.
  class Use {
   public:
    explicit Use(HaloExchange& exchange) noexcept : _exchange(&exchange) { ++exchange._uses; }
    Use(Use&& other) noexcept : _exchange(std::exchange(other._exchange, nullptr)) {}
    Use& operator=(Use&&) = delete;
    ~Use() {
      if (_exchange != nullptr) _exchange->_uses.fetch_sub(1, std::memory_order_release);
    }

   private:
    HaloExchange* _exchange;
  };

  /// Declares that a region's halo of this step is wanted; wait() waits for it.
  /// \throws exception::RuntimeError before the first prepare(), or twice for one step
  void expect(region_index_t region);

  /// Declares that all regions are wanted.
  void expect_all();

  /// Waits for one region, if it is expected, and for the end of the send in its direction; once all
  /// that are expected have been found to have arrived, for the end of all sends.
  void wait(region_index_t region);

  /// Waits for all regions that are expected, and for the end of all sends.
  void wait();

  /// Whether that would return at once; makes progress.
  bool test();

  /// Waits for the end of all sends alone.
  void complete_sends();

  /// Whether a region of this step has, as far as this unit has looked, not arrived.
  bool pending() const noexcept { return _pending.load(std::memory_order_acquire) != 0; }

  /// Waits until one of some regions, all of which are expected, has arrived.
  void wait_for_any(const std::vector<region_index_t>& regions);

  /// Waits for a region if it has not arrived; returns at once for a region that nobody sends.
  /// \throws exception::RuntimeError if no step has begun: nothing would ever arrive; with
  ///         assertions, too, if the region was not expected in this step
  void require(region_index_t region);

  /// Whether the region has arrived; does not wait.
  bool test(region_index_t region);

  /// The same without making progress.
  bool arrived(region_index_t region) noexcept;

  /// What is complete when the region of this step has arrived; when the boundary may be written;
  /// when both holds for all that is expected.
  /// \cost two allocations for a region that has not arrived
  /// \throws exception::OutOfRange for a region that is none, exception::RuntimeError if this unit
  ///         has begun another step than `step`
  /// @{
  exec::Operation arrival(region_index_t region, std::uint64_t step);
  exec::Operation departure(std::uint64_t step);
  exec::Operation completion(std::uint64_t step);
  /// @}

  /// Number of the step that was begun last; 0: none.
  std::uint64_t step() const noexcept { return _step.load(std::memory_order_relaxed); }

  region_index_t num_regions() const noexcept { return _num_regions; }

  /// The halo memory of this step, valid until the next prepare().
  std::byte* memory() const noexcept { return _current; }

  /// Copies a custom region of this step's memory to that of the next step, in each step from now on: for
  /// users who may write to it through a pointer that they got.
  void keep_custom(region_index_t region) noexcept {
    _is_kept[region].store(true, std::memory_order_relaxed);
  }
  void keep_all_custom() noexcept {
    for (const HaloRange& range : _custom)
      keep_custom(range.region);
  }

  /// Writes all custom regions of this step's memory to the other buffer.
  void custom_changed() noexcept;

  /// Begins the next step, with data that is none, if a neighbour has begun it: for a unit that leaves
  /// by an exception. After that it cannot begin steps of its own.
  void follow_neighbours();

 private:
  class Arrival;
  /// Of the streams to and from a neighbour.
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
  void meet();
  void catch_up(std::uint64_t step);
  void take_part(std::uint64_t step);
  void begin_step();
  void arrive(HaloChannel& channel, std::uint64_t step);
  void wait_for_arrival(HaloChannel& channel, std::uint64_t step);
  bool awaits_any() const;
  void copy_custom(const HaloRange& range) noexcept;
  void copy_kept() noexcept;
  void check_step(std::uint64_t step) const;
  /// That of a region; nullptr if there is none.
  HaloChannel* channel_of(region_index_t region) const;

  Team& _team;
  region_index_t _num_regions;
  const int _exceptions;       // under way when it was made
  bool _has_followed = false;  // neighbours, into a step that this unit had not begun
  dart_gptr_t _segment = DART_GPTR_NULL;
  std::size_t _segment_nbytes = 0;
  std::array<std::byte*, 2> _memory{};
  std::byte* _current = nullptr;  // the one of this step
  std::vector<std::unique_ptr<HaloChannel>> _channels;
  std::unique_ptr<dart::StreamEnds> _streams;  // of those between nodes
  std::vector<dart::StreamEnds::Transfer> _starting;
  std::vector<HaloChannel*> _by_region;
  std::vector<HaloRange> _custom;
  std::unique_ptr<std::atomic<bool>[]> _is_kept;  // of the custom regions, by index
  // Guards the change of steps and the noting of arrivals, which other threads may do.
  core::SpinLock _lock;
  std::atomic<std::uint64_t> _step{0};
  std::uint32_t _num_receives = 0;
  // Regions of this step that were not yet found to have arrived. Released by the thread that finds
  // the arrival, acquired by readers in pending().
  std::atomic<std::uint32_t> _pending{0};
  // Arrivals that something waits for: they refer to this object.
  std::atomic<std::uint32_t> _awaited{0};
  // Tasks that compute this step.
  std::atomic<std::uint32_t> _uses{0};
};

}  // namespace dash::halo::internal
