#pragma once

#include <cstddef>
#include <memory>
#include <span>

namespace dash::dart {

/// Layout of the bytes of one side of a transfer: contiguous blocks at offsets from an address.
///
/// A regular layout has blocks of equal length and distance. An irregular one has a list of blocks
/// that is repeated at equal distances.
struct StridedLayout {
  struct Block {
    std::size_t offset;
    std::size_t nbytes;
    std::size_t before;  // bytes in the blocks before it
  };

  std::size_t nbytes = 0;  // in all blocks
  std::size_t span = 0;    // bytes from the address to the end of the last block

  // Of a regular layout.
  std::size_t block_nbytes = 0;
  std::size_t stride = 0;  // bytes from one block to the next
  std::size_t nblocks = 0;

  // Of an irregular layout.
  std::span<const Block> blocks;
  std::size_t extent = 0;  // bytes from one repetition to the next
  std::size_t repetitions = 0;
  std::shared_ptr<const void> owner;  // owner of the blocks

  /// Number of blocks.
  std::size_t count() const noexcept { return regular() ? nblocks : blocks.size() * repetitions; }
  bool regular() const noexcept { return blocks.empty(); }
  bool contiguous() const noexcept { return regular() && nblocks <= 1; }

  static StridedLayout of_bytes(std::size_t nbytes) noexcept {
    StridedLayout layout;
    layout.nbytes = layout.span = layout.block_nbytes = layout.stride = nbytes;
    layout.nblocks = nbytes == 0 ? 0 : 1;
    return layout;
  }
};

/// Iterates over the bytes of a layout, in steps of any length within a block.
class BlockCursor {
 public:
  explicit BlockCursor(const StridedLayout& layout) noexcept : _layout(&layout) { settle(); }
  /// Starts at byte `begin`. \cost logarithmic in the number of listed blocks
  BlockCursor(const StridedLayout& layout, std::size_t begin) noexcept;

  bool at_end() const noexcept { return _done == _layout->nbytes; }
  /// Offset of the next byte from the address of the layout.
  std::size_t offset() const noexcept { return _begin + _within; }
  /// Bytes from there to the end of the block.
  std::size_t length() const noexcept { return _length - _within; }

  /// Index of the current block in the list, and the offset in it.
  std::size_t block() const noexcept { return _index; }
  std::size_t within() const noexcept { return _within; }

  /// \pre nbytes <= length()
  void advance(std::size_t nbytes) noexcept {
    _done += nbytes;
    _within += nbytes;
    if (_within == _length && !at_end()) next();
  }

 private:
  void next() noexcept {
    _within = 0;
    ++_index;
    settle();
  }

  void settle() noexcept {
    if (_layout->regular()) {
      _begin = _index * _layout->stride;
      _length = _layout->block_nbytes;
      return;
    }
    // Empty blocks are skipped. This ends: a layout with bytes has a block that is not empty.
    while (!at_end()) {
      if (_index == _layout->blocks.size()) {
        _index = 0;
        ++_repetition;
      }
      const StridedLayout::Block& block = _layout->blocks[_index];
      _begin = _repetition * _layout->extent + block.offset;
      _length = block.nbytes;
      if (_length != 0) return;
      ++_index;
    }
  }

  const StridedLayout* _layout;
  std::size_t _done = 0;
  std::size_t _index = 0;       // of the block
  std::size_t _repetition = 0;  // of the list
  std::size_t _begin = 0;       // of the block, from the address of the layout
  std::size_t _length = 0;
  std::size_t _within = 0;
};

/// Copies between two layouts with the same number of bytes, on this node. If they overlap, all
/// bytes are read before any is written.
void copy_layout(char* dest, const StridedLayout& dest_layout, const char* src,
                 const StridedLayout& src_layout);

/// Copies the bytes [begin, begin + length) of layouts that do not overlap.
/// \param nontemporal  bypass the caches with the stores, where blocks are long enough for that
void copy_part_of_layout(char* dest, const StridedLayout& dest_layout, const char* src,
                         const StridedLayout& src_layout, std::size_t begin, std::size_t length,
                         bool nontemporal) noexcept;

/// Whether the spans of two layouts overlap.
bool overlap(const char* dest, const StridedLayout& dest_layout, const char* src,
             const StridedLayout& src_layout) noexcept;

/// Copy the next `nbytes` bytes of a layout to contiguous memory, skip them, or copy them from
/// contiguous memory.
/// @{
void pack(std::byte* to, const char* src, BlockCursor& cursor, std::size_t nbytes) noexcept;
void skip(BlockCursor& cursor, std::size_t nbytes) noexcept;
void unpack(char* dest, BlockCursor& cursor, const std::byte* from, std::size_t nbytes) noexcept;
/// @}

}  // namespace dash::dart
