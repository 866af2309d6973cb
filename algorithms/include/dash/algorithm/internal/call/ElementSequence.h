#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <type_traits>
#include <vector>

#include "dash/algorithm/internal/call/CallForms.h"
#include "dash/algorithm/internal/call/RangeParts.h"
#include "dash/algorithm/internal/call/Tasks.h"
#include "dash/algorithm/internal/copy/PositionCopy.h"
#include "dash/internal/transfer/LocalBlocks.h"

namespace dash::internal {

/// A range of any pattern as a sequence of consecutive elements per unit, in the order of the
/// range.
template <GlobalIterator GlobIt>
class ElementSequence {
 public:
  using T = typename GlobIt::value_type;
  using Index = typename GlobIt::index_type;

  /// \collective over the call's team
  ElementSequence(Call& call, const GlobIt& first, const GlobIt& last)
      : _call(call), _first(first), _parts(parts_of_range(call, first, last, _blocks)) {}

  const RangeParts& parts() const noexcept { return _parts; }
  /// Number of the caller's elements.
  std::size_t size() const noexcept { return static_cast<std::size_t>(_parts.size(_parts.self())); }

  /// Makes the caller's elements available: in place, or as a copy.
  void load() {
    if (_parts.in_place()) {
      _elements = _blocks.empty() ? nullptr : _blocks.front().data;
      return;
    }
    _copy = Scratch<T>(size());
    const auto begin = static_cast<Index>(_parts.offset(_parts.self()));
    PositionCopy<GlobIt>(_first).get(begin, begin + static_cast<Index>(size()), _copy.data());
    _elements = _copy.data();
  }
  const T* elements() const noexcept { return _elements; }

  /// Calls load().
  /// \returns the element that precedes the caller's first one, if there is one
  /// \collective over the call's team
  std::optional<T> load_with_predecessor() {
    const auto lasts = _call.template contribute<T>([&]() -> std::optional<T> {
      load();
      if (size() == 0) return std::nullopt;
      return _elements[size() - 1];
    });
    for (std::size_t sequence = _parts.self(); sequence-- > 0;) {
      if (lasts.has_value(_parts.unit(sequence))) return lasts[_parts.unit(sequence)];
    }
    return std::nullopt;
  }

 private:
  Call& _call;
  const GlobIt& _first;
  LocalBlocks<std::remove_pointer_t<typename GlobIt::local_type>> _blocks;
  RangeParts _parts;
  Scratch<T> _copy;
  const T* _elements = nullptr;
};

/// Elements in native memory, sorted into `Groups` groups.
template <class T, std::size_t Groups>
struct Grouped {
  struct Segment {
    const T* data;
    std::size_t size;
  };
  std::array<std::vector<Segment>, Groups> groups;

  void add(std::size_t group, const T* data, std::size_t size) {
    if (size > 0) groups[group].push_back({data, size});
  }
};

/// Writes the elements of all units to a range, from its beginning: first the elements of the first
/// group, in the order of the sequences, then those of the second group, and so on.
///
/// \param work  returns the caller's Grouped<T, Groups>; the range is not read after it
/// \returns the number of elements of each group
/// \collective over the call's team; ends with a barrier
template <std::size_t Groups, GlobalIterator GlobIt, class Work>
std::array<std::uint64_t, Groups> place_groups(Call& call, const GlobIt& first,
                                               const RangeParts& parts, Work work) {
  using Index = typename GlobIt::index_type;
  using Counts = std::array<std::uint64_t, Groups>;
  Grouped<typename GlobIt::value_type, Groups> own;
  const auto counts = call.contribute<Counts>([&]() -> std::optional<Counts> {
    own = work();
    Counts sums{};
    for (std::size_t group = 0; group < Groups; ++group) {
      for (const auto& segment : own.groups[group])
        sums[group] += segment.size;
    }
    return sums;
  });
  Counts totals{};
  Counts before{};  // of the sequences that precede the caller's
  for (std::size_t sequence = 0; sequence < parts.count(); ++sequence) {
    const Counts of_unit = counts[parts.unit(sequence)];
    for (std::size_t group = 0; group < Groups; ++group) {
      totals[group] += of_unit[group];
      if (sequence < parts.self()) before[group] += of_unit[group];
    }
  }
  call.run([&] {
    PositionCopy<GlobIt> positions(first);
    std::uint64_t group_begin = 0;
    for (std::size_t group = 0; group < Groups; ++group) {
      auto position = static_cast<Index>(group_begin + before[group]);
      for (const auto& segment : own.groups[group]) {
        const Index end = position + static_cast<Index>(segment.size);
        positions.put(segment.data, position, end);
        position = end;
      }
      group_begin += totals[group];
    }
  });
  return totals;
}

}  // namespace dash::internal
