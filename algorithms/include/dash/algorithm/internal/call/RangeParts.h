#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "dash/algorithm/internal/call/Call.h"
#include "dash/async/FunctionRef.h"
#include "dash/core/Export.h"
#include "dash/internal/transfer/LocalBlocks.h"

namespace dash::internal {

/// What a unit tells of its part of a range.
struct PartOfUnit {
  std::uint64_t size;
  std::int64_t first;   ///< position of its first element
  bool is_consecutive;  ///< contiguous in its memory, and all that is between in the range
};

/// The units' parts of a range as sequences, one behind the other: sequence number i has the
/// positions offset(i) ... offset(i + 1) - 1.
///
/// Where each unit's elements are consecutive in the range, and contiguous in memory, the sequences
/// are the units' own elements, in the order of the range. Else they are as long as the units' parts,
/// in the order of the units.
class DASH_API RangeParts {
 public:
  /// \param parts  of all units, none of those without elements
  RangeParts(const std::vector<std::optional<PartOfUnit>>& parts, std::size_t myid);

  std::size_t count() const noexcept { return _sizes.size(); }
  /// The caller's number.
  std::size_t self() const noexcept { return _self; }
  std::size_t unit(std::size_t sequence) const noexcept { return _units[sequence]; }
  std::uint64_t size(std::size_t sequence) const noexcept { return _sizes[sequence]; }
  std::uint64_t offset(std::size_t sequence) const noexcept { return _offsets[sequence]; }
  /// Elements of the range.
  std::uint64_t total() const noexcept { return _offsets.back(); }
  /// Whether the sequences are the units' own elements.
  bool in_place() const noexcept { return _in_place; }

  const std::vector<std::uint64_t>& sizes() const noexcept { return _sizes; }
  const std::vector<std::uint64_t>& offsets() const noexcept { return _offsets; }

 private:
  std::vector<std::size_t> _units;
  std::vector<std::uint64_t> _sizes;
  std::vector<std::uint64_t> _offsets;
  std::size_t _self = 0;
  bool _in_place = true;
};

/// \param own  makes the caller's part, nothing if it has no elements
/// \collective over the call's team
/// \cost an all-gather
DASH_API RangeParts gather_parts(Call& call, exec::FunctionRef<std::optional<PartOfUnit>()> own);

/// \param runs  becomes what the caller has of the range
/// \collective over the call's team
/// \cost an all-gather
template <GlobalIterator GlobIt, class T>
RangeParts parts_of_range(Call& call, const GlobIt& first, const GlobIt& last,
                            LocalBlocks<T>& runs) {
  using Index = typename GlobIt::index_type;
  return gather_parts(call, [&]() -> std::optional<PartOfUnit> {
    runs = local_runs(first, last);
    if (runs.empty()) return std::nullopt;
    const LocalBlock<T>& back = runs.back();
    const Index begin = position_of_local(first, static_cast<Index>(runs.front().local_index));
    const Index end =
        position_of_local(first, static_cast<Index>(back.local_index + back.length - 1)) + 1;
    const auto size = static_cast<std::uint64_t>(back.ordinal + back.length);
    return PartOfUnit{size, begin,
                      runs.size() == 1 && static_cast<std::uint64_t>(end - begin) == size};
  });
}

}  // namespace dash::internal
