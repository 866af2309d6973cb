#pragma once

#include <array>
#include <cstddef>
#include <map>
#include <utility>
#include <vector>

#include "dash/Team.h"
#include "dash/Types.h"
#include "dash/algorithm/internal/matrix/MatrixBlock.h"
#include "dash/async/FunctionRef.h"
#include "dash/core/Export.h"
#include "dash/internal/Unit.h"
#include "dash/internal/transfer/LocalBlocks.h"
#include "dash/memory/GlobalSegment.h"

/// \file
/// The type-independent part of the product of distributed matrices. Only the location of elements
/// and the product of blocks in native memory depend on types.

namespace dash::internal {

/// A range of consecutive indices of a dimension.
struct IndexRange {
  std::ptrdiff_t begin = 0;
  std::ptrdiff_t end = 0;
};

/// A distributed matrix of two dimensions, described by the locations of its elements.
class SummaMatrix {
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

  SummaMatrix(const GlobalSegment& memory, const Properties& properties)
      : _memory(&memory), _properties(properties) {}
  SummaMatrix(const SummaMatrix&) = delete;
  SummaMatrix& operator=(const SummaMatrix&) = delete;

  virtual Location location(std::ptrdiff_t row, std::ptrdiff_t col) const = 0;

  const GlobalSegment& memory() const { return *_memory; }
  const Properties& properties() const { return _properties; }

 protected:
  ~SummaMatrix() = default;

 private:
  const GlobalSegment* _memory;
  Properties _properties;
};

template <class Pattern>
class PatternMatrix final : public SummaMatrix {
 public:
  PatternMatrix(const GlobalSegment& memory, const Pattern& pattern)
      : SummaMatrix(memory, properties_of(pattern)), _pattern(&pattern) {}

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
struct SummaBox {
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
std::vector<SummaBox> boxes_of(const Pattern& pattern, team_unit_t unit) {
  std::vector<SummaBox> boxes;
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
    std::map<std::ptrdiff_t, SummaBox> by_row;
    const auto range_of = [](const auto& view, dim_t d) {
      const auto range = view.range(d);
      return IndexRange{static_cast<std::ptrdiff_t>(range.begin),
                        static_cast<std::ptrdiff_t>(range.end)};
    };
    const auto nblocks = static_cast<std::size_t>(pattern.local_blockspec(unit).size());
    for (std::size_t block = 0; block < nblocks; ++block) {
      const auto view = pattern.local_block(unit, static_cast<typename Pattern::index_type>(block));
      const IndexRange rows = range_of(view, 0);
      SummaBox& box = by_row[rows.begin];
      box.rows = {rows};
      append(box.cols, range_of(view, 1));
    }
    for (auto& [row, box] : by_row)
      boxes.push_back(std::move(box));
  }
  return boxes;
}

/// A unit's part of C = A * B.
struct SummaProduct {
  using Multiply = void(const ProductExtents&, const MatrixBlock<const std::byte>& a,
                        const MatrixBlock<const std::byte>& b, const MatrixBlock<std::byte>& c,
                        bool add);

  const SummaMatrix& a;
  const SummaMatrix& b;
  const SummaMatrix& c;
  const std::vector<SummaBox>& boxes;  ///< the unit's elements of C
  std::size_t element_size;            ///< bytes
  bool parallel;  ///< whether to use the workers of the unit, or only the calling thread
  /// Strides are in bytes.
  exec::FunctionRef<Multiply> multiply;
};

/// \param is_in_place  whether C is A or B
/// \throws exception::InvalidArgument unless A has as many columns as B has rows, and C the rows of
///         A and the columns of B, and is neither
DASH_API void check_summa(const SummaMatrix::Extents& a, const SummaMatrix::Extents& b,
                          const SummaMatrix::Extents& c, bool is_in_place);

/// \throws exception::InvalidArgument unless the caller is in the team of a factor
DASH_API void check_member(const char* matrix, const Team& team);

/// Computes the caller's part of C. Reads from other units, and writes only the caller's elements.
/// \collective no
DASH_API void compute_summa(const SummaProduct& product);

}  // namespace dash::internal
