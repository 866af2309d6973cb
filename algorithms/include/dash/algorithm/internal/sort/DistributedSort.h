#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <type_traits>

#include "dash/algorithm/internal/call/CallForms.h"
#include "dash/algorithm/internal/call/RangeParts.h"
#include "dash/algorithm/internal/copy/PositionCopy.h"
#include "dash/algorithm/internal/sort/SortKernel.h"
#include "dash/async/FunctionRef.h"
#include "dash/core/Export.h"
#include "dash/internal/transfer/LocalBlocks.h"
#include "dash/internal/transfer/RangeTransfer.h"
#include "dash/internal/transfer/Transfer.h"

namespace dash::internal {

/// A range to be sorted, addressed by positions.
class SortRange {
 public:
  SortRange() = default;
  SortRange(const SortRange&) = delete;
  SortRange& operator=(const SortRange&) = delete;

  /// The caller's elements in memory. \pre they are contiguous
  virtual void* own() const = 0;
  /// Starts to fetch the elements begin ... end - 1. \pre the elements of each unit are consecutive
  virtual void fetch(Transfer& transfer, std::uint64_t begin, std::uint64_t end,
                     void* out) const = 0;
  /// Copies elements to the caller's part of the sequence before sorting: its own elements, or, for
  /// a stable sort, the elements at its positions.
  virtual void load(void* sequence) const = 0;
  /// Copies the caller's part of the sorted sequence to its positions of the range.
  virtual void store(const void* sequence) const = 0;

 protected:
  ~SortRange() = default;
};

/// Sorts a range.
///
/// If the elements of the units are not consecutive in the range, they are copied to a temporary
/// array, sorted there and copied back.
/// \throws exception::RuntimeError on all units if something throws on one
/// \collective over the call's team  \blocks until all units have finished
DASH_API void sort_parts(Call& call, const RangeParts& parts, const SortRange& range,
                         SortKernel& kernel, int workers);

/// Whether the range is small enough that each unit sorts all of its elements redundantly, on the
/// stack.
/// \returns the same on all units
DASH_API bool is_small(const RangeParts& parts, const SortKernel& kernel);

/// Sorts a small range: every unit gathers and sorts all elements, and keeps its part.
/// \param sorted  called with all elements in sorted order
/// \pre is_small(parts, kernel)
/// \throws exception::RuntimeError on all units if something throws on one
/// \collective over the call's team  \blocks until all units have finished
DASH_API void sort_small(Call& call, const RangeParts& parts, const SortRange& range,
                         SortKernel& kernel, exec::FunctionRef<void(const void*)> sorted);

template <GlobalIterator GlobIt, bool stable>
class SortRangeOf final : public SortRange {
  static_assert(WrittenRange<GlobIt>::value);
  using T = typename GlobIt::value_type;
  using Index = typename GlobIt::index_type;
  using Local = std::remove_pointer_t<typename GlobIt::local_type>;

 public:
  /// \collective over the call's team
  SortRangeOf(Call& call, const GlobIt& first, const GlobIt& last)
      : _first(first), _parts(parts_of_range(call, first, last, _blocks)) {}

  const RangeParts& parts() const { return _parts; }

  void* own() const override { return _blocks.empty() ? nullptr : _blocks.front().data; }

  void fetch(Transfer& transfer, std::uint64_t begin, std::uint64_t end, void* out) const override {
    start_get(transfer, _first + static_cast<Index>(begin), _first + static_cast<Index>(end),
              static_cast<T*>(out));
  }

  void load(void* sequence) const override {
    if constexpr (stable) {
      PositionCopy<GlobIt>(_first).get(position(0), position(1), static_cast<T*>(sequence));
    } else {
      for (const LocalBlock<Local>& block : _blocks)
        std::copy(block.begin(), block.end(), static_cast<T*>(sequence) + block.ordinal);
    }
  }

  void store(const void* sequence) const override {
    PositionCopy<GlobIt>(_first).put(static_cast<const T*>(sequence), position(0), position(1));
  }

 private:
  Index position(std::size_t behind) const {
    return static_cast<Index>(_parts.offset(_parts.self() + behind));
  }

  const GlobIt& _first;
  LocalBlocks<Local> _blocks;
  RangeParts _parts;
};

template <bool stable, GlobalIterator GlobIt, class Compare>
void sort_range(Call& call, const GlobIt& first, const GlobIt& last, const Compare& before,
                int workers) {
  const SortRangeOf<GlobIt, stable> range(call, first, last);
  SortKernelOf<typename GlobIt::value_type, Compare, stable> kernel(before);
  sort_parts(call, range.parts(), range, kernel, workers);
}

}  // namespace dash::internal
