#include "RunLayout.h"

#include <algorithm>
#include <cstring>

#include "dash/core/CopyKernel.h"

namespace dash::dart {

std::size_t RunLayout::count() const noexcept {
  if (regular()) return nruns;
  const std::size_t repetitions = extent == 0 ? 1 : (span + extent - 1) / extent;
  return blocks.size() * repetitions;
}

void copy_runs(char* dest, const RunLayout& dest_layout, const char* src,
               const RunLayout& src_layout) noexcept {
  if (src_layout.nbytes == 0) return;
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
