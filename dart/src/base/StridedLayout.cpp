#include "base/StridedLayout.h"

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <functional>
#include <vector>

#include "dash/core/CopyKernel.h"

namespace dash::dart {

namespace {

/// By way of a buffer: blocks of the one may lie between blocks of the other, in any order.
void copy_overlapping(char* dest, const StridedLayout& dest_layout, const char* src,
                      const StridedLayout& src_layout) {
  std::vector<std::byte> packed(src_layout.nbytes);
  RunCursor from(src_layout);
  pack(packed.data(), src, from, packed.size());
  RunCursor to(dest_layout);
  unpack(dest, to, packed.data(), packed.size());
}

/// Runs that are as long on both sides: blocks at equal distances.
struct Blocks {
  std::size_t run = 0;  // 0: they are not
  std::size_t dest_stride = 0;
  std::size_t src_stride = 0;
};

Blocks common_blocks(const StridedLayout& dest, const StridedLayout& src) noexcept {
  if (!dest.regular() || !src.regular()) return {};
  if (dest.run == src.run) return {src.run, dest.stride, src.stride};
  if (src.contiguous()) return {dest.run, dest.stride, dest.run};
  if (dest.contiguous()) return {src.run, src.run, src.stride};
  return {};
}

/// Shorter pieces are not worth a store fence each.
constexpr std::size_t nontemporal_run = 4096;

void copy_piece(char* dest, const char* src, std::size_t nbytes, bool nontemporal) noexcept {
  if (nontemporal && nbytes >= nontemporal_run) {
    core::copy_nontemporal(dest, src, nbytes);
  } else {
    std::memcpy(dest, src, nbytes);
  }
}

/// Blocks that are not at equal distances defeat the processor's own prefetching: the list says
/// where the next ones are.
constexpr std::size_t blocks_ahead = 12;
constexpr std::size_t longest_prefetched = 512;

template <bool gathers>
void prefetch_block(const char* place, std::size_t nbytes) noexcept {
  constexpr std::size_t line = 64;
  const auto begin = reinterpret_cast<std::uintptr_t>(place);
  for (std::uintptr_t at = begin / line * line; at < begin + nbytes; at += line)
    __builtin_prefetch(reinterpret_cast<const void*>(at), gathers ? 0 : 1);
}

/// Between a list of blocks and contiguous memory.
/// \param gathers  from the blocks; else to them
template <bool gathers>
void copy_listed(char* dest, const char* src, const StridedLayout& listed, std::size_t begin,
                 std::size_t length) noexcept {
  RunCursor cursor(listed, begin);
  std::size_t index = cursor.block();
  std::size_t within = cursor.within();
  std::size_t base = cursor.offset() - within - listed.blocks[index].offset;  // of the repetition
  const char* const list_begin = gathers ? src : dest;
  for (std::size_t done = begin; done < begin + length;) {
    const StridedLayout::Block& block = listed.blocks[index];
    if (index + blocks_ahead < listed.blocks.size()) {
      const StridedLayout::Block& ahead = listed.blocks[index + blocks_ahead];
      if (ahead.nbytes <= longest_prefetched)
        prefetch_block<gathers>(list_begin + base + ahead.offset, ahead.nbytes);
    }
    const std::size_t nbytes = std::min(block.nbytes - within, begin + length - done);
    const std::size_t offset = base + block.offset + within;
    if constexpr (gathers) {
      std::memcpy(dest + done, src + offset, nbytes);
    } else {
      std::memcpy(dest + offset, src + done, nbytes);
    }
    done += nbytes;
    within = 0;
    if (++index == listed.blocks.size()) {
      index = 0;
      base += listed.extent;
    }
  }
}

}  // namespace

RunCursor::RunCursor(const StridedLayout& layout, std::size_t begin) noexcept
    : _layout(&layout), _done(begin) {
  if (at_end()) return;
  if (layout.regular()) {
    _index = begin / layout.run;
    _within = begin % layout.run;
  } else {
    const std::size_t each = layout.nbytes / layout.repetitions;
    _repetition = begin / each;
    const std::size_t place = begin % each;
    // The last that begins there or before: those of no bytes begin where the next one does.
    const auto next = std::upper_bound(
        layout.blocks.begin(), layout.blocks.end(), place,
        [](std::size_t value, const StridedLayout::Block& block) { return value < block.before; });
    _index = static_cast<std::size_t>(next - layout.blocks.begin()) - 1;
    _within = place - layout.blocks[_index].before;
  }
  settle();
}

bool overlap(const char* dest, const StridedLayout& dest_layout, const char* src,
             const StridedLayout& src_layout) noexcept {
  return std::less<>()(dest, src + src_layout.span) && std::less<>()(src, dest + dest_layout.span);
}

void copy_runs(char* dest, const StridedLayout& dest_layout, const char* src,
               const StridedLayout& src_layout) {
  if (src_layout.nbytes == 0) return;
  if (overlap(dest, dest_layout, src, src_layout)) {
    copy_overlapping(dest, dest_layout, src, src_layout);
  } else {
    copy_part_of_runs(dest, dest_layout, src, src_layout, 0, src_layout.nbytes, false);
  }
}

void copy_part_of_runs(char* dest, const StridedLayout& dest_layout, const char* src,
                       const StridedLayout& src_layout, std::size_t begin, std::size_t length,
                       bool nontemporal) noexcept {
  const Blocks blocks = common_blocks(dest_layout, src_layout);
  const bool long_runs = nontemporal && blocks.run >= nontemporal_run;
  if (blocks.run != 0 && !long_runs && begin % blocks.run == 0 && length % blocks.run == 0) {
    const std::size_t first = begin / blocks.run;
    core::copy_strided(dest + first * blocks.dest_stride, src + first * blocks.src_stride,
                       blocks.run, blocks.src_stride, blocks.dest_stride, length / blocks.run);
    return;
  }
  if (!nontemporal && dest_layout.contiguous() && !src_layout.regular())
    return copy_listed<true>(dest, src, src_layout, begin, length);
  if (!nontemporal && src_layout.contiguous() && !dest_layout.regular())
    return copy_listed<false>(dest, src, dest_layout, begin, length);
  RunCursor to(dest_layout, begin);
  RunCursor from(src_layout, begin);
  for (std::size_t left = length; left != 0;) {
    const std::size_t nbytes = std::min({to.length(), from.length(), left});
    copy_piece(dest + to.offset(), src + from.offset(), nbytes, nontemporal);
    to.advance(nbytes);
    from.advance(nbytes);
    left -= nbytes;
  }
}

void pack(std::byte* to, const char* src, RunCursor& cursor, std::size_t nbytes) noexcept {
  while (nbytes != 0) {
    const std::size_t length = std::min(nbytes, cursor.length());
    std::memcpy(to, src + cursor.offset(), length);
    cursor.advance(length);
    to += length;
    nbytes -= length;
  }
}

void skip(RunCursor& cursor, std::size_t nbytes) noexcept {
  while (nbytes != 0) {
    const std::size_t length = std::min(nbytes, cursor.length());
    cursor.advance(length);
    nbytes -= length;
  }
}

void unpack(char* dest, RunCursor& cursor, const std::byte* from, std::size_t nbytes) noexcept {
  while (nbytes != 0) {
    const std::size_t length = std::min(nbytes, cursor.length());
    std::memcpy(dest + cursor.offset(), from, length);
    cursor.advance(length);
    from += length;
    nbytes -= length;
  }
}

}  // namespace dash::dart
