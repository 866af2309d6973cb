#include "network/rma/TransferBatches.h"

#include <cstring>

#include "network/messages/BlockHeader.h"

namespace dash::dart {

namespace {

/// Small transfers to a unit between two polls from which on further ones are batched.
constexpr std::uint32_t burst_min = 16;

}  // namespace

TransferBatch::TransferBatch(Kind kind, int unit, TransferBatches& owner)
    : Request(Parts{1}),
      _owner(owner),
      _message(std::make_unique<Message>(kind == Kind::put ? MessageKind::scatter
                                                           : MessageKind::gather)),
      _unit(unit),
      _kind(kind) {
  static_assert(sizeof(TransferBatch) <= core::Pooled::large_bytes &&
                    sizeof(TransferBatch) + core::cache_line_size > core::Pooled::large_bytes,
                "batches are as large as messages, which have a pool");
  release();  // the starter's reference
}

std::byte* TransferBatch::add(Request& request, char* dest, std::uint64_t location,
                              std::size_t nbytes) noexcept {
  _transfers[_num_transfers++] = {&request, dest, static_cast<std::uint32_t>(nbytes)};
  std::byte* const header = _message->payload.data() + _message->nbytes;
  BlockHeader{location, static_cast<std::uint32_t>(nbytes)}.write(header);
  _message->nbytes += BlockHeader::bytes;
  _nbytes += nbytes;
  return header + BlockHeader::bytes;
}

void TransferBatch::add_put(Request& request, std::uint64_t location, const void* src,
                            std::size_t nbytes) noexcept {
  std::memcpy(add(request, nullptr, location, nbytes), src, nbytes);
  _message->nbytes += static_cast<std::uint32_t>(nbytes);
}

void TransferBatch::add_get(Request& request, void* dest, std::uint64_t location,
                            std::size_t nbytes) noexcept {
  add(request, static_cast<char*>(dest), location, nbytes);
}

bool TransferBatch::fits(std::size_t nbytes) const noexcept {
  const std::size_t in_payload = BlockHeader::bytes + (_kind == Kind::put ? nbytes : 0);
  return _num_transfers < max_transfers && _message->nbytes + in_payload <= Message::max_payload &&
         _nbytes + nbytes <= Message::max_payload;
}

void TransferBatch::take_reply(const std::byte* payload, std::size_t /*nbytes*/) noexcept {
  if (_kind == Kind::put) return;
  for (std::uint32_t i = 0; i < _num_transfers; ++i) {
    std::memcpy(_transfers[i].dest, payload, _transfers[i].nbytes);
    payload += _transfers[i].nbytes;
  }
}

void TransferBatch::finish() noexcept {
  for (std::uint32_t i = 0; i < _num_transfers; ++i)
    _transfers[i].request->part_finished();
  _owner.count_finished(_num_transfers);
}

/// Relaxed: the counts of a unit are hints and publish no data.
bool TransferBatches::is_burst(int unit) noexcept {
  Unit& state = _units[static_cast<std::size_t>(unit)];
  const std::uint32_t poll = _polls.load(std::memory_order_relaxed);
  std::uint32_t started = 0;
  if (state.poll.load(std::memory_order_relaxed) == poll) {
    started = state.started.load(std::memory_order_relaxed);
  } else {
    state.poll.store(poll, std::memory_order_relaxed);
  }
  state.started.store(started + 1, std::memory_order_relaxed);
  return started >= burst_min;
}

TransferBatch& TransferBatches::open(TransferBatch::Kind kind, int unit) {
  _open.reserve(_open.size() + 1);
  auto* const batch = new TransferBatch(kind, unit, *this);
  batch->index = _open.size();
  _open.push_back(batch);
  // Any order suffices: the lock orders the batches, and a later poll finds a batch that this one misses.
  _size.store(_open.size(), std::memory_order_release);
  open_batch(kind, unit) = batch;
  return *batch;
}

void TransferBatches::close(TransferBatch& batch) noexcept {
  open_batch(batch.kind(), batch.unit()) = nullptr;
  _open[batch.index] = _open.back();
  _open[batch.index]->index = batch.index;
  _open.pop_back();
  _size.store(_open.size(), std::memory_order_release);
}

TransferBatch* TransferBatches::take() noexcept {
  if (_size.load(std::memory_order_acquire) == 0) return nullptr;
  const std::lock_guard lock(_lock);
  if (_open.empty()) return nullptr;
  TransferBatch* const last = _open.back();
  close(*last);
  return last;
}

}  // namespace dash::dart
