#include "two_sided/MessageBlocks.h"

#include <algorithm>
#include <new>

#include "base/Error.h"

namespace dash::dart {

MessageBlocks::MessageBlocks(Session& session, GlobalMemory& memory) noexcept
    : _session(session), _memory(memory) {}

MessageBlock* MessageBlocks::take_buffered(std::size_t nbytes) {
  if (nbytes > buffered_message_bytes) return nullptr;
  std::lock_guard lock(_mutex);
  collect_returned();
  if (_buffered_bytes + nbytes > buffer_bytes) return nullptr;
  MessageBlock* const block = find_or_make(nbytes);
  if (block != nullptr) _buffered_bytes += block->capacity;
  return block;
}

MessageBlock& MessageBlocks::take(std::size_t nbytes) {
  std::lock_guard lock(_mutex);
  collect_returned();
  MessageBlock* const block = find_or_make(nbytes);
  if (block == nullptr) {
    throw_error(DART_ERR_NOMEM, "no room in the local pool for a message of {} bytes", nbytes);
  }
  return *block;
}

void MessageBlocks::give_back(MessageBlock& block) {
  std::lock_guard lock(_mutex);
  keep(block);
}

/// \pre _mutex is held, as in all below
MessageBlock* MessageBlocks::find_or_make(std::size_t nbytes) {
  const auto capacity = std::lower_bound(capacities.begin(), capacities.end() - 1, nbytes);
  auto& kept = _kept[static_cast<std::size_t>(capacity - capacities.begin())];
  if (kept.empty()) return make(*capacity);
  MessageBlock* const block = kept.back();
  kept.pop_back();
  _kept_bytes -= block->capacity;
  return block;
}

MessageBlock* MessageBlocks::make(std::size_t capacity) {
  for (int attempt = 0; attempt < 2; ++attempt) {
    try {
      const dart_gptr_t gptr = _memory.allocate_local(sizeof(MessageBlock) + capacity);
      char* const address =
          _session.heap().own() + _session.plan().pool_begin + gptr.addr_or_offs.offset;
      auto* const block = new (address) MessageBlock;
      block->capacity = static_cast<std::uint32_t>(capacity);
      return block;
    } catch (const Error&) {
      // The pool is the application's too; what is kept of other sizes may make room.
      release_kept();
    }
  }
  return nullptr;
}

void MessageBlocks::collect_returned() {
  char* const heap = _session.heap().own();
  auto& mailbox = *reinterpret_cast<Mailbox*>(heap + HeapPlan::mailbox);
  mailbox.returned.take_all(_session.heap().base(), [this](MessageBlock& block) {
    // What another thread of this unit did to the block came before its message was received. That
    // order goes through the receiver's process; this pair shows it to tools that see only ours.
    static_cast<void>(block.written.load(std::memory_order_acquire));
    _buffered_bytes -= block.capacity;
    keep(block);
  });
}

void MessageBlocks::keep(MessageBlock& block) {
  if (_kept_bytes + block.capacity > buffer_bytes) {
    release(block);
    return;
  }
  const auto place = std::find(capacities.begin(), capacities.end(), block.capacity);
  _kept[static_cast<std::size_t>(place - capacities.begin())].push_back(&block);
  _kept_bytes += block.capacity;
}

void MessageBlocks::release_kept() {
  for (auto& kept : _kept) {
    for (MessageBlock* block : kept)
      release(*block);
    kept.clear();
  }
  _kept_bytes = 0;
}

void MessageBlocks::release(MessageBlock& block) {
  const char* const pool = _session.heap().own() + _session.plan().pool_begin;
  dart_gptr_t gptr = DART_GPTR_NULL;
  gptr.unitid = _session.layout().unit;
  gptr.segid = DART_SEGMENT_LOCAL;
  gptr.teamid = DART_TEAM_ALL;
  gptr.addr_or_offs.offset =
      static_cast<std::uint64_t>(reinterpret_cast<const char*>(&block) - pool);
  _memory.free_local(gptr);
}

}  // namespace dash::dart
