#pragma once

#include <cstddef>
#include <exception>
#include <type_traits>

#include "dash/ExecutionPolicy.h"
#include "dash/Future.h"
#include "dash/Types.h"
#include "dash/algorithm/internal/call/CallForms.h"
#include "dash/algorithm/internal/matrix/LocalProduct.h"
#include "dash/algorithm/internal/matrix/Summa.h"
#include "dash/pattern/PatternProperties.h"

namespace dash {

template <class T, dim_t NumDimensions, typename IndexType, class PatternType, class LocalMemSpace>
class Matrix;

/// \addtogroup algorithms
/// @{

/// \name Pattern constraints for summa()
/// Recommended arguments of make_pattern() for matrices that are multiplied: tiles of equal size,
/// each contiguous in memory. dash::summa() also accepts all other patterns.
/// @{

/// Tiles are boxes of equal size.
using summa_pattern_partitioning_constraints =
    pattern_partitioning_properties<pattern_partitioning_tag::rectangular,
                                    pattern_partitioning_tag::balanced>;
/// The numbers of tiles of the units may differ.
using summa_pattern_mapping_constraints =
    pattern_mapping_properties<pattern_mapping_tag::unbalanced>;
/// The elements of a tile are contiguous in memory; local order follows global order.
using summa_pattern_layout_constraints =
    pattern_layout_properties<pattern_layout_tag::blocked, pattern_layout_tag::linear>;
/// @}

/// Whether the pattern of a matrix satisfies these constraints:
/// summa_pattern_constraints<M>::satisfied.
template <class MatrixType>
struct summa_pattern_constraints
    : pattern_constraints<summa_pattern_partitioning_constraints, summa_pattern_mapping_constraints,
                          summa_pattern_layout_constraints, typename MatrixType::pattern_type> {};

/// @}

namespace internal {

template <class M>
inline constexpr bool is_matrix_2d = false;
template <class T, typename Index, class Pattern, class Mem>
inline constexpr bool is_matrix_2d<Matrix<T, 2, Index, Pattern, Mem>> = true;
template <class M>
concept Matrix2D = is_matrix_2d<std::remove_cv_t<M>>;

/// Rows and columns; 0 if the matrix is not allocated.
template <Matrix2D M>
SummaMatrix::Extents summa_extents(const M& matrix) {
  if (matrix.size() == 0) return {0, 0};
  return {static_cast<std::ptrdiff_t>(matrix.extent(0)),
          static_cast<std::ptrdiff_t>(matrix.extent(1))};
}

/// Calls check() on each unit, followed by a barrier. Units on which check() throws rethrow its
/// exception; the other units throw exception::RuntimeError with its text.
template <class F>
void check_on_all(Call& call, F check) {
  std::exception_ptr own;
  try {
    call.run([&] {
      try {
        check();
      } catch (...) {
        own = std::current_exception();
        throw;
      }
    });
  } catch (...) {
    if (own) std::rethrow_exception(own);
    throw;
  }
}

struct Summa {
  static constexpr auto name = "dash::summa";

  template <ExecutionPolicy Policy, Matrix2D MA, Matrix2D MB, Matrix2D MC>
  void operator()(Call& call, const Policy&, const MA& a, const MB& b, MC& c) const {
    using T = typename MC::value_type;
    static_assert(
        std::is_same_v<typename MA::value_type, T> && std::is_same_v<typename MB::value_type, T>,
        "dash::summa: the three matrices must have the same element type");
    // Also acts as a barrier: assignments of all units to their elements of A and B are complete.
    internal::check_on_all(call, [&] {
      const bool is_in_place = static_cast<const void*>(&a) == static_cast<const void*>(&c) ||
                               static_cast<const void*>(&b) == static_cast<const void*>(&c);
      check_summa(summa_extents(a), summa_extents(b), summa_extents(c), is_in_place);
      check_member("A", a.team());
      check_member("B", b.team());
    });
    call.run([&] {
      const auto multiply = [](const ProductExtents& extents, const Bytes<const std::byte>& of_a,
                               const Bytes<const std::byte>& of_b, const Bytes<std::byte>& of_c,
                               bool add) {
        internal::multiply(extents, typed<const T>(of_a), typed<const T>(of_b), typed<T>(of_c),
                           add);
      };
      const PatternMatrix matrix_a(a.globmem(), a.pattern());
      const PatternMatrix matrix_b(b.globmem(), b.pattern());
      const PatternMatrix matrix_c(c.globmem(), c.pattern());
      // BLAS is not used for other types.
      struct NoLimit {};
      constexpr bool is_floating = std::is_same_v<T, double> || std::is_same_v<T, float>;
      [[maybe_unused]] const std::conditional_t<is_floating, OneThreadedProducts, NoLimit> limit{};
      compute_summa({matrix_a, matrix_b, matrix_c, boxes_of(c.pattern(), c.team().myid()),
                     sizeof(T), !std::is_same_v<Policy, execution::sequenced_policy>, multiply});
    });
  }

 private:
  template <class Byte>
  using Bytes = MatrixBlock<Byte>;

  /// Converts a block with strides in bytes to one with strides in elements.
  template <class T, class Byte>
  static MatrixBlock<T> typed(const MatrixBlock<Byte>& block) {
    constexpr auto size = static_cast<std::ptrdiff_t>(sizeof(T));
    return {reinterpret_cast<T*>(block.data), block.row_stride / size, block.col_stride / size};
  }
};

}  // namespace internal

/// \addtogroup algorithms
/// @{

/// Computes C = A * B for matrices of two dimensions with any patterns, tiles and extents, which
/// may differ between the three matrices. Each unit computes its elements of C.
///
/// Doubles and floats are multiplied by the BLAS that DART_BLAS selects or, if there is none, by
/// the built-in kernel; other types by a loop.
/// Elements of A and B on the caller's node are used in place if their tiles are at least 128 x
/// 128, and are copied to a buffer otherwise. Elements on other nodes are fetched while the
/// previous product is computed.
/// \param C  the result; must be neither A nor B
/// \completion ends with a barrier: all units see C, and A and B may be modified
/// \collective over the team of C, whose units must be in the teams of A and B
/// \blocks until all units have computed their part
/// \throws exception::InvalidArgument, with the extents in its message, unless A is m x k, B is k x
///         n and C is m x n; exception::RuntimeError on all units if anything else fails on one
/// \cost 2 m n k operations. Each unit fetches the rows of A and the columns of B that it needs
///       once for every 2048 columns and rows of its part of C; up to 64 MiB of memory for doubles,
///       none if all elements are used in place
/// \see R. A. van de Geijn, J. Watts, SUMMA: scalable universal matrix multiplication algorithm, 1997
template <internal::Matrix2D MatrixTypeA, internal::Matrix2D MatrixTypeB,
          internal::Matrix2D MatrixTypeC>
void summa(const MatrixTypeA& A, const MatrixTypeB& B, MatrixTypeC& C) {
  summa(par, A, B, C);
}
/// \overload
/// \param policy  dash::seq uses one thread of each unit, any other policy its workers
template <ExecutionPolicy Policy, internal::Matrix2D MatrixTypeA, internal::Matrix2D MatrixTypeB,
          internal::Matrix2D MatrixTypeC>
void summa(const Policy& policy, const MatrixTypeA& A, const MatrixTypeB& B, MatrixTypeC& C) {
  internal::Call call(C.team(), internal::Summa::name);
  internal::Summa{}(call, policy, A, B, C);
}

/// Asynchronous counterpart; runs as a task. The matrices must not be destroyed or moved until it
/// has finished.
/// \returns a future that is ready when the call has finished
/// \asynchronous{summa}
template <ExecutionPolicy Policy, internal::Matrix2D MatrixTypeA, internal::Matrix2D MatrixTypeB,
          internal::Matrix2D MatrixTypeC>
Future<void> summa_async(const Policy& policy, const MatrixTypeA& A, const MatrixTypeB& B,
                         MatrixTypeC& C) {
  return internal::start_collectively(
      C.team(), internal::Summa::name,
      [policy, &A, &B, &C](internal::Call& call) { internal::Summa{}(call, policy, A, B, C); });
}
/// \overload
template <internal::Matrix2D MatrixTypeA, internal::Matrix2D MatrixTypeB,
          internal::Matrix2D MatrixTypeC>
Future<void> summa_async(const MatrixTypeA& A, const MatrixTypeB& B, MatrixTypeC& C) {
  return summa_async(par, A, B, C);
}

/// Alternative name of all overloads of summa().
/// \contract{summa}
template <class... Args>
auto mmult(Args&&... args) -> decltype(summa(args...)) {
  return summa(args...);
}
/// Alternative name of all overloads of summa_async().
/// \contract{summa_async}
template <class... Args>
auto mmult_async(Args&&... args) -> decltype(summa_async(args...)) {
  return summa_async(args...);
}

/// @}

}  // namespace dash
