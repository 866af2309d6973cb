#include "two_sided/MessageBlocks.h"

#include <algorithm>
#include <new>

#include "base/Error.h"

namespace dash::dart {

MessageBlocks::MessageBlocks(Session& session, GlobalMemory& memory, BlockList& returned) noexcept
    : _session(session), _memory(memory), _returned(returned) {}

MessageBlock* MessageBlocks::take_buffered(std::size_t nbytes, bool* is_pool_full) {
  if (nbytes > buffered_message_bytes) return nullptr;
  std::lock_guard lock(_mutex);
  reclaim_returned();
  if (_buffered_bytes + nbytes > buffer_bytes) return nullptr;
  MessageBlock* const block = find_or_create(nbytes);
  if (block != nullptr) {
    _buffered_bytes += block->capacity;
  } else if (is_pool_full != nullptr) {
    *is_pool_full = _buffered_bytes == 0;
  }
  return block;
}

MessageBlock& MessageBlocks::take(std::size_t nbytes) {
  std::lock_guard lock(_mutex);
  reclaim_returned();
  MessageBlock* const block = find_or_create(nbytes);
  if (block == nullptr) {
    throw_error(DART_ERR_NOMEM, "no space left in the local pool for a message of {} bytes",
                nbytes);
  }
  return *block;
}

void MessageBlocks::return_block(MessageBlock& block) {
  std::lock_guard lock(_mutex);
  cache(block);
}

/// \pre the caller holds _mutex, as for all functions below
MessageBlock* MessageBlocks::find_or_create(std::size_t nbytes) {
  const auto capacity = std::lower_bound(capacities.begin(), capacities.end() - 1, nbytes);
  auto& cached = _cached[static_cast<std::size_t>(capacity - capacities.begin())];
  if (cached.empty()) return create(*capacity);
  MessageBlock* const block = cached.back();
  cached.pop_back();
  _cached_bytes -= block->capacity;
  return block;
}

MessageBlock* MessageBlocks::create(std::size_t capacity) {
  for (int attempt = 0; attempt < 2; ++attempt) {
    try {
      const dart_gptr_t gptr = _memory.allocate_local(sizeof(MessageBlock) + capacity);
      char* const address =
          _session.heap().own() + _session.plan().pool_begin + gptr.addr_or_offs.offset;
      auto* const block = new (address) MessageBlock;
      block->capacity = static_cast<std::uint32_t>(capacity);
      return block;
    } catch (const exception::RuntimeError&) {
      // The application allocates from the same pool; releasing cached blocks of other sizes may help.
      release_cached();
    }
  }
  return nullptr;
}

void MessageBlocks::reclaim_returned() {
  _returned.take_all(_session.heap().base(), [this](MessageBlock& block) {
    // Another thread of this unit wrote the block before its message was received. That ordering passes
    // through the receiver's process; this acquire shows it to tools that observe this process only.
    static_cast<void>(block.written.load(std::memory_order_acquire));
    _buffered_bytes -= block.capacity;
    cache(block);
  });
}

void MessageBlocks::cache(MessageBlock& block) {
  if (_cached_bytes + block.capacity > buffer_bytes) {
    release(block);
    return;
  }
  const auto size_class = std::find(capacities.begin(), capacities.end(), block.capacity);
  _cached[static_cast<std::size_t>(size_class - capacities.begin())].push_back(&block);
  _cached_bytes += block.capacity;
}

void MessageBlocks::release_cached() {
  for (auto& cached : _cached) {
    for (MessageBlock* block : cached)
      release(*block);
    cached.clear();
  }
  _cached_bytes = 0;
}

void MessageBlocks::release(MessageBlock& block) {
  const char* const pool = _session.heap().own() + _session.plan().pool_begin;
  dart_gptr_t gptr = DART_GPTR_NULL;
  gptr.unitid = _session.layout().unit;
  gptr.segid = DART_SEGMENT_LOCAL;
  gptr.teamid = DART_TEAM_ALL;
  gptr.addr_or_offs.offset =
      static_cast<std::uint64_t>(reinterpret_cast<const char*>(&block) - pool);
  // Only processors read blocks. A wait would keep the lock, and run functions that need it.
  _memory.free_local(gptr, GlobalMemory::Sends::none);
}

}  // namespace dash::dart
