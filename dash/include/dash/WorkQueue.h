#pragma once

/// \file
/// Items of work that units take from each other.

#include <algorithm>
#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <exception>
#include <iterator>
#include <mutex>
#include <optional>
#include <random>
#include <utility>
#include <vector>

#include "dash/Aggregator.h"
#include "dash/Collectives.h"
#include "dash/DistObject.h"
#include "dash/Future.h"
#include "dash/Rpc.h"
#include "dash/Team.h"
#include "dash/core/Export.h"

namespace dash {

namespace internal {

/// Detects that no unit has items of work. In each round, the units add up how many items they have created and completed.
/// The work has ended when the number of items created is that of the items completed in the round before: see the proof in
/// dash/src/rpc/Quiesce.cpp.
class DASH_API EndOfWork {
 public:
  /// Numbers of this unit, which only grow.
  struct Counts {
    std::uint64_t created;
    std::uint64_t completed;
    std::uint64_t failed;
  };

  /// \collective over the team, as all functions of a round
  explicit EndOfWork(const Team& team);

  /// Starts a round unless one is pending, waits for some time, and evaluates the round if it has ended. A unit that
  /// processes items need not call it, since the work cannot end before.
  /// \returns whether the work of all units has ended
  bool wait(const Counts& own);
  /// Call it when the unit has had items since the last wait().
  void reset_pause() noexcept;
  /// How many items have failed, after wait() has returned true.
  std::uint64_t num_failed() const noexcept { return _sums[2]; }

  /// The units from which this unit tries to take items: those of its node first, otherwise in a random order. At most 8
  /// units of other nodes.
  const std::vector<team_unit_t>& victims();

 private:
  const Team* _team;
  std::vector<team_unit_t> _of_node;
  std::vector<team_unit_t> _others;
  std::vector<team_unit_t> _victims;
  std::minstd_rand _random;
  Future<void> _round;
  std::array<std::uint64_t, 3> _sums{};
  std::uint64_t _completed_before = ~std::uint64_t{0};
  std::uint64_t _pause_ns;
};

/// The error of a unit whose items have all succeeded.
[[noreturn]] DASH_API void throw_failed_items(std::uint64_t num_failed);

}  // namespace internal

/// Items of work that create further items, as the nodes of a search tree. Each unit has a queue; a unit without items takes
/// some of another one.
///
///     dash::WorkQueue<Node> queue;
///     if (dash::myid() == 0) queue.push(root);
///     queue.run([&](Node node) {
///       for (const Node& child : children_of(node)) queue.push(child);
///     });
///
/// A unit processes its newest items first, so that a tree is searched in depth and the queues stay short. Others take half
/// of its oldest items, which usually have most descendants.
/// \tparam T  any serializable type
/// \threads push() and push_at() are thread-safe
/// \ingroup rpc
template <class T>
class WorkQueue {
 public:
  using value_type = T;

  /// A queue without items.
  /// \collective over the team, in the same order as other distributed objects   \blocks never
  explicit WorkQueue(const Team& team = Team::All())
      : _items(std::in_place, team),
        _pushes(
            on(team), [](Part& part, T item) { part->push(std::move(item)); }, _items) {}
  WorkQueue(const WorkQueue&) = delete;
  WorkQueue& operator=(const WorkQueue&) = delete;
  /// \pre all units have returned from run(), or have called dash::quiesce() of the team after the last push_at()
  ~WorkQueue() = default;

  /// The units that process items.
  const Team& team() const noexcept { return _items.team(); }
  /// The number of items that this unit has. \collective no   \blocks never   \threads thread-safe
  std::size_t local_size() const { return _items->size(); }

  /// Adds an item at this unit, outside of run() or within.
  /// \collective no   \blocks never   \threads thread-safe
  void push(T item) {
    _num_created.fetch_add(1, std::memory_order_relaxed);
    _items->push(std::move(item));
  }
  /// Adds an item at a unit, some time before run() ends. Many calls travel in batches.
  /// \param unit  relative to the team
  /// \throws exception::InvalidArgument if the team has no such unit
  /// \collective no   \blocks while too many earlier batches have not been consumed   \threads thread-safe
  void push_at(team_unit_t unit, const T& item) {
    _num_created.fetch_add(1, std::memory_order_relaxed);
    try {
      _pushes(unit.id, item);
    } catch (...) {
      _num_completed.fetch_add(1, std::memory_order_relaxed);  // it does not arrive
      throw;
    }
  }

  /// Calls f(item) for all items of all units and those that f adds. Each unit processes items until none is left anywhere.
  /// f may wait and communicate. If f throws, the unit continues with the next item.
  /// \returns how many items this unit has processed
  /// \completion the calls of all units have ended
  /// \collective over the team   \blocks until all units have called it and no item is left
  /// \throws the first exception that f has thrown at this unit; exception::RuntimeError if it has thrown at other units only
  template <class F>
  std::size_t run(F&& f) {
    internal::EndOfWork end(team());
    std::exception_ptr error;
    std::uint64_t num_failed = 0;
    std::size_t num_processed = 0;
    do {
      while (std::optional<T> item = next(end)) {
        try {
          f(*std::move(item));
        } catch (...) {
          ++num_failed;
          if (error == nullptr) error = std::current_exception();
        }
        ++num_processed;
        _num_completed.fetch_add(1, std::memory_order_relaxed);
      }
    } while (!end.wait({_num_created.load(std::memory_order_relaxed),
                        _num_completed.load(std::memory_order_relaxed), num_failed}));
    barrier_async(team()).get();  // other units may still have tried to take items of this one
    if (error != nullptr) std::rethrow_exception(error);
    if (end.num_failed() != 0) internal::throw_failed_items(end.num_failed());
    return num_processed;
  }

 private:
  /// The items of a unit. Other units access them by functions, which run on the progress thread.
  class Items {
   public:
    std::size_t size() const {
      const std::lock_guard lock(_mutex);
      return _items.size();
    }
    void push(T item) {
      const std::lock_guard lock(_mutex);
      _items.push_back(std::move(item));
    }
    void push(std::vector<T> items) {
      const std::lock_guard lock(_mutex);
      std::move(items.begin(), items.end(), std::back_inserter(_items));
    }
    std::optional<T> pop() {
      const std::lock_guard lock(_mutex);
      if (_items.empty()) return std::nullopt;
      std::optional<T> item(std::move(_items.back()));
      _items.pop_back();
      return item;
    }
    /// Removes half of the items, the oldest ones.
    std::vector<T> give() {
      constexpr std::size_t max_given = 1024;
      const std::lock_guard lock(_mutex);
      const auto end = _items.begin() +
                       static_cast<std::ptrdiff_t>(std::min((_items.size() + 1) / 2, max_given));
      std::vector<T> given(std::make_move_iterator(_items.begin()), std::make_move_iterator(end));
      _items.erase(_items.begin(), end);
      return given;
    }

   private:
    mutable std::mutex _mutex;
    std::deque<T> _items;
  };
  using Part = DistObject<Items>;

  /// An item of this unit or, if it has none, of another one.
  std::optional<T> next(internal::EndOfWork& end) {
    std::optional<T> item = _items->pop();
    if (item) return item;
    for (const team_unit_t victim : end.victims()) {
      std::vector<T> taken =
          am(
              victim, on(team()), [](Part& part) { return part->give(); }, _items)
              .get();
      if (!taken.empty()) _items->push(std::move(taken));
      item = _items->pop();
      if (item) break;
    }
    if (item) end.reset_pause();
    return item;
  }

  Part _items;
  Aggregator<void(T)> _pushes;
  std::atomic<std::uint64_t> _num_created{0};
  std::atomic<std::uint64_t> _num_completed{0};
};

}  // namespace dash
