#pragma once

#include <array>
#include <atomic>
#include <cstddef>
#include <exception>
#include <memory>
#include <vector>

#include "base/CoalescingLock.h"
#include "dash/async/Engine.h"
#include "dash/async/Operation.h"
#include "dash/core/Settings.h"
#include "dash/core/Spin.h"
#include "dash/dart/GlobalCopy.h"
#include "dash/dart/Transfer.h"

namespace dash::dart {

/// A copy between global memory and global memory in flight.
///
/// It goes in batches of pieces. What the caller's node has at one end moves directly; what it has at
/// neither goes through the batch's slab of memory: it is got, then put. Those of one unit are one
/// operation.
/// \threads one at a time
class GlobalCopy final : public exec::State {
 public:
  explicit GlobalCopy(std::unique_ptr<CopyPieces> pieces) noexcept
      : State(2), _slab_bytes(core::settings().copy_slab), _pieces(std::move(pieces)) {}

  /// Goes on as far as it can without waiting. \returns whether anything was done
  bool advance() noexcept;
  bool finished() const noexcept { return _ended && _in_flight == 0; }
  /// Completes the state. \pre finished()
  void settle() noexcept;

  GlobalCopy* next_finished = nullptr;  // of those that a poll has found

 private:
  static constexpr std::size_t max_batches = 4;
  static constexpr std::size_t max_batch_pieces = 1024;

  /// Between this process and another node.
  struct Move {
    dart_gptr_t gptr;
    TransferRun run;
  };
  struct Batch {
    enum class Stage : unsigned char { free, moving, putting };
    Stage stage = Stage::free;
    std::unique_ptr<std::byte[]> slab;
    std::size_t used = 0;         // of the slab
    std::vector<Move> slab_puts;  // of what is in the slab
    std::vector<exec::Operation> pending;
  };
  /// What a batch begins with.
  struct Moves {
    std::vector<Move> gets;
    std::vector<Move> puts;
  };

  bool advance_started() noexcept;
  bool advance(Batch& batch) noexcept;
  bool start_batch();
  bool add_piece(Batch& batch, Moves& moves);
  void add_through_slab(Batch& batch, Moves& moves);
  bool take_piece();
  void note_error() noexcept;
  bool has_ended(Batch& batch) noexcept;

  const std::size_t _slab_bytes;
  std::unique_ptr<CopyPieces> _pieces;
  CopyPiece _piece{};   // what is left of the current one; no bytes: the next one is due
  bool _ended = false;  // no piece will be started any more
  std::size_t _in_flight = 0;
  std::array<Batch, max_batches> _batches;
  std::exception_ptr _failure;
};

/// The copies of this unit in flight: a source of the engine.
/// \threads any
class GlobalCopies final : public exec::PollSource {
 public:
  /// Never destroyed, as the engine.
  static GlobalCopies& instance() noexcept;

  exec::Operation start(std::unique_ptr<CopyPieces> pieces);

  bool poll() noexcept override;
  exec::Demand demand() const noexcept override {
    return _size.load(std::memory_order_relaxed) == 0 ? exec::Demand::none : exec::Demand::waiting;
  }

 private:
  bool advance_all() noexcept;

  CoalescingLock _poll_lock;  // guards the copies, one thread at a time
  std::vector<GlobalCopy*> _copies;
  core::SpinLock _lock;  // guards _started
  std::vector<GlobalCopy*> _started;
  std::atomic<std::size_t> _size{0};
};

}  // namespace dash::dart
