#pragma once

#include <cstddef>
#include <memory>
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

/// A unit's part of a transposition.
class DASH_API Transposer {
 public:
  /// Allocates the memory for messages. If this fails on a unit, no unit may call run().
  /// \param transposition  what it refers to must outlive this object
  explicit Transposer(const Transposition& transposition);
  ~Transposer();
  Transposer(const Transposer&) = delete;
  Transposer& operator=(const Transposer&) = delete;

  /// Computes the caller's part of `out`, and sends its part of `in` to units on other nodes. Takes
  /// part in the exchange even if a function throws, since other units wait for the messages.
  /// \collective over the team
  void run();

 private:
  class Impl;

  std::unique_ptr<Impl> _impl;
};

}  // namespace dash::internal
