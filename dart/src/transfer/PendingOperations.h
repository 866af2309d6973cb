#pragma once

#include <cstddef>
#include <cstdint>
#include <exception>
#include <memory>

#include "dash/async/Operation.h"
#include "network/messages/UnacknowledgedMessages.h"
#include "network/rma/PendingList.h"

namespace dash::dart {

class RmaDriver;

/// The operations that this unit has started and that are not complete: those a flush waits for.
/// \threads thread-safe
class PendingOperations {
 public:
  static constexpr std::int32_t any_unit = PendingList::any_unit;

  /// \param driver  a flush requests acknowledgements through it
  explicit PendingOperations(RmaDriver& driver) noexcept : _driver(driver) {}
  PendingOperations(const PendingOperations&) = delete;
  PendingOperations& operator=(const PendingOperations&) = delete;

  /// See PendingList::add.
  void add(PendingList::Entry& entry, exec::State& state, std::int16_t segment,
           std::int32_t unit) noexcept {
    _list.add(entry, state, segment, unit);
  }
  /// Counts a message to memory of a unit that has been sent without a request for a reply. A flush
  /// requests one reply that acknowledges all such messages; so does this function when there are
  /// many.
  /// \param target   the unit's global id
  /// \param of_unit  whether the unit itself handles the message (Message::is_for_unit)
  void add_unacknowledged(std::int16_t segment, std::int32_t unit, int target, bool of_unit);

  /// Adds an operation that has no entry itself. It is constructed before the operation starts,
  /// because nothing may throw afterwards.
  class Registration {
   public:
    explicit Registration(PendingOperations& pending_operations);
    Registration(const Registration&) = delete;
    Registration& operator=(const Registration&) = delete;
    ~Registration();

    /// To be called once.
    void add(const exec::Operation& operation, std::int16_t segment, std::int32_t unit) noexcept;

   private:
    class Follower;
    PendingOperations& _pending_operations;
    std::unique_ptr<Follower> _follower;
  };

  /// Waits for the operations on a unit of a segment, or on all units (any_unit), that were added
  /// before. It waits for all of them, even if some fail.
  /// \throws the error of the first operation that failed
  void flush(std::int16_t segment, std::int32_t unit);
  /// As flush(), but waits for local completion: sources may be reused, fetched data has arrived.
  void flush_local(std::int16_t segment, std::int32_t unit);
  /// As flush() for all units of a segment, without an exception, for use in a collective that has
  /// to continue.
  /// \returns the exception that flush() would throw, or null
  std::exception_ptr try_flush(std::int16_t segment) noexcept;
  /// Waits for all operations that were added before, as flush() does.
  void flush_all();

  /// The operation that is complete when all operations added before are, whether they succeed or
  /// fail.
  exec::Operation settled();

  std::size_t size() const noexcept { return _list.size(); }

 private:
  template <class Matches>
  void request_acknowledgements(const Matches& matches);
  template <class Matches, class Wait>
  void flush_matching(std::size_t first_list, std::size_t end_list, Matches matches, Wait wait);
  template <class Matches, class Wait>
  void flush_unit(std::int16_t segment, std::int32_t unit, Matches matches, Wait wait);

  RmaDriver& _driver;
  UnacknowledgedMessages _unacknowledged;
  PendingList _list;
};

}  // namespace dash::dart
