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
#include "transfer/BlockTransfers.h"
#include "transfer/OneSided.h"

namespace dash::dart {

/// A copy between global memory and global memory in flight.
///
/// It proceeds in batches of blocks. A block with one end on the caller's node moves directly. A
/// block with both ends on other nodes goes through the buffer of its batch: a get, then a put. The
/// blocks of one unit are one operation.
/// \threads externally synchronized
class GlobalCopy final : public exec::State {
 public:
  GlobalCopy(OneSided& one_sided, BlockTransfers& block_transfers,
             std::unique_ptr<CopyBlocks> blocks) noexcept
      : State(2),
        _one_sided(one_sided),
        _block_transfers(block_transfers),
        _buffer_bytes(core::settings().copy_buffer),
        _blocks(std::move(blocks)) {}

  /// Starts the next steps that are possible without waiting. \returns whether any was started
  bool advance() noexcept;
  bool finished() const noexcept { return _all_started && _batches_in_flight == 0; }
  /// Completes the state. \pre finished()
  void settle() noexcept;

  GlobalCopy* next_finished = nullptr;  // links the copies that a poll has found finished

 private:
  static constexpr std::size_t max_batches = 4;
  static constexpr std::size_t max_batch_blocks = 1024;

  /// A transfer between this process and another node.
  struct Move {
    dart_gptr_t gptr;
    TransferBlock block;
  };
  struct Batch {
    enum class Stage : unsigned char { free, moving, putting };
    Stage stage = Stage::free;
    std::unique_ptr<std::byte[]> buffer;
    std::size_t used = 0;           // bytes of the buffer
    std::vector<Move> buffer_puts;  // of the data in the buffer
    std::vector<exec::Operation> pending;
  };
  /// The first transfers of a batch.
  struct Moves {
    std::vector<Move> gets;
    std::vector<Move> puts;
  };

  bool advance_batches() noexcept;
  bool advance(Batch& batch) noexcept;
  bool start_batch();
  bool add_block(Batch& batch, Moves& moves);
  void add_buffered(Batch& batch, Moves& moves);
  bool next_block();
  void start_puts(std::vector<Move>& moves, std::vector<exec::Operation>& operations);
  void start_gets(std::vector<Move>& moves, std::vector<exec::Operation>& operations);
  void record_error() noexcept;
  bool has_ended(Batch& batch) noexcept;

  OneSided& _one_sided;
  BlockTransfers& _block_transfers;
  const std::size_t _buffer_bytes;
  std::unique_ptr<CopyBlocks> _blocks;
  CopyBlock _block{};  // rest of the current block; if it has no bytes, the next block is due
  bool _all_started = false;  // no further block will be started
  std::size_t _batches_in_flight = 0;
  std::array<Batch, max_batches> _batches;
  std::exception_ptr _failure;
};

/// The copies of this unit in flight: a poll source.
/// \threads thread-safe
class GlobalCopies final : public exec::PollSource {
 public:
  GlobalCopies(OneSided& one_sided, BlockTransfers& block_transfers) noexcept
      : _one_sided(one_sided), _block_transfers(block_transfers) {}

  /// See copy_global_async() and copy_direct_async(). \throws exception::RuntimeError
  /// @{
  exec::Operation start(std::unique_ptr<CopyBlocks> blocks, const dart_gptr_t& dest,
                        const dart_gptr_t& src);
  bool start_direct(const CopyBlock& block, exec::Operation& operation);
  /// @}

  /// \param may_poll  whether MPI was initialized with MPI_THREAD_MULTIPLE
  void set_thread_may_poll(bool may_poll) noexcept { _thread_may_poll = may_poll; }

  bool poll() noexcept override;
  bool thread_may_poll() const noexcept override { return _thread_may_poll; }
  exec::Demand demand() const noexcept override {
    return _size.load(std::memory_order_relaxed) == 0 ? exec::Demand::none : exec::Demand::waiting;
  }

 private:
  exec::Operation add(std::unique_ptr<CopyBlocks> blocks);
  bool advance_all() noexcept;

  OneSided& _one_sided;
  BlockTransfers& _block_transfers;
  bool _thread_may_poll = false;
  CoalescingLock _poll_lock;  // guards _copies
  std::vector<GlobalCopy*> _copies;
  core::SpinLock _lock;  // guards _started
  std::vector<GlobalCopy*> _started;
  // Copies in both lists. Read without the locks to skip empty lists. Any order suffices: the locks
  // order the copies, and the next poll finds a copy that this one misses.
  std::atomic<std::size_t> _size{0};
};

}  // namespace dash::dart
