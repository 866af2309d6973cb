#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>

#include "dash/Team.h"
#include "dash/async/FunctionRef.h"
#include "dash/core/Export.h"
#include "dash/internal/Unit.h"

namespace dash::exec {
class Pace;
}  // namespace dash::exec

namespace dash::internal {

/// Memory in which the units of a team on one node tell each other what is left to do. The team
/// keeps it, see Team::node_board().
class DASH_API NodeBoard {
 public:
  /// \collective over the team
  explicit NodeBoard(Team& team);
  ~NodeBoard();
  NodeBoard(const NodeBoard&) = delete;
  NodeBoard& operator=(const NodeBoard&) = delete;

 private:
  friend class NodeWork;
  struct Record;
  struct Memory;
  std::unique_ptr<Memory> _memory;
};

/// Work of one collective call that the units of a node do together: each has a number of pieces,
/// which it begins with; who has none left goes on with those of others, near ones first.
///
/// The protocol. A call has a number, which each unit counts by itself, since all make the same
/// calls. Every unit has a cursor in the team's board: one word, of the number of the call that it is
/// in and of its next piece.
///
/// 1. open(): the owner sets the number of pieces, and then, releasing, the cursor to (call, 0).
/// 2. Pieces are claimed, by the owner and by others alike, by compare-and-swap of the cursor. Who
///    finds another call's number in it takes nothing: the owner has not begun this call yet. (A
///    later one it cannot be in: a call ends by a collective that the one who looks has not entered.)
/// 3. Others count the pieces that they have run, releasing, in the owner's `done`. The owner, having
///    waited until all of its pieces have been run, finds their results.
/// 4. Who has found nothing left, but a unit that has not begun, waits until one more has: in the
///    node's first member, each unit counts itself when it opens.
/// 5. A unit that fails closes: as the others see it, nothing of it is left. One that fails before it
///    has opened opens with nothing, so that nobody waits for it.
///
/// What an owner writes before it opens is visible to who runs its pieces; what these write is
/// visible to it after wait_for_pieces(), or the collective that ends the call.
/// \threads one for each call; pieces are run by any
class DASH_API NodeWork {
 public:
  /// Runs pieces begin ... end - 1 of a unit of the caller's node.
  using Body = exec::FunctionRef<void(team_unit_t unit, std::size_t begin, std::size_t end)>;

  /// Bytes of each unit for the results of pieces.
  static constexpr std::size_t result_bytes = std::size_t{64} << 10;

  /// Enters the board's next call.
  NodeWork(NodeBoard& board, team_unit_t myid) noexcept;
  ~NodeWork() { close(); }
  NodeWork(const NodeWork&) = delete;
  NodeWork& operator=(const NodeWork&) = delete;

  /// Whether run() was not called yet.
  bool is_fresh() const noexcept { return _state == State::entered; }

  /// Runs the caller's pieces 0 ... count - 1 on its workers, as far as others do not, then theirs.
  /// \param count  less than 2^32; may be different on the units
  /// \blocks until no unit of the node has pieces left that nobody has begun
  /// \throws the first exception of a body on this unit, after the running ones have returned
  void run(std::size_t count, Body body);

  /// Where the results of a unit's pieces go: result_bytes, aligned to a cache line.
  void* results(team_unit_t unit) const noexcept;

  /// Returns when all pieces of the caller have been run, whoever has them.
  /// \returns false if one has failed, on another unit, which will tell
  /// \pre run() has returned
  bool wait_for_pieces();

  /// Nothing is left of the caller's from here on.
  void close() noexcept;

 private:
  enum class State : unsigned char { entered, open, closed };
  struct Batch;
  class Worker;

  NodeBoard::Record& record(team_unit_t unit) const noexcept;
  void open(std::size_t count);
  std::uint32_t left(const NodeBoard::Record& of) const noexcept;
  bool is_late(const NodeBoard::Record& of) const noexcept;
  std::size_t left_on_node() const noexcept;
  bool somebody_is_late() const noexcept;
  Batch claim(team_unit_t unit, const exec::Pace& pace) const noexcept;

  NodeBoard::Memory& _board;
  team_unit_t _myid;
  std::uint32_t _number;
  State _state = State::entered;
  std::size_t _count = 0;
  std::atomic<std::size_t> _own{0};  // pieces of the caller's that its workers have run
  std::atomic<bool> _failed{false};
};

}  // namespace dash::internal
