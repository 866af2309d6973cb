#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <type_traits>
#include <utility>

#include "dash/GlobPtr.h"
#include "dash/Types.h"
#include "dash/dart/if/dart_globmem.h"
#include "dash/iterator/GlobIter.h"
#include "dash/iterator/GlobViewIter.h"
#include "dash/iterator/IteratorTraits.h"
#include "dash/memory/GlobalSegment.h"

namespace dash::internal {

/// A contiguous block: consecutive elements of a global range that are contiguous in the memory of
/// one unit. Not to be confused with the blocks of a pattern, which may be larger or smaller.
template <class Index>
struct ElementBlock {
  team_unit_t unit;
  Index index;     ///< of the first element in the unit's memory
  Index length;    ///< elements
  Index position;  ///< of the first element in the range
};

/// The longest contiguous block that starts at an iterator, limited to `limit` elements. Inlined so
/// that the compiler can keep the iterator in registers.
template <class T, class Pattern, class Mem, class P, class R>
[[gnu::always_inline]] inline auto next_contiguous_block(const GlobIter<T, Pattern, Mem, P, R>& it,
                                                         typename Pattern::index_type limit) {
  auto block = it.pattern().contiguous_block_at(it.pos());
  block.length = std::min(block.length, limit);
  return block;
}

/// \overload
template <class T, class Pattern, class Mem, class P, class R>
auto next_contiguous_block(const GlobViewIter<T, Pattern, Mem, P, R>& it,
                           typename Pattern::index_type limit) {
  auto block = it.pattern().contiguous_block_at(it.rpos(), it.viewspec());
  block.length = std::min(block.length, limit);
  return block;
}

/// Calls fn(ElementBlock) for each contiguous block of a global range, in order.
/// \cost one mapping of an index to its owner for each block
template <GlobalIterator GlobIt, class Fn>
void for_each_element_block(const GlobIt& first, const GlobIt& last, Fn fn) {
  using Index = typename GlobIt::index_type;
  const Index size = last - first;
  GlobIt it = first;
  for (Index position = 0; position < size;) {
    const auto block = next_contiguous_block(it, size - position);
    fn(ElementBlock<Index>{block.unit, block.index, block.length, position});
    position += block.length;
    it += block.length;
  }
}

/// Decomposes a global range: calls fn(gptr, nelem, position) for each contiguous block, in order.
/// `gptr` is a dart_gptr_t, `position` the position of the block's first element in the range.
template <GlobalIterator GlobIt, class Fn>
void for_each_contiguous_block(const GlobIt& first, const GlobIt& last, Fn fn) {
  using T = typename GlobIt::value_type;
  if (!(first < last)) return;
  for_each_element_block(first, last, [&](const auto& block) {
    fn(element_gptr<T>(first.globmem(), block.unit, block.index),
       static_cast<std::size_t>(block.length), static_cast<std::size_t>(block.position));
  });
}

/// The number of elements, at most `limit`, between a pointer and the end of the memory of its
/// unit.
template <class T>
gptrdiff_t contiguous_length(GptrWords gptr, gptrdiff_t limit) {
  const auto* segment = GlobalSegment::find(gptr);
  const auto unit = static_cast<std::size_t>(gptr.unit());
  // If the range exceeds the last unit, the transfer reports the error.
  if (segment == nullptr || unit >= segment->sizes().nunits()) return limit;
  const auto nbytes = segment->sizes().of(unit) - gptr.offset;
  return std::clamp<gptrdiff_t>(static_cast<gptrdiff_t>(nbytes / sizeof(T)), 1, limit);
}

/// \overload for pointers: one contiguous block for each unit
template <class T, class GlobMemT, class Fn>
void for_each_contiguous_block(const GlobPtr<T, GlobMemT>& first, const GlobPtr<T, GlobMemT>& last,
                               Fn fn) {
  // Normalizes a pointer past the last element of a unit to the first element of the next unit.
  GptrWords gptr = advance(first.words(), 0);
  const auto size = last - first;
  for (gptrdiff_t position = 0; position < size;) {
    const gptrdiff_t nelem = contiguous_length<T>(gptr, size - position);
    fn(gptr.gptr(), static_cast<std::size_t>(nelem), static_cast<std::size_t>(position));
    position += nelem;
    gptr = advance(gptr, nelem * static_cast<gptrdiff_t>(sizeof(T)));
  }
}

/// The start of a contiguous block of a global range, and its number of elements.
struct GlobalBlock {
  GptrWords gptr;
  std::ptrdiff_t nelem;
};

/// The longest contiguous block that starts at an iterator or a pointer, limited to `limit`
/// elements.
template <GlobalIterator GlobIt>
GlobalBlock global_block_at(const GlobIt& it, std::ptrdiff_t limit) {
  using Index = typename GlobIt::index_type;
  const auto block = next_contiguous_block(it, static_cast<Index>(limit));
  const auto offset = static_cast<std::uint64_t>(block.index) * sizeof(typename GlobIt::value_type);
  return {it.globmem().words_at(block.unit, offset), static_cast<std::ptrdiff_t>(block.length)};
}
/// \overload
template <class T, class GlobMemT>
GlobalBlock global_block_at(const GlobPtr<T, GlobMemT>& pointer, std::ptrdiff_t limit) {
  const GptrWords gptr = advance(pointer.words(), 0);
  return {gptr, contiguous_length<T>(gptr, limit)};
}

}  // namespace dash::internal
