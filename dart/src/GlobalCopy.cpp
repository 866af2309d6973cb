#include "GlobalCopy.h"

#include <algorithm>
#include <mutex>
#include <utility>

#include "OneSided.h"
#include "Runtime.h"

namespace dash::dart {

bool GlobalCopy::has_ended(const exec::Operation& operation) noexcept {
  if (!operation.done()) return false;
  const exec::State* const state = operation.state().get();
  if (state != nullptr && state->failed()) {
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
    while (!_ended && start_more())
      did = true;
  } catch (...) {
    note_error();
    did = true;
  }
  return did;
}

bool GlobalCopy::advance_started() noexcept {
  bool did = std::erase_if(_direct, [this](const exec::Operation& operation) {
               return has_ended(operation);
             }) != 0;
  for (Slab& slab : _slabs) {
    try {
      did |= advance(slab);
    } catch (...) {
      note_error();
      slab.stage = Slab::Stage::free;
      did = true;
    }
  }
  return did;
}

bool GlobalCopy::advance(Slab& slab) {
  if (slab.stage == Slab::Stage::free || !has_ended(slab.pending)) return false;
  const bool got = slab.stage == Slab::Stage::getting;
  slab.stage = Slab::Stage::free;
  if (!got || _failure != nullptr) return true;
  std::vector<exec::Operation> puts;
  puts.reserve(slab.parts.size());
  try {
    for (const Slab::Part& part : slab.parts)
      puts.push_back(start_put(part.dest, slab.memory.get() + part.offset, part.nbytes));
  } catch (...) {
    note_error();  // those that have begun have to end
  }
  slab.pending = exec::when_all(puts);
  slab.stage = Slab::Stage::putting;
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

/// \returns whether it has started something and may start more
bool GlobalCopy::start_more() {
  if (!take_piece()) return false;
  return touches_node(_piece) ? start_direct() : start_slab();
}

bool GlobalCopy::start_direct() {
  if (_direct.size() == max_direct) return false;
  exec::Operation operation = start_touching(_piece);
  _piece.nbytes = 0;
  ++_in_flight;
  if (!has_ended(operation)) _direct.push_back(std::move(operation));
  return true;
}

bool GlobalCopy::start_slab() {
  const auto slab = std::find_if(_slabs.begin(), _slabs.end(),
                                 [](const Slab& s) { return s.stage == Slab::Stage::free; });
  if (slab == _slabs.end()) return false;
  if (slab->memory == nullptr) slab->memory = std::make_unique<std::byte[]>(_slab_bytes);
  slab->parts.clear();
  std::vector<exec::Operation> gets;
  std::size_t used = 0;
  try {
    while (used < _slab_bytes && gets.size() < max_slab_pieces && take_piece() &&
           !touches_node(_piece)) {
      const std::size_t length = std::min(_piece.nbytes, _slab_bytes - used);
      gets.push_back(start_get(slab->memory.get() + used, _piece.src, length));
      slab->parts.push_back({_piece.dest, used, length});
      used += length;
      _piece.src.addr_or_offs.offset += length;
      _piece.dest.addr_or_offs.offset += length;
      _piece.nbytes -= length;
    }
  } catch (...) {
    note_error();
  }
  slab->pending = exec::when_all(gets);
  slab->stage = Slab::Stage::getting;
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
  {
    const std::lock_guard lock(_lock);
    _started.push_back(copy);
    _size.fetch_add(1, std::memory_order_release);
  }
  poll();
  return operation;
}

bool GlobalCopies::advance_all() noexcept {
  {
    std::lock_guard lock(_lock);
    _copies.insert(_copies.end(), _started.begin(), _started.end());
    _started.clear();
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
  std::vector<GlobalCopy*> finished;
  _poll_lock.look([&] {
    did |= advance_all();
    const auto end = std::partition(_copies.begin(), _copies.end(),
                                    [](const GlobalCopy* copy) { return !copy->finished(); });
    finished.insert(finished.end(), end, _copies.end());
    _copies.erase(end, _copies.end());
  });
  _size.fetch_sub(finished.size(), std::memory_order_release);
  for (GlobalCopy* const copy : finished)
    copy->settle();
  return did;
}

exec::Operation copy_global_async(std::unique_ptr<CopyPieces> pieces, dart_gptr_t dest,
                                  dart_gptr_t src) {
  return translated([&] {
    Runtime& runtime = Runtime::get();
    exec::Operation operation = GlobalCopies::instance().start(std::move(pieces));
    runtime.outstanding().add(operation, dest.segid, Outstanding::any_unit);
    runtime.outstanding().add(operation, src.segid, Outstanding::any_unit);
    return operation;
  });
}

bool copy_direct_async(const CopyPiece& piece, exec::Operation& operation) {
  return translated([&] {
    Runtime& runtime = Runtime::get();
    GlobalMemory::check(piece.src, piece.nbytes);
    GlobalMemory::check(piece.dest, piece.nbytes);
    if (!touches_node(piece)) return false;
    operation = start_touching(piece);
    // The transfer itself is covered by a flush of the other end only.
    const bool is_put = on_node_address(piece.src, piece.nbytes) != nullptr;
    const dart_gptr_t& end = is_put ? piece.src : piece.dest;
    runtime.outstanding().add(operation, end.segid, end.unitid);
    return true;
  });
}

}  // namespace dash::dart
