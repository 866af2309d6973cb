#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <type_traits>

#include "dash/algorithm/internal/call/Call.h"
#include "dash/algorithm/internal/call/RangeParts.h"
#include "dash/algorithm/internal/copy/PositionCopy.h"
#include "dash/algorithm/internal/sort/SortKernel.h"
#include "dash/async/FunctionRef.h"
#include "dash/core/Export.h"
#include "dash/internal/transfer/LocalBlocks.h"
#include "dash/internal/transfer/RangeTransfer.h"
#include "dash/internal/transfer/Transfer.h"

namespace dash::internal {

/// A range to be sorted, by positions in it.
class SortRange {
 public:
  SortRange() = default;
  SortRange(const SortRange&) = delete;
  SortRange& operator=(const SortRange&) = delete;

  /// Where the caller has its elements. \pre they are consecutive
  virtual void* own() const = 0;
  /// Begins to get the elements begin ... end - 1. \pre each unit's are consecutive
  virtual void fetch(Transfer& transfer, std::uint64_t begin, std::uint64_t end,
                     void* out) const = 0;
  /// Copies to the caller's part of a sequence the elements that it begins with: its own ones, or, to
  /// be stable, those of its positions.
  virtual void load(void* sequence) const = 0;
  /// Copies the caller's part of the sorted sequence to its positions.
  virtual void place(const void* sequence) const = 0;

 protected:
  ~SortRange() = default;
};

/// Sorts a range.
///
/// Where the units' elements are not consecutive, they are copied to memory where they are, and from
/// there to where they belong.
/// \throws exception::RuntimeError on all units if something throws on one
/// \collective over the call's team  \blocks until all units have finished
DASH_API void sort_parts(Call& call, const RangeParts& parts, const SortRange& range,
                         SortKernel& kernel, int workers);

/// Whether the elements are so few that each unit had better sort them all: on the caller's stack.
/// \returns the same on all units
DASH_API bool are_few(const RangeParts& parts, const SortKernel& kernel);

/// Sorts them: every unit gets all, sorts them, and keeps its part.
/// \param sorted  is called with all, in their order
/// \pre are_few(parts, kernel)
/// \throws exception::RuntimeError on all units if something throws on one
/// \collective over the call's team  \blocks until all units have finished
DASH_API void sort_few(Call& call, const RangeParts& parts, const SortRange& range,
                       SortKernel& kernel, exec::FunctionRef<void(const void*)> sorted);

template <GlobalIterator GlobIt, bool stable>
class SortRangeOf final : public SortRange {
  static_assert(require_writable<GlobIt>());
  using T = typename GlobIt::value_type;
  using Index = typename GlobIt::index_type;
  using Local = std::remove_pointer_t<typename GlobIt::local_type>;

 public:
  /// \collective over the call's team
  SortRangeOf(Call& call, const GlobIt& first, const GlobIt& last)
      : _first(first), _parts(parts_of_range(call, first, last, _runs)) {}

  const RangeParts& parts() const { return _parts; }

  void* own() const override { return _runs.empty() ? nullptr : _runs.front().data; }

  void fetch(Transfer& transfer, std::uint64_t begin, std::uint64_t end, void* out) const override {
    start_get(transfer, _first + static_cast<Index>(begin), _first + static_cast<Index>(end),
              static_cast<T*>(out));
  }

  void load(void* sequence) const override {
    if constexpr (stable) {
      PositionCopy<GlobIt>(_first).get(position(0), position(1), static_cast<T*>(sequence));
    } else {
      for (const LocalBlock<Local>& run : _runs)
        std::copy(run.begin(), run.end(), static_cast<T*>(sequence) + run.ordinal);
    }
  }

  void place(const void* sequence) const override {
    PositionCopy<GlobIt>(_first).put(static_cast<const T*>(sequence), position(0), position(1));
  }

 private:
  Index position(std::size_t behind) const {
    return static_cast<Index>(_parts.offset(_parts.self() + behind));
  }

  const GlobIt& _first;
  LocalBlocks<Local> _runs;
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
