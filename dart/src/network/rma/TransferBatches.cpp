#include "network/rma/TransferBatches.h"

#include <cstring>

#include "network/messages/ActiveMessageHandlers.h"

namespace dash::dart {

TransferBatch::TransferBatch(Kind kind, int unit, TransferBatches& owner)
    : Request(OnePart()),
      _owner(owner),
      _message(std::make_unique<Message>(kind == Kind::put ? MessageKind::scatter
                                                           : MessageKind::gather)),
      _unit(unit),
      _kind(kind) {
  static_assert(sizeof(TransferBatch) <= core::Pooled::large_bytes &&
                    sizeof(TransferBatch) + core::cache_line_size > core::Pooled::large_bytes,
                "bundles are as large as messages, which have a pool");
  release();  // the starter's
}

std::byte* TransferBatch::add(Request& part, char* dest, std::uint64_t place,
                       std::size_t nbytes) noexcept {
  _parts[_num_parts++] = {&part, dest, static_cast<std::uint32_t>(nbytes)};
  std::byte* const at = _message->payload.data() + _message->nbytes;
  MessagePiece{place, static_cast<std::uint32_t>(nbytes)}.write(at);
  _message->nbytes += MessagePiece::bytes;
  _nbytes += nbytes;
  return at + MessagePiece::bytes;
}

void TransferBatch::add_put(Request& part, std::uint64_t place, const void* src,
                     std::size_t nbytes) noexcept {
  std::memcpy(add(part, nullptr, place, nbytes), src, nbytes);
  _message->nbytes += nbytes;
}

void TransferBatch::add_get(Request& part, void* dest, std::uint64_t place, std::size_t nbytes) noexcept {
  add(part, static_cast<char*>(dest), place, nbytes);
}

bool TransferBatch::fits(std::size_t nbytes) const noexcept {
  const std::size_t piece = MessagePiece::bytes + (_kind == Kind::put ? nbytes : 0);
  return _num_parts < max_parts && _message->nbytes + piece <= Message::max_payload &&
         _nbytes + nbytes <= Message::max_payload;
}

void TransferBatch::take_reply(const std::byte* payload, std::size_t /*nbytes*/) noexcept {
  if (_kind == Kind::put) return;
  for (std::uint32_t i = 0; i < _num_parts; ++i) {
    std::memcpy(_parts[i].dest, payload, _parts[i].nbytes);
    payload += _parts[i].nbytes;
  }
}

void TransferBatch::finish() noexcept {
  for (std::uint32_t i = 0; i < _num_parts; ++i)
    _parts[i].request->part_finished();
  _owner.count_finished(_num_parts);
}

TransferBatch& TransferBatches::begin_to_fill(TransferBatch::Kind kind, int unit) {
  _all.reserve(_all.size() + 1);
  auto* const bundle = new TransferBatch(kind, unit, *this);
  bundle->index = _all.size();
  _all.push_back(bundle);
  _size.store(_all.size(), std::memory_order_release);
  filling(kind, unit) = bundle;
  return *bundle;
}

void TransferBatches::remove(TransferBatch& bundle) noexcept {
  filling(bundle.kind(), bundle.unit()) = nullptr;
  _all[bundle.index] = _all.back();
  _all[bundle.index]->index = bundle.index;
  _all.pop_back();
  _size.store(_all.size(), std::memory_order_release);
}

TransferBatch* TransferBatches::take() noexcept {
  if (_size.load(std::memory_order_acquire) == 0) return nullptr;
  const std::lock_guard lock(_lock);
  if (_all.empty()) return nullptr;
  TransferBatch* const last = _all.back();
  remove(*last);
  return last;
}

}  // namespace dash::dart
