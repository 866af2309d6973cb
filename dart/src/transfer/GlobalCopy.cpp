#include "transfer/GlobalCopy.h"

#include <algorithm>
#include <mutex>
#include <new>
#include <span>
#include <tuple>
#include <utility>

#include "transfer/OneSided.h"
#include "api/Runtime.h"
#include "transfer/TypedTransfer.h"

namespace dash::dart {

/// Asked again until it is true.
bool GlobalCopy::has_ended(Batch& batch) noexcept {
  for (; !batch.pending.empty(); batch.pending.pop_back()) {
    const exec::Operation& last = batch.pending.back();
    if (!last.done()) return false;
    const exec::State* const state = last.state().get();
    if (state == nullptr || !state->failed()) continue;
    if (_failure == nullptr) _failure = state->error();
    _ended = true;
  }
  --_in_flight;
  return true;
}

void GlobalCopy::note_error() noexcept {
  _ended = true;
  if (_failure != nullptr) return;
  try {
    translated([] { std::rethrow_exception(std::current_exception()); });
  } catch (...) {
    _failure = std::current_exception();
  }
}

bool GlobalCopy::advance() noexcept {
  bool did = advance_started();
  try {
    while (!_ended && start_batch())
      did = advance_started() || did;
  } catch (...) {
    note_error();
    did = true;
  }
  return did;
}

bool GlobalCopy::advance_started() noexcept {
  bool did = false;
  for (Batch& batch : _batches)
    did |= advance(batch);
  return did;
}

namespace {

/// Starts moves, those of a unit together.
/// \param operations  what is not done, also if it throws
template <class Moves, class Start>
void start_moves(Moves& moves, std::vector<exec::Operation>& operations, Start start) {
  const auto key = [](const auto& move) {
    return std::tuple<int, int, int>(move.gptr.unitid, move.gptr.segid, move.gptr.teamid);
  };
  std::stable_sort(moves.begin(), moves.end(),
                   [&](const auto& a, const auto& b) { return key(a) < key(b); });
  std::vector<TransferRun> runs;
  for (auto it = moves.begin(); it != moves.end();) {
    const auto first = it;
    runs.clear();
    for (; it != moves.end() && key(*it) == key(*first); ++it)
      runs.push_back(it->run);
    start(first->gptr, runs, operations);
  }
}

void get_moves(const dart_gptr_t& src, std::span<const TransferRun> runs,
               std::vector<exec::Operation>& operations) {
  if (runs.size() > 1) return start_runs_get(src, runs, operations);
  start_kept(operations, [&] { return start_get(runs[0].memory, src, runs[0].nbytes); });
}
void put_moves(const dart_gptr_t& dest, std::span<const TransferRun> runs,
               std::vector<exec::Operation>& operations) {
  if (runs.size() > 1) return start_runs_put(dest, runs, operations);
  start_kept(operations, [&] { return start_put(dest, runs[0].memory, runs[0].nbytes); });
}

}  // namespace

bool GlobalCopy::advance(Batch& batch) noexcept {
  if (batch.stage == Batch::Stage::free || !has_ended(batch)) return false;
  const bool moved = batch.stage == Batch::Stage::moving;
  batch.stage = Batch::Stage::free;
  if (!moved || batch.slab_puts.empty() || _failure != nullptr) return true;
  try {
    start_moves(batch.slab_puts, batch.pending, put_moves);
  } catch (...) {
    note_error();  // those that have begun have to end
  }
  batch.stage = Batch::Stage::putting;
  ++_in_flight;
  return true;
}

/// \returns false if there is none left
bool GlobalCopy::take_piece() {
  if (_piece.nbytes != 0) return true;
  while (_pieces->next(_piece)) {
    GlobalMemory::check(_piece.src, _piece.nbytes);
    GlobalMemory::check(_piece.dest, _piece.nbytes);
    if (_piece.nbytes != 0) return true;
  }
  _piece.nbytes = 0;
  _ended = true;
  return false;
}

/// \returns false, if there is nothing left to add, or no room for it
bool GlobalCopy::add_piece(Batch& batch, Moves& moves) {
  if (!take_piece()) return false;
  void* const from = on_node_address(_piece.src, _piece.nbytes);
  void* const to = on_node_address(_piece.dest, _piece.nbytes);
  if (from == nullptr && to == nullptr) {
    if (batch.used == _slab_bytes) return false;
    add_through_slab(batch, moves);
    return true;
  }
  if (from != nullptr && to != nullptr) {
    start_kept(batch.pending, [&] { return start_put(_piece.dest, from, _piece.nbytes); });
  } else if (from != nullptr) {
    moves.puts.push_back({_piece.dest, {_piece.dest.addr_or_offs.offset, from, _piece.nbytes}});
  } else {
    moves.gets.push_back({_piece.src, {_piece.src.addr_or_offs.offset, to, _piece.nbytes}});
  }
  _piece.nbytes = 0;
  return true;
}

void GlobalCopy::add_through_slab(Batch& batch, Moves& moves) {
  if (batch.slab == nullptr) batch.slab = std::make_unique_for_overwrite<std::byte[]>(_slab_bytes);
  const std::size_t length = std::min(_piece.nbytes, _slab_bytes - batch.used);
  std::byte* const place = batch.slab.get() + batch.used;
  moves.gets.push_back({_piece.src, {_piece.src.addr_or_offs.offset, place, length}});
  batch.slab_puts.push_back({_piece.dest, {_piece.dest.addr_or_offs.offset, place, length}});
  batch.used += length;
  _piece.src.addr_or_offs.offset += length;
  _piece.dest.addr_or_offs.offset += length;
  _piece.nbytes -= length;
}

/// \returns whether it has started something and may start more
bool GlobalCopy::start_batch() {
  const auto batch = std::find_if(_batches.begin(), _batches.end(), [](const Batch& each) {
    return each.stage == Batch::Stage::free;
  });
  if (batch == _batches.end()) return false;
  batch->slab_puts.clear();
  batch->used = 0;
  Moves moves;
  try {
    for (std::size_t i = 0; i < max_batch_pieces && add_piece(*batch, moves);)
      ++i;
    start_moves(moves.puts, batch->pending, put_moves);
    start_moves(moves.gets, batch->pending, get_moves);
  } catch (...) {
    note_error();  // those that have begun have to end
  }
  batch->stage = Batch::Stage::moving;
  ++_in_flight;
  return true;
}

void GlobalCopy::settle() noexcept {
  _pieces.reset();
  if (_failure != nullptr) {
    fail(std::exchange(_failure, nullptr));
  } else {
    complete();
  }
  release();
}

GlobalCopies& GlobalCopies::instance() noexcept {
  static GlobalCopies* const copies = new GlobalCopies();
  return *copies;
}

exec::Operation GlobalCopies::start(std::unique_ptr<CopyPieces> pieces) {
  auto* const copy = new GlobalCopy(std::move(pieces));
  exec::Operation operation(exec::StatePtr<exec::State>::adopt(copy));
  try {
    const std::lock_guard lock(_lock);
    _started.push_back(copy);
    _size.fetch_add(1, std::memory_order_release);
  } catch (...) {
    copy->release();  // the producer's
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
  } catch (const std::bad_alloc&) {  // NOLINT(bugprone-empty-catch): they begin with a later poll
  }
  bool did = false;
  for (GlobalCopy* const copy : _copies)
    did |= copy->advance();
  return did;
}

bool GlobalCopies::poll() noexcept {
  if (_size.load(std::memory_order_acquire) == 0) return false;
  const exec::InPoll in_poll;
  bool did = false;
  GlobalCopy* finished = nullptr;
  std::size_t num_finished = 0;
  _poll_lock.look([&] {
    did |= advance_all();
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
  return did;
}

namespace {

bool touches_node(const CopyPiece& piece) noexcept {
  return on_node_address(piece.src, piece.nbytes) != nullptr ||
         on_node_address(piece.dest, piece.nbytes) != nullptr;
}

exec::Operation start_touching(const CopyPiece& piece) {
  if (const void* from = on_node_address(piece.src, piece.nbytes)) {
    return start_put(piece.dest, from, piece.nbytes);
  }
  return start_get(on_node_address(piece.dest, piece.nbytes), piece.src, piece.nbytes);
}

}  // namespace

exec::Operation copy_global_async(std::unique_ptr<CopyPieces> pieces, dart_gptr_t dest,
                                  dart_gptr_t src) {
  return translated([&] {
    Runtime& runtime = Runtime::get();
    PendingOperations::Following to_dest(runtime.pending_operations());
    PendingOperations::Following from_src(runtime.pending_operations());
    exec::Operation operation = GlobalCopies::instance().start(std::move(pieces));
    to_dest.add(operation, dest.segid, PendingOperations::any_unit);
    from_src.add(operation, src.segid, PendingOperations::any_unit);
    return operation;
  });
}

bool copy_direct_async(const CopyPiece& piece, exec::Operation& operation) {
  return translated([&] {
    Runtime& runtime = Runtime::get();
    GlobalMemory::check(piece.src, piece.nbytes);
    GlobalMemory::check(piece.dest, piece.nbytes);
    if (!touches_node(piece)) return false;
    PendingOperations::Following following(runtime.pending_operations());
    operation = start_touching(piece);
    // The transfer itself is covered by a flush of the other end only.
    const bool is_put = on_node_address(piece.src, piece.nbytes) != nullptr;
    const dart_gptr_t& end = is_put ? piece.src : piece.dest;
    following.add(operation, end.segid, end.unitid);
    return true;
  });
}

}  // namespace dash::dart
