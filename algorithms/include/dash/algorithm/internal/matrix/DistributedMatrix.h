#pragma once

#include <array>
#include <cstddef>
#include <map>
#include <type_traits>
#include <utility>
#include <vector>

#include "dash/Team.h"
#include "dash/Types.h"
#include "dash/internal/Unit.h"
#include "dash/internal/transfer/LocalBlocks.h"
#include "dash/memory/GlobalSegment.h"

/// \file
/// Distributed matrices of two dimensions, without their element type and their pattern's type. Algorithms on matrices
/// of any pattern are compiled once for this description.

namespace dash {

template <class T, dim_t NumDimensions, typename IndexType, class PatternType, class LocalMemSpace>
class Matrix;

}  // namespace dash

namespace dash::internal {

template <class M>
inline constexpr bool is_matrix_2d = false;
template <class T, typename Index, class Pattern, class Mem>
inline constexpr bool is_matrix_2d<Matrix<T, 2, Index, Pattern, Mem>> = true;
template <class M>
concept Matrix2D = is_matrix_2d<std::remove_cv_t<M>>;

/// A range of consecutive indices of a dimension.
struct IndexRange {
  std::ptrdiff_t begin = 0;
  std::ptrdiff_t end = 0;
};

/// A distributed matrix of two dimensions, described by the locations of its elements.
class DistributedMatrix {
 public:
  using Extents = std::array<std::ptrdiff_t, 2>;

  struct Location {
    team_unit_t unit;
    std::ptrdiff_t index;  ///< in the unit's memory
  };

  struct Properties {
    Extents extents;
    Extents
        block_extents;  ///< each block is stored as a matrix; blocks begin at multiples of these extents
    bool is_row_major;
    bool is_canonical;  ///< the local part of a unit is stored as one matrix
  };

  DistributedMatrix(const GlobalSegment& memory, const Properties& properties)
      : _memory(&memory), _properties(properties) {}
  DistributedMatrix(const DistributedMatrix&) = delete;
  DistributedMatrix& operator=(const DistributedMatrix&) = delete;

  virtual Location location(std::ptrdiff_t row, std::ptrdiff_t col) const = 0;

  const GlobalSegment& memory() const { return *_memory; }
  const Properties& properties() const { return _properties; }

 protected:
  ~DistributedMatrix() = default;

 private:
  const GlobalSegment* _memory;
  Properties _properties;
};

template <class Pattern>
class PatternMatrix final : public DistributedMatrix {
 public:
  PatternMatrix(const GlobalSegment& memory, const Pattern& pattern)
      : DistributedMatrix(memory, properties_of(pattern)), _pattern(&pattern) {}

  Location location(std::ptrdiff_t row, std::ptrdiff_t col) const override {
    using Index = typename Pattern::index_type;
    const auto at = _pattern->local_index({{static_cast<Index>(row), static_cast<Index>(col)}});
    return {at.unit, static_cast<std::ptrdiff_t>(at.index)};
  }

 private:
  static Properties properties_of(const Pattern& pattern) {
    constexpr bool is_canonical = Pattern::layout_properties::canonical;
    Properties result{{}, {}, Pattern::memory_order() == ROW_MAJOR, is_canonical};
    for (const dim_t d : {0, 1}) {
      const auto i = static_cast<std::size_t>(d);
      result.extents[i] = static_cast<std::ptrdiff_t>(pattern.extent(d));
      // If one unit owns all blocks of a dimension, they form a single block.
      const bool is_whole = is_canonical && pattern.teamspec().extent(d) == 1;
      result.block_extents[i] =
          is_whole ? result.extents[i] : static_cast<std::ptrdiff_t>(pattern.blocksize(d));
    }
    return result;
  }

  const Pattern* _pattern;
};

/// Elements of a unit: the product of these rows and columns, in memory order if the layout is
/// canonical.
struct IndexBox {
  std::vector<IndexRange> rows;
  std::vector<IndexRange> cols;
};

inline void append(std::vector<IndexRange>& ranges, const IndexRange& range) {
  if (!ranges.empty() && ranges.back().end == range.begin) {
    ranges.back().end = range.end;
  } else {
    ranges.push_back(range);
  }
}

/// All elements of a unit.
template <class Pattern>
std::vector<IndexBox> boxes_of(const Pattern& pattern, team_unit_t unit) {
  std::vector<IndexBox> boxes;
  if (pattern.local_size(unit) == 0) return boxes;
  if constexpr (Pattern::mapping_type::has_local_boxes) {
    const auto extents = pattern.local_extents(unit);
    std::array<std::vector<IndexRange>, 2> ranges;
    for (std::size_t d = 0; d < 2; ++d) {
      using Index = typename Pattern::index_type;
      const LocalDimension<Pattern> dimension(pattern, unit, d, static_cast<Index>(extents[d]));
      for (Index local = 0; local < dimension.extent(); ++local) {
        const auto index = static_cast<std::ptrdiff_t>(dimension.global(local));
        append(ranges[d], {index, index + 1});
      }
    }
    boxes.push_back({std::move(ranges[0]), std::move(ranges[1])});
  } else {
    // Blocks with the same rows are combined.
    std::map<std::ptrdiff_t, IndexBox> by_row;
    const auto range_of = [](const auto& view, dim_t d) {
      const auto range = view.range(d);
      return IndexRange{static_cast<std::ptrdiff_t>(range.begin),
                        static_cast<std::ptrdiff_t>(range.end)};
    };
    const auto nblocks = static_cast<std::size_t>(pattern.local_blockspec(unit).size());
    for (std::size_t block = 0; block < nblocks; ++block) {
      const auto view = pattern.local_block(unit, static_cast<typename Pattern::index_type>(block));
      const IndexRange rows = range_of(view, 0);
      IndexBox& box = by_row[rows.begin];
      box.rows = {rows};
      append(box.cols, range_of(view, 1));
    }
    for (auto& [row, box] : by_row)
      boxes.push_back(std::move(box));
  }
  return boxes;
}

/// Rows and columns; 0 if the matrix is not allocated.
template <Matrix2D M>
DistributedMatrix::Extents extents_of(const M& matrix) {
  if (matrix.size() == 0) return {0, 0};
  return {static_cast<std::ptrdiff_t>(matrix.extent(0)),
          static_cast<std::ptrdiff_t>(matrix.extent(1))};
}

}  // namespace dash::internal
