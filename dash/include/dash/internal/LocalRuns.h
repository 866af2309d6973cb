#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <type_traits>
#include <utility>
#include <vector>

#include "dash/Types.h"
#include "dash/internal/ContiguousRuns.h"
#include "dash/iterator/GlobIter.h"
#include "dash/iterator/GlobViewIter.h"

namespace dash::internal {

/// Elements of a global range that are contiguous in the caller's memory.
template <class T>
struct LocalRun {
  T* data;
  default_index_t length;
  default_index_t local_index;  ///< of the first element in the caller's memory
  default_index_t ordinal;      ///< of the first element among all local ones of the range

  T* begin() const { return data; }
  T* end() const { return data + length; }
};

/// Index in a unit's memory of its first element at or behind a global index.
///
/// The order of a unit's elements in its memory is that of their global indices, in every pattern;
/// so the local part of a global range is a range of local indices.
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

/// The local indices of a range, as begin and end: exact, and one range whatever the distribution.
template <class T, class Pattern, class Mem, class P, class R>
auto local_indices(const GlobIter<T, Pattern, Mem, P, R>& first,
                   const GlobIter<T, Pattern, Mem, P, R>& last) {
  using Index = typename Pattern::index_type;
  const team_unit_t myid = first.team().myid();
  if (myid < 0 || !(first < last)) return std::pair<Index, Index>{0, 0};
  return std::pair<Index, Index>{local_lower_bound(first.pattern(), myid, first.pos()),
                                 local_lower_bound(first.pattern(), myid, last.pos())};
}

/// Calls fn(local_index, length) for each run of local indices of a range, in order.
template <class T, class Pattern, class Mem, class P, class R, class Fn>
void for_each_local_index_run(const GlobIter<T, Pattern, Mem, P, R>& first,
                              const GlobIter<T, Pattern, Mem, P, R>& last, Fn fn) {
  const auto [begin, end] = local_indices(first, last);
  if (begin < end) fn(begin, end - begin);
}

/// What a unit has of a box in the global index space: a box of local coordinates, since the order
/// of a unit's coordinates in each dimension is that of the global ones.
template <class Pattern>
class LocalBox {
 public:
  using Index = typename Pattern::index_type;
  using Coords = typename Pattern::coords_type;
  using Layout = typename Pattern::memory_layout_type;

  LocalBox(const Pattern& pattern, team_unit_t unit, const typename Pattern::viewspec_type& view)
      : _pattern(&pattern), _unit(unit), _view_layout(view.extents()), _view(view) {
    typename Pattern::extents_type extents{};
    const auto local_extents = pattern.local_extents(unit);
    for (std::size_t d = 0; d < extents.size(); ++d) {
      const auto range = view.range(static_cast<dim_t>(d));
      const auto available = static_cast<Index>(local_extents[d]);
      _offsets[d] = lower_bound(d, range.begin, available);
      extents[d] = static_cast<typename Pattern::size_type>(lower_bound(d, range.end, available) -
                                                            _offsets[d]);
    }
    _layout = Layout(extents);
  }

  Index size() const { return static_cast<Index>(_layout.size()); }
  const typename Layout::extents_type& extents() const { return _layout.extents(); }

  /// Local coordinates of an element of the box by its number in it.
  Coords local_coords(Index number) const {
    Coords coords = _layout.coords(number);
    for (std::size_t d = 0; d < coords.size(); ++d)
      coords[d] += _offsets[d];
    return coords;
  }

  /// Position in the global box of an element by its number in this one.
  Index position(Index number) const {
    Coords coords = _pattern->global(_unit, local_coords(number));
    for (std::size_t d = 0; d < coords.size(); ++d)
      coords[d] -= _view.offsets()[d];
    return _view_layout.at(coords);
  }

  /// Number of the first element at or behind a position in the global box.
  Index number_at(Index position_in_view) const {
    return search(0, size(), [&](Index number) { return position(number) < position_in_view; });
  }

  /// Elements from one to the end of its row.
  Index row_length(Index number) const {
    constexpr std::size_t contiguous =
        Pattern::memory_order() == ROW_MAJOR ? Pattern::ndim() - 1 : 0;
    return static_cast<Index>(_layout.extents()[contiguous]) - _layout.coords(number)[contiguous];
  }

 private:
  template <class Before>
  static Index search(Index begin, Index end, Before before) {
    while (begin < end) {
      const Index middle = begin + (end - begin) / 2;
      if (before(middle)) {
        begin = middle + 1;
      } else {
        end = middle;
      }
    }
    return begin;
  }

  /// The first local coordinate in a dimension whose global one is at or behind `global`.
  Index lower_bound(std::size_t dimension, Index global, Index available) const {
    return search(0, available, [&](Index local) {
      Coords coords{};
      coords[dimension] = local;
      return _pattern->global(_unit, coords)[dimension] < global;
    });
  }

  const Pattern* _pattern;
  team_unit_t _unit;
  Layout _view_layout;
  typename Pattern::viewspec_type _view;
  Coords _offsets{};
  Layout _layout;
};

/// \overload for boxes
template <class T, class Pattern, class Mem, class P, class R, class Fn>
void for_each_local_index_run(const GlobViewIter<T, Pattern, Mem, P, R>& first,
                              const GlobViewIter<T, Pattern, Mem, P, R>& last, Fn fn) {
  using Index = typename Pattern::index_type;
  const auto& pattern = first.pattern();
  if (first.team().myid() < 0 || first.team().myid() >= pattern.num_units()) return;
  const LocalBox<Pattern> box(pattern, first.team().myid(), first.viewspec());
  const Index end = box.number_at(last.rpos());
  Index begin = 0;
  Index length = 0;
  for (Index number = box.number_at(first.rpos()); number < end;) {
    const Index row = std::min(box.row_length(number), end - number);
    const Index local_index = pattern.local_at(box.local_coords(number));
    if (length > 0 && begin + length == local_index) {
      length += row;
    } else {
      if (length > 0) fn(begin, length);
      begin = local_index;
      length = row;
    }
    number += row;
  }
  if (length > 0) fn(begin, length);
}

/// The part of a global range that is in the caller's memory, in order.
template <GlobalIterator GlobIt>
auto local_runs(const GlobIt& first, const GlobIt& last) {
  using T = std::remove_pointer_t<typename GlobIt::local_type>;
  std::vector<LocalRun<T>> runs;
  if (!(first < last)) return runs;
  T* const base = static_cast<T*>(first.globmem().local_begin());
  default_index_t ordinal = 0;
  for_each_local_index_run(first, last, [&](auto local_index, auto length) {
    runs.push_back({base + local_index, static_cast<default_index_t>(length),
                    static_cast<default_index_t>(local_index), ordinal});
    ordinal += length;
  });
  return runs;
}

/// Position in a range that begins at `first` of one of the caller's elements, by its local index.
template <class T, class Pattern, class Mem, class P, class R>
auto position_of_local(const GlobIter<T, Pattern, Mem, P, R>& first,
                       typename Pattern::index_type local_index) {
  return first.pattern().global(first.team().myid(), local_index) - first.pos();
}

/// \overload
template <class T, class Pattern, class Mem, class P, class R>
auto position_of_local(const GlobViewIter<T, Pattern, Mem, P, R>& first,
                       typename Pattern::index_type local_index) {
  const auto& pattern = first.pattern();
  auto coords = pattern.coords(pattern.global(first.team().myid(), local_index));
  for (std::size_t d = 0; d < coords.size(); ++d)
    coords[d] -= first.viewspec().offsets()[d];
  return typename Pattern::memory_layout_type(first.viewspec().extents()).at(coords) - first.rpos();
}

/// Splits a local run by position: calls fn(T* begin, length, position) for parts of it that are
/// consecutive in the range that begins at `first`.
template <GlobalIterator GlobIt, class T, class Fn>
void for_each_position_run(const GlobIt& first, const LocalRun<T>& run, Fn fn) {
  using Index = typename GlobIt::index_type;
  for (Index done = 0; done < static_cast<Index>(run.length);) {
    const Index position = position_of_local(first, static_cast<Index>(run.local_index) + done);
    const auto part = next_run(first + position, static_cast<Index>(run.length) - done);
    fn(run.data + done, part.length, position);
    done += part.length;
  }
}

}  // namespace dash::internal
