#pragma once

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <exception>
#include <memory>

#include "network/messages/UnacknowledgedMessages.h"
#include "dash/async/Operation.h"
#include "dash/core/Spin.h"

namespace dash::dart {

class RmaDriver;

/// The operations that this unit has started and that are not complete: what a flush waits for.
///
/// They are in lists by segment and unit, which each leaves when it completes; so a flush looks at
/// those it waits for, and at few others.
/// \threads any
class PendingOperations {
 public:
  static constexpr std::int32_t any_unit = -1;

  /// \param driver  by which a flush asks for answers
  explicit PendingOperations(RmaDriver& driver) noexcept : _driver(driver) {}

  /// A place in the lists, part of what holds the operation's state.
  class Entry {
   public:
    Entry() noexcept = default;
    Entry(const Entry&) = delete;
    Entry& operator=(const Entry&) = delete;

    /// Leaves the list, if in one. Before the state is complete, or when it is.
    void remove() noexcept {
      if (_owner != nullptr) _owner->remove(*this);
    }

   private:
    friend class PendingOperations;
    PendingOperations* _owner = nullptr;
    exec::State* _state = nullptr;
    Entry* _previous = nullptr;
    Entry* _next = nullptr;
    std::uint64_t _serial = 0;
    std::int32_t _unit = 0;
    std::int16_t _segment = 0;
  };

  /// \param unit  any_unit for one that concerns several, and is covered by each one's flush
  /// \pre the state lives until the entry is removed, and was not given to anybody yet
  void add(Entry& entry, exec::State& state, std::int16_t segment, std::int32_t unit) noexcept;
  /// A message has been sent for memory of a unit, without asking for an answer: a flush does, for all
  /// of them; and so does this when they are many.
  /// \param target  the unit's global id
  void add_unanswered(std::int16_t segment, std::int32_t unit, int target);

  /// What an operation is added by of which nobody else takes care. It is made before the operation
  /// is started: from then on nothing may throw.
  class Following {
   public:
    explicit Following(PendingOperations& pending_operations);
    Following(const Following&) = delete;
    Following& operator=(const Following&) = delete;
    ~Following();

    /// Once.
    void add(const exec::Operation& operation, std::int16_t segment, std::int32_t unit) noexcept;

   private:
    class Follower;
    PendingOperations& _pending_operations;
    std::unique_ptr<Follower> _follower;
  };

  /// Waits for those to a unit of a segment, or to any, that were added before; for all of them, if
  /// some fail.
  /// \throws what the first of those failed with
  void flush(std::int16_t segment, std::int32_t unit);
  /// The same until their sources are free and what they fetch is there.
  void flush_local(std::int16_t segment, std::int32_t unit);
  /// The same for all units of a segment, in a step that others take part in: it goes on first.
  /// \returns what flush() would throw; null if nothing has failed
  std::exception_ptr try_flush(std::int16_t segment) noexcept;
  /// Waits for all that were added before, as flush() does.
  void flush_all();

  /// Complete when all are that were added before, however they end.
  exec::Operation settled();

  std::size_t size() const noexcept { return _size.load(std::memory_order_acquire); }

 private:
  static constexpr std::size_t num_lists = 256;

  static std::size_t list_of(std::int16_t segment, std::int32_t unit) noexcept;
  void remove(Entry& entry) noexcept;
  template <class Matches>
  void ask_for_answers(const Matches& matches);
  template <class Matches, class Wait>
  void flush_matching(std::size_t first_list, std::size_t end_list, Matches matches, Wait wait);
  template <class Matches, class Wait>
  void flush_unit(std::int16_t segment, std::int32_t unit, Matches matches, Wait wait);

  RmaDriver& _driver;
  UnacknowledgedMessages _unanswered;
  core::SpinLock _lock;  // guards the lists
  std::array<Entry*, num_lists> _lists{};
  std::uint64_t _next_serial = 0;
  std::atomic<std::size_t> _size{0};
  std::atomic<std::size_t> _of_any_unit{0};
};

}  // namespace dash::dart
