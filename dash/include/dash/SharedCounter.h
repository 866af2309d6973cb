#pragma once

#include <atomic>
#include <memory>
#include <type_traits>

#include "dash/Future.h"
#include "dash/Team.h"
#include "dash/atomic/AtomicAccess.h"
#include "dash/atomic/Futures.h"
#include "dash/core/Spin.h"
#include "dash/internal/container/ContainerStorage.h"
#include "dash/internal/element/ElementAccess.h"
#include "dash/internal/element/SharedCell.h"
#include "dash/memory/GlobalSegment.h"

namespace dash {

/// A number to which all units of a team add, and tickets.
///
/// Each unit adds to its own counter, which needs no communication; reading sums the counters. Tickets are
/// consecutive numbers from 0, independent of the sum. Each ticket is returned to one call only. Units that
/// use tickets as numbers of work items balance their load.
/// \tparam ValueType  an arithmetic type
/// \threads thread-safe, except for construction and destruction
/// \ingroup atomics
template <class ValueType = int>
class SharedCounter {
  static_assert(std::is_arithmetic_v<ValueType>,
                "dash::SharedCounter: the value has to be of an arithmetic type");

 public:
  using value_type = ValueType;
  /// Whether ValueType can number tickets: an integer.
  static constexpr bool has_tickets =
      std::is_integral_v<ValueType> && !std::is_same_v<ValueType, bool>;

  /// Initially 0. If constructed before dash::init(), it must be initialized by init().
  /// \collective over the team
  explicit SharedCounter(Team& team = Team::All()) : _team(&team) {
    if (team.size() > 0) init();
  }
  /// Takes over the counters; the other object must be initialized again before it is used.
  SharedCounter(SharedCounter&&) noexcept = default;
  /// Frees the counters of this object, then takes over those of the other.
  /// \collective over the team of this object, if initialized
  SharedCounter& operator=(SharedCounter&&) noexcept = default;
  /// Frees the counters.
  /// \collective over the team, unless finalized
  ~SharedCounter() = default;

  /// Creates the counters, which are 0.
  /// \returns false, with no effect, if already initialized
  /// \throws exception::RuntimeError if dash::init() has not been called or the team has no units
  /// \collective over the team
  bool init() {
    if (_team->size() == 0) internal::throw_not_initialized("dash::SharedCounter::init");
    if (_parts && _parts->segment.is_allocated()) return false;
    _parts.reset(new Parts(*_team));
    return true;
  }

  /// Adds to the caller's counter. \collective no  \blocks never
  void inc(ValueType increment) { std::atomic_ref<ValueType>(part()).fetch_add(increment); }
  /// Subtracts from the caller's counter. \collective no  \blocks never
  void dec(ValueType decrement) { std::atomic_ref<ValueType>(part()).fetch_sub(decrement); }

  /// The sum of the counters of all units, each read at some time during the call.
  /// \collective no  \blocks until read  \cost linear in the number of units
  ValueType get() const {
    ValueType sum{};
    for (const int unit : *_team)
      sum = static_cast<ValueType>(sum + part_of(team_unit_t(unit)));
    return sum;
  }

  /// Takes the next tickets.
  /// \param count  how many; not negative
  /// \returns the first of `count` consecutive tickets
  /// \collective no  \blocks until the first unit of the team has answered, if it is on another node
  ValueType take(ValueType count = 1) requires has_tickets {
    return internal::atomic_fetch<DART_OP_SUM>(ticket(), count);
  }
  /// Starts to take the next tickets: a unit that starts early computes during the communication.
  /// \param count  how many; not negative
  /// \returns the future of the first of `count` consecutive tickets
  /// \collective no  \blocks never, except while too many operations are in flight
  Future<ValueType> take_async(ValueType count = 1) requires has_tickets {
    return internal::atomic_fetch_async<DART_OP_SUM>(ticket(), count);
  }
  /// Begins again at 0. No unit may take tickets at the same time: call it between barriers, on one unit.
  /// \collective no  \blocks as take()
  void reset_tickets() requires has_tickets {
    internal::atomic_store<ValueType>(ticket(), ValueType{});
  }

  /// The team whose units add to the counter.
  Team& team() const noexcept { return *_team; }

 private:
  /// Must not move: the team refers to it.
  struct Parts {
    explicit Parts(Team& team) : segment(team) {
      segment.allocate(internal::LocalSizes(ticket_offset + sizeof(ValueType), team.size()));
      team.register_deallocator(this, [this] { segment.deallocate(); });
    }
    void deallocate() {
      if (!segment.is_allocated()) return;
      segment.team().unregister_deallocator(this);
      segment.team().barrier();
      segment.deallocate();
    }
    internal::GlobalSegment segment;
  };

  /// The tickets are in another cache line than the counter, at the first unit of the team.
  static constexpr std::size_t ticket_offset = core::cache_line_size;

  internal::ElementLocation ticket() const {
    const auto& segment = parts().segment;
    const team_unit_t first(0);
    return {internal::GptrWords(segment.gptr_at(first, ticket_offset)),
            segment.address_at(first, ticket_offset, sizeof(ValueType))};
  }

  const Parts& parts() const {
    if (!_parts || !_parts->segment.is_allocated()) [[unlikely]]
      internal::throw_not_initialized("dash::SharedCounter (call init() to create the value)");
    return *_parts;
  }
  /// Within a node, reads atomically, as the counter is written.
  ValueType part_of(team_unit_t unit) const {
    const auto& segment = parts().segment;
    if (void* const address = segment.address_at(unit, 0, sizeof(ValueType))) {
      return std::atomic_ref<ValueType>(*static_cast<ValueType*>(address)).load();
    }
    return internal::load<ValueType>(segment.gptr_at(unit, 0));
  }
  ValueType& part() { return *static_cast<ValueType*>(parts().segment.local_begin()); }

  Team* _team;
  std::unique_ptr<Parts, internal::StorageDeleter<Parts>> _parts;
};

}  // namespace dash
