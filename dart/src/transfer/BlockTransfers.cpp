#include "transfer/BlockTransfers.h"

#include <algorithm>
#include <memory>
#include <utility>

#include "dash/dart/Access.h"
#include "memory/GlobalMemory.h"

namespace dash::dart {

namespace {

/// One side of a transfer: its begin, and the layout of its blocks from there.
template <class Begin>
struct Side {
  Begin begin;
  StridedLayout layout;
};

/// The layout of blocks of equal length and distance; empty if they are irregular.
StridedLayout regular_layout(std::span<const StridedLayout::Block> blocks) noexcept {
  StridedLayout layout;
  layout.block_nbytes = blocks[0].nbytes;
  layout.nblocks = blocks.size();
  layout.stride = blocks.size() > 1 ? blocks[1].offset - blocks[0].offset : layout.block_nbytes;
  if (blocks[0].offset != 0 || layout.stride < layout.block_nbytes) return {};
  for (std::size_t i = 1; i < blocks.size(); ++i) {
    if (blocks[i].nbytes != layout.block_nbytes) return {};
    if (blocks[i].offset != i * layout.stride) return {};
  }
  layout.nbytes = layout.block_nbytes * layout.nblocks;
  layout.span = layout.stride * (layout.nblocks - 1) + layout.block_nbytes;
  return layout;
}

/// The layout of blocks that begin at begin_of(block). Adjacent blocks are merged.
template <class Blocks, class BeginOf>
auto side_of(const Blocks& blocks, BeginOf begin_of) -> Side<decltype(begin_of(blocks[0]))> {
  auto begin = begin_of(blocks[0]);
  for (const TransferBlock& block : blocks)
    begin = std::min(begin, begin_of(block));
  auto merged = std::make_shared<std::vector<StridedLayout::Block>>();
  std::size_t nbytes = 0;
  std::size_t span = 0;
  for (const TransferBlock& block : blocks) {
    const auto offset = static_cast<std::size_t>(begin_of(block) - begin);
    if (!merged->empty() && merged->back().offset + merged->back().nbytes == offset) {
      merged->back().nbytes += block.nbytes;
    } else {
      merged->push_back({offset, block.nbytes, nbytes});
    }
    nbytes += block.nbytes;
    span = std::max(span, offset + block.nbytes);
  }
  StridedLayout layout = regular_layout(*merged);
  if (layout.nbytes == 0) {
    layout.nbytes = nbytes;
    layout.span = layout.extent = span;
    layout.repetitions = 1;
    layout.blocks = *merged;
    layout.owner = std::move(merged);
  }
  return {begin, std::move(layout)};
}

template <class Start>
exec::Operation start(dart_gptr_t gptr, std::span<const TransferBlock> blocks, Start start_typed) {
  if (blocks.empty()) return {};
  const auto native =
      side_of(blocks, [](const TransferBlock& block) { return static_cast<char*>(block.memory); });
  const auto global = side_of(blocks, [](const TransferBlock& block) { return block.offset; });
  gptr.addr_or_offs.offset = global.begin;
  return start_typed(native.begin, native.layout, gptr, global.layout);
}

/// Blocks by length: one long block among many short ones would otherwise raise their average
/// length, so that each became an MPI operation.
struct BlocksByLength {
  std::vector<TransferBlock> long_blocks;
  std::vector<TransferBlock> short_blocks;
};
BlocksByLength by_length(std::span<const TransferBlock> blocks) {
  BlocksByLength result;
  for (std::size_t i = 0; i < blocks.size();) {
    std::size_t nbytes = blocks[i].nbytes;
    std::size_t end = i + 1;
    while (end < blocks.size() && blocks[end].offset == blocks[i].offset + nbytes)
      nbytes += blocks[end++].nbytes;
    auto& part = nbytes >= TypedTransfers::long_block() ? result.long_blocks : result.short_blocks;
    part.insert(part.end(), blocks.begin() + static_cast<std::ptrdiff_t>(i),
                blocks.begin() + static_cast<std::ptrdiff_t>(end));
    i = end;
  }
  return result;
}

template <class Start>
void start_all(dart_gptr_t gptr, std::span<const TransferBlock> blocks,
               std::vector<exec::Operation>& operations, Start start_typed) {
  if (blocks.empty()) return;
  std::uint64_t begin = blocks[0].offset;
  std::uint64_t end = begin;
  for (const TransferBlock& block : blocks) {
    begin = std::min(begin, block.offset);
    end = std::max(end, block.offset + block.nbytes);
  }
  gptr.addr_or_offs.offset = begin;
  GlobalMemory::check(gptr, end - begin);  // before any part of it is started
  const auto add = [&](std::span<const TransferBlock> part) {
    start_and_append(operations, [&] { return start(gptr, part, start_typed); });
  };
  if (on_node_address(gptr, end - begin) != nullptr) return add(blocks);
  const BlocksByLength parts = by_length(blocks);
  if (parts.short_blocks.empty() || parts.long_blocks.empty()) return add(blocks);
  add(parts.long_blocks);
  add(parts.short_blocks);
}

void settle(std::span<exec::Operation> operations) noexcept {
  for (exec::Operation& operation : operations) {
    try {
      operation.wait();
    } catch (...) {  // NOLINT(bugprone-empty-catch): another exception is being handled
    }
  }
}

/// Combines operations. The operations that begin() has started use the caller's memory: an
/// exception leaves this function after they have ended.
template <class Begin>
exec::Operation combine(Begin begin) {
  std::vector<exec::Operation> operations;
  try {
    begin(operations);
    return exec::when_all(operations);
  } catch (...) {
    settle(operations);
    throw;
  }
}

}  // namespace

void BlockTransfers::start_get(const dart_gptr_t& src, std::span<const TransferBlock> blocks,
                               std::vector<exec::Operation>& operations) {
  start_all(src, blocks, operations,
            [this](char* native, const StridedLayout& native_layout, const dart_gptr_t& gptr,
                   const StridedLayout& layout) {
              return _typed.start_get(native, native_layout, gptr, layout, Caller::continues);
            });
}

void BlockTransfers::start_put(const dart_gptr_t& dest, std::span<const TransferBlock> blocks,
                               std::vector<exec::Operation>& operations) {
  start_all(dest, blocks, operations,
            [this](const char* native, const StridedLayout& native_layout, const dart_gptr_t& gptr,
                   const StridedLayout& layout) {
              return _typed.start_put(gptr, layout, native, native_layout, Caller::continues);
            });
}

exec::Operation BlockTransfers::get(const dart_gptr_t& src, std::span<const TransferBlock> blocks) {
  return combine(
      [&](std::vector<exec::Operation>& operations) { start_get(src, blocks, operations); });
}

exec::Operation BlockTransfers::put(const dart_gptr_t& dest,
                                    std::span<const TransferBlock> blocks) {
  return combine(
      [&](std::vector<exec::Operation>& operations) { start_put(dest, blocks, operations); });
}

}  // namespace dash::dart
