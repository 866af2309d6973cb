#pragma once

#include <cstddef>
#include <vector>

#include "dash/Team.h"
#include "dash/algorithm/internal/matrix/DistributedMatrix.h"
#include "dash/algorithm/internal/matrix/MatrixBlock.h"
#include "dash/async/FunctionRef.h"
#include "dash/core/Export.h"

/// \file
/// The type-independent part of the product of distributed matrices. Only the location of elements
/// and the product of blocks in native memory depend on types.

namespace dash::internal {

/// A unit's part of C = alpha * A * B + beta * C.
struct SummaProduct {
  /// Computes c = alpha * a * b + beta * c if `is_first`, otherwise c += alpha * a * b.
  using Multiply = void(const ProductExtents&, const MatrixBlock<const std::byte>& a,
                        const MatrixBlock<const std::byte>& b, const MatrixBlock<std::byte>& c,
                        bool is_first);

  const DistributedMatrix& a;
  const DistributedMatrix& b;
  const DistributedMatrix& c;
  const std::vector<IndexBox>& boxes;  ///< the unit's elements of C
  std::size_t element_size;            ///< bytes
  bool reads_c;                        ///< false if beta is 0
  bool parallel;  ///< whether to use the workers of the unit, or only the calling thread
  /// Strides are in bytes.
  exec::FunctionRef<Multiply> multiply;
};

/// \param is_in_place  whether C is A or B
/// \throws exception::InvalidArgument unless A has as many columns as B has rows, and C the rows of
///         A and the columns of B, and is neither
DASH_API void check_summa(const DistributedMatrix::Extents& a, const DistributedMatrix::Extents& b,
                          const DistributedMatrix::Extents& c, bool is_in_place);

/// \throws exception::InvalidArgument unless the caller is in the team of a factor
DASH_API void check_member(const char* matrix, const Team& team);

/// Computes the caller's part of C. Reads from other units, and writes only the caller's elements.
/// \collective no
DASH_API void compute_summa(const SummaProduct& product);

}  // namespace dash::internal
