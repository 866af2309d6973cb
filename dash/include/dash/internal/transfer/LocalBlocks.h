#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <type_traits>
#include <utility>
#include <vector>

#include "dash/Types.h"
#include "dash/internal/transfer/ContiguousBlocks.h"
#include "dash/iterator/GlobIter.h"
#include "dash/iterator/GlobViewIter.h"

namespace dash::internal {

/// A contiguous block of a global range in the memory of a unit of the caller's node; by default
/// the caller.
template <class T>
struct LocalBlock {
  T* data;
  default_index_t length;
  default_index_t local_index;  ///< of the first element in the unit's memory
  default_index_t ordinal;      ///< of the first element among the unit's elements of the range
  team_unit_t unit{};

  T* begin() const { return data; }
  T* end() const { return data + length; }
};

/// The contiguous blocks of a range, in order. A single block, as in blocked arrays, needs no
/// allocation.
template <class T>
class LocalBlocks {
 public:
  LocalBlocks() = default;
  explicit LocalBlocks(const LocalBlock<T>& block) : _first(block), _is_one(true) {}

  void push_back(const LocalBlock<T>& block) {
    if (empty()) {
      _first = block;
      _is_one = true;
      return;
    }
    if (_is_one) _all.push_back(_first);
    _is_one = false;
    _all.push_back(block);
  }

  bool empty() const { return size() == 0; }
  std::size_t size() const { return _is_one ? 1 : _all.size(); }
  const LocalBlock<T>* begin() const { return _is_one ? &_first : _all.data(); }
  const LocalBlock<T>* end() const { return begin() + size(); }
  const LocalBlock<T>& front() const { return *begin(); }
  const LocalBlock<T>& back() const { return *(end() - 1); }

 private:
  LocalBlock<T> _first{};
  bool _is_one = false;
  std::vector<LocalBlock<T>> _all;  // if there are several blocks
};

/// Index in a unit's memory of its first element whose global index is not less than
/// `global_index`.
///
/// In every pattern, the order of a unit's elements in memory is that of their global indices. So
/// the local part of a global range is a range of local indices.
/// \cost a logarithmic number of index mappings; none at the ends
template <class Pattern>
typename Pattern::index_type local_lower_bound(const Pattern& pattern, team_unit_t unit,
                                               typename Pattern::index_type global_index) {
  using Index = typename Pattern::index_type;
  Index begin = 0;
  Index end = static_cast<Index>(pattern.local_size(unit));
  if (global_index <= 0) return begin;
  if (global_index >= static_cast<Index>(pattern.size())) return end;
  while (begin < end) {
    const Index middle = begin + (end - begin) / 2;
    if (pattern.global(unit, middle) < global_index) {
      begin = middle + 1;
    } else {
      end = middle;
    }
  }
  return begin;
}

/// The local indices of a unit's elements of a range, as begin and end. The range of indices is
/// exact for every distribution.
template <class T, class Pattern, class Mem, class P, class R>
auto local_indices(const GlobIter<T, Pattern, Mem, P, R>& first,
                   const GlobIter<T, Pattern, Mem, P, R>& last, team_unit_t unit) {
  using Index = typename Pattern::index_type;
  if (unit < 0 || !(first < last)) return std::pair<Index, Index>{0, 0};
  return std::pair<Index, Index>{local_lower_bound(first.pattern(), unit, first.pos()),
                                 local_lower_bound(first.pattern(), unit, last.pos())};
}

/// Calls fn(local_index, length) for each contiguous block of local indices of a unit's elements of
/// a range, in order.
template <class T, class Pattern, class Mem, class P, class R, class Fn>
void for_each_local_index_block(const GlobIter<T, Pattern, Mem, P, R>& first,
                                const GlobIter<T, Pattern, Mem, P, R>& last, team_unit_t unit,
                                Fn fn) {
  const auto [begin, end] = local_indices(first, last, unit);
  if (begin < end) fn(begin, end - begin);
}

/// Maps local coordinates of a unit to global ones in one dimension, in a pattern where both have
/// the same order and do not depend on the other dimensions.
template <class Pattern>
class LocalDimension {
 public:
  using Index = typename Pattern::index_type;

  /// \param extent  number of local coordinates
  LocalDimension(const Pattern& pattern, team_unit_t unit, std::size_t dimension, Index extent)
      : _pattern(&pattern), _unit(unit), _dimension(dimension), _extent(extent) {}

  Index extent() const { return _extent; }

  Index global(Index local) const {
    typename Pattern::coords_type coords{};
    coords[_dimension] = local;
    return _pattern->global(_unit, coords)[_dimension];
  }

  /// The first local coordinate whose global coordinate is not less than `coordinate`.
  Index lower_bound(Index coordinate) const {
    Index begin = 0;
    Index end = _extent;
    while (begin < end) {
      const Index middle = begin + (end - begin) / 2;
      if (global(middle) < coordinate) {
        begin = middle + 1;
      } else {
        end = middle;
      }
    }
    return begin;
  }

 private:
  const Pattern* _pattern;
  team_unit_t _unit;
  std::size_t _dimension;
  Index _extent;
};

/// The elements of a unit in a box of the global index space, in patterns where these are a box of
/// local coordinates: in each dimension, local and global coordinates have the same order.
template <class Pattern>
requires(Pattern::mapping_type::has_local_boxes) class LocalBox {
 public:
  using Index = typename Pattern::index_type;
  using Coords = typename Pattern::coords_type;
  using Extents = typename Pattern::extents_type;

  LocalBox(const Pattern& pattern, team_unit_t unit, const typename Pattern::viewspec_type& view) {
    const auto local_extents = pattern.local_extents(unit);
    for (std::size_t d = 0; d < _extents.size(); ++d) {
      const LocalDimension<Pattern> dimension(pattern, unit, d,
                                              static_cast<Index>(local_extents[d]));
      const auto range = view.range(static_cast<dim_t>(d));
      _offsets[d] = dimension.lower_bound(range.begin);
      _extents[d] =
          static_cast<typename Pattern::size_type>(dimension.lower_bound(range.end) - _offsets[d]);
    }
  }

  Index size() const { return static_cast<Index>(product(_extents)); }
  const Coords& offsets() const { return _offsets; }
  const Extents& extents() const { return _extents; }

 private:
  Coords _offsets{};
  Extents _extents{};
};

/// Collects blocks of local indices and merges adjacent ones.
template <class Index, class Fn>
class JoinedBlocks {
 public:
  explicit JoinedBlocks(Fn& fn) : _fn(&fn) {}
  JoinedBlocks(const JoinedBlocks&) = delete;
  JoinedBlocks& operator=(const JoinedBlocks&) = delete;

  void add(Index begin, Index length) {
    if (_length > 0 && _begin + _length == begin) {
      _length += length;
      return;
    }
    finish();
    _begin = begin;
    _length = length;
  }
  void finish() {
    if (_length > 0) (*_fn)(_begin, _length);
    _length = 0;
  }

 private:
  Fn* _fn;
  Index _begin = 0;
  Index _length = 0;
};

/// Calls fn(local_index, length) for each contiguous block of local indices of a unit's elements at
/// the positions first ... last - 1 of a box, in order.
/// \cost a few steps for each row of the box and for each block of the pattern in it
template <class Pattern, class Fn>
void for_each_local_index_block_in(const Pattern& pattern,
                                   const typename Pattern::viewspec_type& view,
                                   typename Pattern::index_type first,
                                   typename Pattern::index_type last, team_unit_t unit, Fn fn) {
  using Index = typename Pattern::index_type;
  if (first >= last || unit < 0 || pattern.local_size(unit) == 0) return;
  constexpr std::size_t contiguous = Pattern::mapping_type::contiguous;
  const Index row_begin = view.offsets()[contiguous];
  const Index row_end = view.range(static_cast<dim_t>(contiguous)).end;
  JoinedBlocks<Index, Fn> blocks(fn);
  auto row = pattern.coords(first, view);
  Index begin = row[contiguous];
  for (Index remaining = last - first; remaining > 0;) {
    const Index end = std::min(row_end, begin + remaining);
    pattern.for_each_part_of_row(unit, row, begin, end, [&](Index part_begin, Index part_end) {
      row[contiguous] = part_begin;
      blocks.add(pattern.at(row), part_end - part_begin);
    });
    remaining -= end - begin;
    begin = row_begin;
    row[contiguous] = row_begin;
    // Advances to the next row, in canonical order.
    for (std::size_t i = row.size() - 1; i-- > 0;) {
      const auto d = Pattern::mapping_type::order(i);
      if (++row[d] < view.range(static_cast<dim_t>(d)).end) break;
      row[d] = view.offsets()[d];
    }
  }
  blocks.finish();
}

/// \overload for boxes
template <class T, class Pattern, class Mem, class P, class R, class Fn>
void for_each_local_index_block(const GlobViewIter<T, Pattern, Mem, P, R>& first,
                                const GlobViewIter<T, Pattern, Mem, P, R>& last, team_unit_t unit,
                                Fn fn) {
  for_each_local_index_block_in(first.pattern(), first.viewspec(), first.rpos(), last.rpos(), unit,
                                std::move(fn));
}

/// \overload for the caller's elements
template <GlobalIterator GlobIt, class Fn>
void for_each_local_index_block(const GlobIt& first, const GlobIt& last, Fn fn) {
  for_each_local_index_block(first, last, first.team().myid(), std::move(fn));
}

/// The contiguous blocks of a global range in a unit's memory, in order.
/// \pre the unit is on the caller's node
template <GlobalIterator GlobIt>
auto local_blocks_of(const GlobIt& first, const GlobIt& last, team_unit_t unit) {
  using T = std::remove_pointer_t<typename GlobIt::local_type>;
  LocalBlocks<T> blocks;
  if (!(first < last)) return blocks;
  T* const base = static_cast<T*>(first.globmem().mapped_part(unit));
  default_index_t ordinal = 0;
  for_each_local_index_block(first, last, unit, [&](auto local_index, auto length) {
    blocks.push_back({base + local_index, static_cast<default_index_t>(length),
                      static_cast<default_index_t>(local_index), ordinal, unit});
    ordinal += length;
  });
  return blocks;
}
/// \overload for the caller's elements
template <GlobalIterator GlobIt>
auto local_blocks_of(const GlobIt& first, const GlobIt& last) {
  using Blocks = LocalBlocks<std::remove_pointer_t<typename GlobIt::local_type>>;
  return first < last ? local_blocks_of(first, last, first.team().myid()) : Blocks();
}

/// Position, in a range that begins at `first`, of the element with a given local index of a unit.
template <class T, class Pattern, class Mem, class P, class R>
auto position_of_local(const GlobIter<T, Pattern, Mem, P, R>& first, team_unit_t unit,
                       typename Pattern::index_type local_index) {
  return first.pattern().global(unit, local_index) - first.pos();
}

/// \overload
template <class T, class Pattern, class Mem, class P, class R>
auto position_of_local(const GlobViewIter<T, Pattern, Mem, P, R>& first, team_unit_t unit,
                       typename Pattern::index_type local_index) {
  const auto& pattern = first.pattern();
  auto coords = pattern.global_coords(unit, local_index);
  for (std::size_t d = 0; d < coords.size(); ++d)
    coords[d] -= first.viewspec().offsets()[d];
  return typename Pattern::memory_layout_type(first.viewspec().extents()).at(coords) - first.rpos();
}

/// \overload for the caller's elements
template <GlobalIterator GlobIt>
auto position_of_local(const GlobIt& first, typename GlobIt::index_type local_index) {
  return position_of_local(first, first.team().myid(), local_index);
}

/// Splits a local block by position: calls fn(T* begin, length, position) for the parts of it that
/// are consecutive in the range that begins at `first`.
template <GlobalIterator GlobIt, class T, class Fn>
void for_each_position_block(const GlobIt& first, const LocalBlock<T>& block, Fn fn) {
  using Index = typename GlobIt::index_type;
  for (Index done = 0; done < static_cast<Index>(block.length);) {
    const Index position =
        position_of_local(first, block.unit, static_cast<Index>(block.local_index) + done);
    const auto part =
        next_contiguous_block(first + position, static_cast<Index>(block.length) - done);
    fn(block.data + done, part.length, position);
    done += part.length;
  }
}

}  // namespace dash::internal
