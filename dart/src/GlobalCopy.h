#pragma once

#include <array>
#include <atomic>
#include <cstddef>
#include <exception>
#include <memory>
#include <vector>

#include "LookLock.h"
#include "dash/async/Engine.h"
#include "dash/async/Operation.h"
#include "dash/core/Settings.h"
#include "dash/core/Spin.h"
#include "dash/dart/GlobalCopy.h"

namespace dash::dart {

/// A copy between global memory and global memory in flight.
///
/// Pieces that touch the caller's node are one operation each. All others go through slabs: a slab
/// takes pieces until it is full, gets all of them, then puts all of them, and is free again.
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

 private:
  static constexpr std::size_t max_slabs = 4;
  static constexpr std::size_t max_slab_pieces = 64;
  static constexpr std::size_t max_direct = 64;

  /// Part of a copy on its way through this unit's memory.
  struct Slab {
    enum class Stage : unsigned char { free, getting, putting };
    struct Part {
      dart_gptr_t dest;
      std::size_t offset;
      std::size_t nbytes;
    };
    Stage stage = Stage::free;
    std::unique_ptr<std::byte[]> memory;
    std::vector<Part> parts;
    exec::Operation pending;
  };

  bool advance_started() noexcept;
  bool advance(Slab& slab);
  bool start_more();
  bool start_direct();
  bool start_slab();
  bool take_piece();
  void note_error() noexcept;
  bool has_ended(const exec::Operation& operation) noexcept;

  const std::size_t _slab_bytes;
  std::unique_ptr<CopyPieces> _pieces;
  CopyPiece _piece{};   // what is left of the current one; no bytes: the next one is due
  bool _ended = false;  // no piece will be started any more
  std::size_t _in_flight = 0;
  std::array<Slab, max_slabs> _slabs;
  std::vector<exec::Operation> _direct;
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

  LookLock _poll_lock;  // guards the copies, one thread at a time
  std::vector<GlobalCopy*> _copies;
  core::SpinLock _lock;  // guards _started
  std::vector<GlobalCopy*> _started;
  std::atomic<std::size_t> _size{0};
};

}  // namespace dash::dart
