#include "transfer/GlobalCopy.h"

#include <algorithm>
#include <mutex>
#include <new>
#include <span>
#include <tuple>
#include <utility>

#include "base/Error.h"
#include "dash/dart/Access.h"

namespace dash::dart {

/// Whether all operations of a batch in flight are complete. \pre no earlier call for this stage
/// has returned true
bool GlobalCopy::has_ended(Batch& batch) noexcept {
  for (; !batch.pending.empty(); batch.pending.pop_back()) {
    const exec::Operation& last = batch.pending.back();
    if (!last.done()) return false;
    const exec::State* const state = last.state().get();
    if (state == nullptr || !state->failed()) continue;
    if (_failure == nullptr) _failure = state->error();
    _all_started = true;
  }
  --_batches_in_flight;
  return true;
}

/// Records the exception being handled. Operations that have been started still have to end.
void GlobalCopy::record_error() noexcept {
  _all_started = true;
  if (_failure == nullptr) _failure = std::current_exception();
}

bool GlobalCopy::advance() noexcept {
  bool has_advanced = advance_batches();
  try {
    while (!_all_started && start_batch())
      has_advanced = advance_batches() || has_advanced;
  } catch (...) {
    record_error();
    has_advanced = true;
  }
  return has_advanced;
}

bool GlobalCopy::advance_batches() noexcept {
  bool has_advanced = false;
  for (Batch& batch : _batches)
    has_advanced |= advance(batch);
  return has_advanced;
}

namespace {

/// Calls start(gptr, blocks) with the moves of each unit and segment.
template <class Moves, class Start>
void for_each_unit(Moves& moves, Start start) {
  const auto key = [](const auto& move) {
    return std::tuple<int, int, int>(move.gptr.unitid, move.gptr.segid, move.gptr.teamid);
  };
  std::stable_sort(moves.begin(), moves.end(),
                   [&](const auto& a, const auto& b) { return key(a) < key(b); });
  std::vector<TransferBlock> blocks;
  for (auto it = moves.begin(); it != moves.end();) {
    const auto first = it;
    blocks.clear();
    for (; it != moves.end() && key(*it) == key(*first); ++it)
      blocks.push_back(it->block);
    start(first->gptr, blocks);
  }
}

bool touches_node(const CopyBlock& block) noexcept {
  return on_node_address(block.src, block.nbytes) != nullptr ||
         on_node_address(block.dest, block.nbytes) != nullptr;
}

}  // namespace

void GlobalCopy::start_gets(std::vector<Move>& moves, std::vector<exec::Operation>& operations) {
  for_each_unit(moves, [&](const dart_gptr_t& src, std::span<const TransferBlock> blocks) {
    if (blocks.size() > 1) return _block_transfers.start_get(src, blocks, operations);
    start_and_append(operations,
                     [&] { return _one_sided.start_get(blocks[0].memory, src, blocks[0].nbytes); });
  });
}

void GlobalCopy::start_puts(std::vector<Move>& moves, std::vector<exec::Operation>& operations) {
  for_each_unit(moves, [&](const dart_gptr_t& dest, std::span<const TransferBlock> blocks) {
    if (blocks.size() > 1) return _block_transfers.start_put(dest, blocks, operations);
    start_and_append(
        operations, [&] { return _one_sided.start_put(dest, blocks[0].memory, blocks[0].nbytes); });
  });
}

bool GlobalCopy::advance(Batch& batch) noexcept {
  if (batch.stage == Batch::Stage::free || !has_ended(batch)) return false;
  const bool was_moving = batch.stage == Batch::Stage::moving;
  batch.stage = Batch::Stage::free;
  if (!was_moving || batch.buffer_puts.empty() || _failure != nullptr) return true;
  try {
    start_puts(batch.buffer_puts, batch.pending);
  } catch (...) {
    record_error();
  }
  batch.stage = Batch::Stage::putting;
  ++_batches_in_flight;
  return true;
}

/// Makes _block the next block unless the current one has bytes left. \returns false if there is
/// none
bool GlobalCopy::next_block() {
  if (_block.nbytes != 0) return true;
  while (_blocks->next(_block)) {
    GlobalMemory::check(_block.src, _block.nbytes);
    GlobalMemory::check(_block.dest, _block.nbytes);
    if (_block.nbytes != 0) return true;
  }
  _block.nbytes = 0;
  _all_started = true;
  return false;
}

/// \returns false if no block is left, or the buffer is full
bool GlobalCopy::add_block(Batch& batch, Moves& moves) {
  if (!next_block()) return false;
  void* const from = on_node_address(_block.src, _block.nbytes);
  void* const to = on_node_address(_block.dest, _block.nbytes);
  if (from == nullptr && to == nullptr) {
    if (batch.used == _buffer_bytes) return false;
    add_buffered(batch, moves);
    return true;
  }
  if (from != nullptr && to != nullptr) {
    start_and_append(batch.pending,
                     [&] { return _one_sided.start_put(_block.dest, from, _block.nbytes); });
  } else if (from != nullptr) {
    moves.puts.push_back({_block.dest, {_block.dest.addr_or_offs.offset, from, _block.nbytes}});
  } else {
    moves.gets.push_back({_block.src, {_block.src.addr_or_offs.offset, to, _block.nbytes}});
  }
  _block.nbytes = 0;
  return true;
}

void GlobalCopy::add_buffered(Batch& batch, Moves& moves) {
  if (batch.buffer == nullptr)
    batch.buffer = std::make_unique_for_overwrite<std::byte[]>(_buffer_bytes);
  const std::size_t length = std::min(_block.nbytes, _buffer_bytes - batch.used);
  std::byte* const memory = batch.buffer.get() + batch.used;
  moves.gets.push_back({_block.src, {_block.src.addr_or_offs.offset, memory, length}});
  batch.buffer_puts.push_back({_block.dest, {_block.dest.addr_or_offs.offset, memory, length}});
  batch.used += length;
  _block.src.addr_or_offs.offset += length;
  _block.dest.addr_or_offs.offset += length;
  _block.nbytes -= length;
}

/// \returns false if no batch is free
bool GlobalCopy::start_batch() {
  const auto batch = std::find_if(_batches.begin(), _batches.end(), [](const Batch& each) {
    return each.stage == Batch::Stage::free;
  });
  if (batch == _batches.end()) return false;
  batch->buffer_puts.clear();
  batch->used = 0;
  Moves moves;
  try {
    for (std::size_t i = 0; i < max_batch_blocks && add_block(*batch, moves);)
      ++i;
    start_puts(moves.puts, batch->pending);
    start_gets(moves.gets, batch->pending);
  } catch (...) {
    record_error();
  }
  batch->stage = Batch::Stage::moving;
  ++_batches_in_flight;
  return true;
}

void GlobalCopy::settle() noexcept {
  _blocks.reset();
  if (_failure != nullptr) {
    fail(std::exchange(_failure, nullptr));
  } else {
    complete();
  }
  release();
}

exec::Operation GlobalCopies::add(std::unique_ptr<CopyBlocks> blocks) {
  auto* const copy = new GlobalCopy(_one_sided, _block_transfers, std::move(blocks));
  exec::Operation operation(exec::StatePtr<exec::State>::adopt(copy));
  try {
    const std::lock_guard lock(_lock);
    _started.push_back(copy);
    // Any order suffices: the locks order the copies, and a later poll finds a copy that this one misses.
    _size.fetch_add(1, std::memory_order_release);
  } catch (...) {
    copy->release();  // the producer's reference
    throw;
  }
  poll();
  return operation;
}

bool GlobalCopies::advance_all() noexcept {
  try {
    std::lock_guard lock(_lock);
    _copies.insert(_copies.end(), _started.begin(), _started.end());
    _started.clear();
  } catch (const std::bad_alloc&) {  // NOLINT(bugprone-empty-catch): a later poll starts them
  }
  bool has_advanced = false;
  for (GlobalCopy* const copy : _copies)
    has_advanced |= copy->advance();
  return has_advanced;
}

bool GlobalCopies::poll() noexcept {
  if (_size.load(std::memory_order_acquire) == 0) return false;
  const exec::PollScope poll_scope;
  bool has_advanced = false;
  GlobalCopy* finished = nullptr;
  std::size_t num_finished = 0;
  _poll_lock.run([&] {
    has_advanced |= advance_all();
    num_finished += std::erase_if(_copies, [&finished](GlobalCopy* copy) {
      if (!copy->finished()) return false;
      copy->next_finished = std::exchange(finished, copy);
      return true;
    });
  });
  _size.fetch_sub(num_finished, std::memory_order_release);
  while (finished != nullptr) {
    GlobalCopy* const copy = std::exchange(finished, finished->next_finished);
    copy->settle();
  }
  return has_advanced;
}

exec::Operation GlobalCopies::start(std::unique_ptr<CopyBlocks> blocks, const dart_gptr_t& dest,
                                    const dart_gptr_t& src) {
  PendingOperations::Registration at_dest(_one_sided.pending_operations());
  PendingOperations::Registration at_src(_one_sided.pending_operations());
  exec::Operation operation = add(std::move(blocks));
  at_dest.add(operation, dest.segid, PendingOperations::any_unit);
  at_src.add(operation, src.segid, PendingOperations::any_unit);
  return operation;
}

bool GlobalCopies::start_direct(const CopyBlock& block, exec::Operation& operation) {
  GlobalMemory::check(block.src, block.nbytes);
  GlobalMemory::check(block.dest, block.nbytes);
  if (!touches_node(block)) return false;
  PendingOperations::Registration registration(_one_sided.pending_operations());
  const void* const from = on_node_address(block.src, block.nbytes);
  operation = from != nullptr ? _one_sided.start_put(block.dest, from, block.nbytes)
                              : _one_sided.start_get(on_node_address(block.dest, block.nbytes),
                                                     block.src, block.nbytes);
  // The transfer itself is pending at its remote end; a flush of the other end waits for it, too.
  const dart_gptr_t& end = from != nullptr ? block.src : block.dest;
  registration.add(operation, end.segid, end.unitid);
  return true;
}

}  // namespace dash::dart
