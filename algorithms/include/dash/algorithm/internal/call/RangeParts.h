#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "dash/algorithm/internal/call/CallForms.h"
#include "dash/async/FunctionRef.h"
#include "dash/core/Export.h"
#include "dash/internal/transfer/LocalBlocks.h"

namespace dash::internal {

/// Description of a unit's part of a range.
struct UnitPart {
  std::uint64_t size;
  std::int64_t first;   ///< position of its first element
  bool is_consecutive;  ///< contiguous in memory, and at consecutive positions of the range
};

/// Divides a range into one sequence of positions per unit: sequence i has the positions offset(i)
/// ... offset(i + 1) - 1.
///
/// If the elements of each unit are consecutive in the range and contiguous in memory, the
/// sequences are the units' own elements, in the order of the range. Otherwise the sequences are in
/// the order of the units, and each has as many positions as its unit has elements.
class DASH_API RangeParts {
 public:
  /// \param parts  of all units; no value for a unit without elements
  RangeParts(const std::vector<std::optional<UnitPart>>& parts, std::size_t myid);

  std::size_t count() const noexcept { return _sizes.size(); }
  /// Index of the caller's sequence.
  std::size_t self() const noexcept { return _self; }
  std::size_t unit(std::size_t sequence) const noexcept { return _units[sequence]; }
  std::uint64_t size(std::size_t sequence) const noexcept { return _sizes[sequence]; }
  std::uint64_t offset(std::size_t sequence) const noexcept { return _offsets[sequence]; }
  /// Number of elements of the range.
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

/// Gathers the parts of a range that the units own.
/// \param own  returns the caller's part; no value if it has no elements
/// \collective over the call's team
/// \cost an all-gather
DASH_API RangeParts gather_parts(Call& call, exec::FunctionRef<std::optional<UnitPart>()> own);

/// Determines the parts of a range that the units own.
/// \param blocks  output: the caller's contiguous blocks of the range
/// \collective over the call's team
/// \cost an all-gather
template <GlobalIterator GlobIt, class T>
RangeParts parts_of_range(Call& call, const GlobIt& first, const GlobIt& last,
                          LocalBlocks<T>& blocks) {
  using Index = typename GlobIt::index_type;
  return gather_parts(call, [&]() -> std::optional<UnitPart> {
    blocks = local_blocks_of(first, last);
    if (blocks.empty()) return std::nullopt;
    const LocalBlock<T>& back = blocks.back();
    const Index begin = position_of_local(first, static_cast<Index>(blocks.front().local_index));
    const Index end =
        position_of_local(first, static_cast<Index>(back.local_index + back.length - 1)) + 1;
    const auto size = static_cast<std::uint64_t>(back.ordinal + back.length);
    return UnitPart{size, begin,
                    blocks.size() == 1 && static_cast<std::uint64_t>(end - begin) == size};
  });
}

}  // namespace dash::internal
