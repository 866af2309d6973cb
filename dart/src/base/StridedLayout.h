#pragma once

#include <cstddef>
#include <memory>
#include <span>

namespace dash::dart {

/// Where the bytes of one side of a transfer lie: runs of contiguous bytes, at offsets from an
/// address. Either equal runs at equal distances, or blocks that are repeated at equal distances.
struct StridedLayout {
  struct Block {
    std::size_t offset;
    std::size_t nbytes;
    std::size_t before;  // bytes of the blocks before it
  };

  std::size_t nbytes = 0;  // of all runs
  std::size_t span = 0;    // from the address to the end of the last byte

  std::size_t run = 0;     // regular: bytes of a run
  std::size_t stride = 0;  // from one to the next
  std::size_t nruns = 0;

  std::span<const Block> blocks;  // not regular
  std::size_t extent = 0;         // from one repetition to the next
  std::size_t repetitions = 0;
  std::shared_ptr<const void> keeper;  // of the blocks

  /// Runs in all.
  std::size_t count() const noexcept { return regular() ? nruns : blocks.size() * repetitions; }
  bool regular() const noexcept { return blocks.empty(); }
  bool contiguous() const noexcept { return regular() && nruns <= 1; }

  static StridedLayout of_bytes(std::size_t nbytes) noexcept {
    StridedLayout layout;
    layout.nbytes = layout.span = layout.run = layout.stride = nbytes;
    layout.nruns = nbytes == 0 ? 0 : 1;
    return layout;
  }
};

/// Walks through the runs of a layout, in any steps.
class RunCursor {
 public:
  explicit RunCursor(const StridedLayout& layout) noexcept : _layout(&layout) { settle(); }
  /// From the byte `begin` on. \cost for blocks, the logarithm of their number
  RunCursor(const StridedLayout& layout, std::size_t begin) noexcept;

  bool at_end() const noexcept { return _done == _layout->nbytes; }
  /// Of the next byte, from the address of the layout.
  std::size_t offset() const noexcept { return _begin + _within; }
  /// Bytes from there to the end of the run.
  std::size_t length() const noexcept { return _length - _within; }

  /// Of a list of blocks: which one it is, and how many bytes of it are behind.
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
      _length = _layout->run;
      return;
    }
    // Blocks of no bytes are passed over; a layout that has bytes has a block with some.
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
  std::size_t _index = 0;       // of the run, or of the block
  std::size_t _repetition = 0;  // of the blocks
  std::size_t _begin = 0;
  std::size_t _length = 0;
  std::size_t _within = 0;
};

/// Copies between two layouts of equally many bytes, run by run, on this node. They may overlap: then
/// all is read before anything is written.
void copy_runs(char* dest, const StridedLayout& dest_layout, const char* src,
               const StridedLayout& src_layout);

/// The same of the bytes [begin, begin + length) only, of layouts that do not overlap.
/// \param nontemporal  past the caches of the destination, where runs are long enough for that
void copy_part_of_runs(char* dest, const StridedLayout& dest_layout, const char* src,
                       const StridedLayout& src_layout, std::size_t begin, std::size_t length,
                       bool nontemporal) noexcept;

/// Whether memory of the one may belong to the other, too.
bool overlap(const char* dest, const StridedLayout& dest_layout, const char* src,
             const StridedLayout& src_layout) noexcept;

/// Copies the next `nbytes` bytes of a layout to contiguous memory, or back.
void pack(std::byte* to, const char* src, RunCursor& cursor, std::size_t nbytes) noexcept;
void skip(RunCursor& cursor, std::size_t nbytes) noexcept;
void unpack(char* dest, RunCursor& cursor, const std::byte* from, std::size_t nbytes) noexcept;

}  // namespace dash::dart
