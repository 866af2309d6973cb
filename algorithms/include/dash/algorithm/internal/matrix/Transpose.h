#pragma once

#include <cstddef>
#include <vector>

#include "dash/algorithm/internal/matrix/DistributedMatrix.h"
#include "dash/algorithm/internal/matrix/MatrixBlock.h"
#include "dash/async/FunctionRef.h"
#include "dash/core/Export.h"

/// \file
/// The type-independent part of the transposition of distributed matrices.

namespace dash::internal {

/// A transposition of `in` to `out`. Strides of blocks are in bytes.
struct Transposition {
  /// Combines the elements of a block of `out` with those of a block of the same extents.
  using Update = void(std::ptrdiff_t rows, std::ptrdiff_t cols, const MatrixBlock<std::byte>& out,
                      const MatrixBlock<const std::byte>& values);
  using Boxes = std::vector<IndexBox>(team_unit_t unit);

  const DistributedMatrix& in;
  const DistributedMatrix& out;
  exec::FunctionRef<Boxes> boxes_of_in;   ///< the elements of a unit
  exec::FunctionRef<Boxes> boxes_of_out;  ///< the same
  std::size_t element_size;               ///< bytes
  bool parallel;  ///< whether to use the workers of the unit, or only the calling thread
  exec::FunctionRef<Update> update;  ///< assigns, or applies the operation of the caller
  exec::FunctionRef<Update> assign;
};

/// \throws exception::InvalidArgument unless `out` is a separate matrix with as many rows as `in` has columns, and as
///         many columns as `in` has rows, of the same team
DASH_API void check_transposition(const DistributedMatrix::Extents& in,
                                  const DistributedMatrix::Extents& out, bool is_in_place,
                                  bool same_team);

/// Computes the caller's part of `out`, and sends its part of `in` to units on other nodes.
/// \collective over the team
DASH_API void transpose(const Transposition& transposition);

}  // namespace dash::internal
