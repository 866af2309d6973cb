#pragma once

#include <cstddef>
#include <type_traits>

#include "dash/ExecutionPolicy.h"
#include "dash/Future.h"
#include "dash/Types.h"
#include "dash/algorithm/internal/call/CallForms.h"
#include "dash/algorithm/internal/call/CheckOnAll.h"
#include "dash/algorithm/internal/matrix/DistributedMatrix.h"
#include "dash/algorithm/internal/matrix/LocalProduct.h"
#include "dash/algorithm/internal/matrix/Summa.h"
#include "dash/pattern/PatternProperties.h"

namespace dash {

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

struct Summa {
  static constexpr auto name = "dash::summa";

  /// Computes C = alpha * A * B + beta * C.
  template <ExecutionPolicy Policy, Matrix2D MA, Matrix2D MB, Matrix2D MC>
  void operator()(Call& call, const Policy&, const MA& a, const MB& b, MC& c,
                  const typename MC::value_type& alpha, const typename MC::value_type& beta) const {
    using T = typename MC::value_type;
    static_assert(
        std::is_same_v<typename MA::value_type, T> && std::is_same_v<typename MB::value_type, T>,
        "dash::summa: the three matrices must have the same element type");
    // Also acts as a barrier: assignments of all units to their elements of A and B are complete.
    internal::check_on_all(call, [&] {
      const bool is_in_place = static_cast<const void*>(&a) == static_cast<const void*>(&c) ||
                               static_cast<const void*>(&b) == static_cast<const void*>(&c);
      check_summa(extents_of(a), extents_of(b), extents_of(c), is_in_place);
      check_member("A", a.team());
      check_member("B", b.team());
    });
    call.run([&] {
      const bool reads_c = beta != T{};
      const auto multiply = [&](const ProductExtents& extents,
                                const MatrixBlock<const std::byte>& of_a,
                                const MatrixBlock<const std::byte>& of_b,
                                const MatrixBlock<std::byte>& of_c, bool is_first) {
        const auto block = typed<T>(of_c);
        if (is_first && reads_c && beta != T{1}) scale(extents.m, extents.n, beta, block);
        internal::multiply(extents, alpha, typed<const T>(of_a), typed<const T>(of_b), block,
                           reads_c || !is_first);
      };
      const PatternMatrix matrix_a(a.globmem(), a.pattern());
      const PatternMatrix matrix_b(b.globmem(), b.pattern());
      const PatternMatrix matrix_c(c.globmem(), c.pattern());
      // BLAS is not used for other types.
      struct NoLimit {};
      constexpr bool is_floating = std::is_same_v<T, double> || std::is_same_v<T, float>;
      [[maybe_unused]] const std::conditional_t<is_floating, OneThreadedProducts, NoLimit> limit{};
      compute_summa({matrix_a, matrix_b, matrix_c, boxes_of(c.pattern(), c.team().myid()),
                     sizeof(T), reads_c, !std::is_same_v<Policy, execution::sequenced_policy>,
                     multiply});
    });
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
  using T = typename MatrixTypeC::value_type;
  summa(policy, T{1}, A, B, T{}, C);
}
/// Computes C = alpha * A * B + beta * C, as the function gemm of BLAS does. If beta is 0, the previous elements of C
/// are not read. \contract{summa}
template <internal::Matrix2D MatrixTypeA, internal::Matrix2D MatrixTypeB,
          internal::Matrix2D MatrixTypeC>
void summa(const std::type_identity_t<typename MatrixTypeC::value_type>& alpha,
           const MatrixTypeA& A, const MatrixTypeB& B,
           const std::type_identity_t<typename MatrixTypeC::value_type>& beta, MatrixTypeC& C) {
  summa(par, alpha, A, B, beta, C);
}
/// \overload
/// \param policy  dash::seq uses one thread of each unit, any other policy its workers
template <ExecutionPolicy Policy, internal::Matrix2D MatrixTypeA, internal::Matrix2D MatrixTypeB,
          internal::Matrix2D MatrixTypeC>
void summa(const Policy& policy,
           const std::type_identity_t<typename MatrixTypeC::value_type>& alpha,
           const MatrixTypeA& A, const MatrixTypeB& B,
           const std::type_identity_t<typename MatrixTypeC::value_type>& beta, MatrixTypeC& C) {
  internal::Call call(C.team(), internal::Summa::name);
  internal::Summa{}(call, policy, A, B, C, alpha, beta);
}

/// Asynchronous counterpart; runs as a task. The matrices must not be destroyed or moved until it
/// has finished.
/// \returns a future that is ready when the call has finished
/// \asynchronous{summa}
template <ExecutionPolicy Policy, internal::Matrix2D MatrixTypeA, internal::Matrix2D MatrixTypeB,
          internal::Matrix2D MatrixTypeC>
Future<void> summa_async(const Policy& policy, const MatrixTypeA& A, const MatrixTypeB& B,
                         MatrixTypeC& C) {
  using T = typename MatrixTypeC::value_type;
  return summa_async(policy, T{1}, A, B, T{}, C);
}
/// \overload
template <internal::Matrix2D MatrixTypeA, internal::Matrix2D MatrixTypeB,
          internal::Matrix2D MatrixTypeC>
Future<void> summa_async(const MatrixTypeA& A, const MatrixTypeB& B, MatrixTypeC& C) {
  return summa_async(par, A, B, C);
}
/// \overload
template <ExecutionPolicy Policy, internal::Matrix2D MatrixTypeA, internal::Matrix2D MatrixTypeB,
          internal::Matrix2D MatrixTypeC>
Future<void> summa_async(const Policy& policy,
                         const std::type_identity_t<typename MatrixTypeC::value_type>& alpha,
                         const MatrixTypeA& A, const MatrixTypeB& B,
                         const std::type_identity_t<typename MatrixTypeC::value_type>& beta,
                         MatrixTypeC& C) {
  return internal::start_collectively(C.team(), internal::Summa::name,
                                      [policy, &A, &B, &C, alpha, beta](internal::Call& call) {
                                        internal::Summa{}(call, policy, A, B, C, alpha, beta);
                                      });
}
/// \overload
template <internal::Matrix2D MatrixTypeA, internal::Matrix2D MatrixTypeB,
          internal::Matrix2D MatrixTypeC>
Future<void> summa_async(const std::type_identity_t<typename MatrixTypeC::value_type>& alpha,
                         const MatrixTypeA& A, const MatrixTypeB& B,
                         const std::type_identity_t<typename MatrixTypeC::value_type>& beta,
                         MatrixTypeC& C) {
  return summa_async(par, alpha, A, B, beta, C);
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
