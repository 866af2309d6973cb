#pragma once

/// \file
/// Many steps of a stencil with two matrices that alternate.

#include <algorithm>
#include <cstddef>
#include <utility>

#include "dash/Exception.h"
#include "dash/halo/GlobalBoundarySpec.h"
#include "dash/halo/HaloMatrixWrapper.h"
#include "dash/halo/stencil/StencilFor.h"

namespace dash::halo {

/// The steps of a stencil computation: reads one of two matrices with its halo, stores the results
/// in the other one, and exchanges their roles. It contains the wrapper and the stencil operator of
/// each matrix.
///
///     dash::halo::StencilLoop loop(a, b, bounds, stencil);
///     loop.steps(100, [](const auto& cell) {
///       return 0.25 * (cell(-1, 0) + cell(1, 0) + cell(0, -1) + cell(0, 1));
///     });
///     const auto& result = loop.current();
///
/// Elements whose stencil leaves the matrix at a border that is NONE are not computed. Before the
/// first step they are copied from the first matrix to the second, so they keep their value. To
/// change them later, change them in both matrices.
///
/// The matrices must outlive the object and have the same pattern. They may also be views with all
/// dimensions, of the same elements.
/// \threads externally synchronized
/// \ingroup halo
template <typename MatrixT, typename StencilSpecT>
class StencilLoop {
 public:
  /// Number of dimensions of the matrices.
  static constexpr dim_t NumDimensions = MatrixT::pattern_type::ndim();
  /// Type of an element.
  using Element_t = typename MatrixT::value_type;
  /// Adds a halo to a matrix.
  using Halo_t = HaloMatrixWrapper<MatrixT>;
  /// Applies the stencil.
  using Operator_t = typename Halo_t::template StencilOperator_t<StencilSpecT>;

  /// \param current  contains the initial values when the first step begins
  /// \param next     gets the results of the first step
  /// \param bounds   the border of each dimension
  /// \collective
  /// \throws exception::InvalidArgument if it is the same matrix twice, the patterns differ, or a
  ///         block is too small for the stencil
  StencilLoop(MatrixT& current, MatrixT& next, const GlobalBoundarySpec<NumDimensions>& bounds,
              const StencilSpecT& stencil)
      : _first(checked(current, next), bounds, stencil), _second(next, bounds, stencil) {
    if (!_first.op.core().has_same_parts(_second.op.core())) throw_unsuitable();
  }

  /// \overload
  /// All borders are NONE.
  StencilLoop(MatrixT& current, MatrixT& next, const StencilSpecT& stencil)
      : StencilLoop(current, next, GlobalBoundarySpec<NumDimensions>(), stencil) {}

  StencilLoop(const StencilLoop&) = delete;
  StencilLoop& operator=(const StencilLoop&) = delete;

  /// Executes a step with stencil_for(): current() is the matrix of the results then.
  /// \param fn  as for stencil_for()
  /// \collective
  /// \blocks until the neighbours have started the same step
  /// \throws as stencil_for(); then current() of this unit is unchanged, while its neighbours may have
  ///         completed the step
  template <typename StencilFn>
  void step(StencilFn fn) {
    begin();
    stencil_for(_now->halo, _now->op, _next->op.local_memory(), fn);
    std::swap(_now, _next);
  }

  /// Executes several steps.
  template <typename StencilFn>
  void steps(std::size_t count, StencilFn fn) {
    for (std::size_t i = 0; i < count; ++i) {
      step(fn);
    }
  }

  /// Executes a step with stencil_reduce().
  /// \returns the combined value, the same on all units
  /// \collective
  template <typename T, typename BinaryOp, typename StencilFn>
  T step_reduce(T neutral, BinaryOp reduce, StencilFn fn) {
    begin();
    const T result =
        stencil_reduce(_now->halo, _now->op, _next->halo.matrix().lbegin(), neutral, reduce, fn);
    std::swap(_now, _next);
    return result;
  }

  /// The matrix that contains the results of the last step.
  MatrixT& current() { return _now->halo.matrix(); }
  /// The matrix that gets the results of the next step.
  MatrixT& next() { return _next->halo.matrix(); }
  /// Sets the values beyond borders that are CUSTOM, of both matrices.
  /// \param f  called with the global coordinates of each of these halo elements; returns its value
  template <typename FunctionT>
  void set_custom_halos(FunctionT f) {
    _first.halo.set_custom_halos(f);
    _second.halo.set_custom_halos(f);
  }

  /// The halo of current().
  Halo_t& halo() { return _now->halo; }
  /// The stencil operator of current().
  const Operator_t& stencil_operator() const { return _now->op; }

 private:
  struct Side {
    Side(MatrixT& matrix, const GlobalBoundarySpec<NumDimensions>& bounds,
         const StencilSpecT& stencil)
        : halo(matrix, bounds, stencil), op(halo.stencil_operator(stencil)) {}

    Halo_t halo;
    Operator_t op;
  };

  static MatrixT& checked(MatrixT& current, MatrixT& next) {
    if (&current == &next || !(current.pattern() == next.pattern())) throw_unsuitable();
    return current;
  }
  [[noreturn]] static void throw_unsuitable() {
    DASH_THROW(exception::InvalidArgument,
               "StencilLoop requires two different matrices with the same pattern, or views of the "
               "same elements of them");
  }

  /// Copies the elements of the block, which are not contiguous in memory if the matrix is a view.
  void begin() {
    if (_has_begun) return;
    const auto& core = _now->op.core();
    internal::Box<NumDimensions> block;
    for (dim_t d = 0; d < NumDimensions; ++d) {
      block[d].end = core.block().block_env().extents()[d];
    }
    constexpr auto arrange = MatrixT::pattern_type::memory_order();
    internal::for_each_row<arrange>(block, [&](const auto& coords, internal::coord_t length) {
      const auto position = core.position(coords);
      std::copy_n(_now->op.local_memory() + position, length, _next->op.local_memory() + position);
    });
    _has_begun = true;
  }

  Side _first;
  Side _second;
  Side* _now = &_first;
  Side* _next = &_second;
  bool _has_begun = false;
};

}  // namespace dash::halo
