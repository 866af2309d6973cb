#include "RunLayout.h"

#include <algorithm>
#include <cstring>
#include <functional>
#include <vector>

#include "dash/core/CopyKernel.h"

namespace dash::dart {

namespace {

/// By way of a buffer: blocks of the one may lie between blocks of the other, in any order.
void copy_overlapping(char* dest, const RunLayout& dest_layout, const char* src,
                      const RunLayout& src_layout) {
  std::vector<std::byte> packed(src_layout.nbytes);
  RunCursor from(src_layout);
  pack(packed.data(), src, from, packed.size());
  RunCursor to(dest_layout);
  unpack(dest, to, packed.data(), packed.size());
}

}  // namespace

void copy_runs(char* dest, const RunLayout& dest_layout, const char* src,
               const RunLayout& src_layout) {
  if (src_layout.nbytes == 0) return;
  if (std::less<>()(dest, src + src_layout.span) && std::less<>()(src, dest + dest_layout.span)) {
    copy_overlapping(dest, dest_layout, src, src_layout);
    return;
  }
  const bool regular = dest_layout.regular() && src_layout.regular();
  if (regular && dest_layout.run == src_layout.run) {
    core::copy_strided(dest, src, src_layout.run, src_layout.stride, dest_layout.stride,
                       src_layout.nruns);
  } else if (regular && src_layout.contiguous()) {
    core::copy_strided(dest, src, dest_layout.run, dest_layout.run, dest_layout.stride,
                       dest_layout.nruns);
  } else if (regular && dest_layout.contiguous()) {
    core::copy_strided(dest, src, src_layout.run, src_layout.stride, src_layout.run,
                       src_layout.nruns);
  } else {
    RunCursor to(dest_layout);
    RunCursor from(src_layout);
    while (!from.at_end()) {
      const std::size_t nbytes = std::min(to.length(), from.length());
      std::memcpy(dest + to.offset(), src + from.offset(), nbytes);
      to.advance(nbytes);
      from.advance(nbytes);
    }
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
