#pragma once

/// \file
/// A stencil step as tasks: the halo exchange, concurrently the elements that need no halo, and
/// each part of the border as soon as its halo regions have arrived.

#include <array>
#include <exception>
#include <span>
#include <utility>

#include "dash/Async.h"
#include "dash/Collectives.h"
#include "dash/Exception.h"
#include "dash/Future.h"
#include "dash/halo/Types.h"
#include "dash/halo/exchange/HaloExchange.h"
#include "dash/halo/exchange/HaloUpdate.h"
#include "dash/halo/stencil/StencilCell.h"
#include "dash/halo/stencil/StencilSchedule.h"
#include "dash/halo/stencil/StencilUpdate.h"

namespace dash::halo {

namespace internal {

/// The part of a step after the update has begun.
/// \param exchanges  of all fields
/// \param make_results  creates the object that applies the stencil to a part of the elements
template <typename CoreT, typename MakeResults>
void run_stencil_step(std::span<HaloExchange* const> exchanges, const CoreT& core,
                      const MakeResults& make_results) {
  const auto inner = [&](coord_t begin, coord_t end) {
    auto results = make_results();
    core.for_each_inner_row(
        begin, end, [&](coord_t position, coord_t length) { results.row(position, length); });
    results.finish();
  };
  const auto ends = [&](coord_t begin, coord_t end, RegionPos side) {
    auto results = make_results();
    core.for_each_segment_at_end(begin, end, side,
                                 [&](const auto& segment) { results.segment(segment); });
    results.finish();
  };
  const auto border = [&](coord_t begin, coord_t end) {
    auto results = make_results();
    core.for_each_boundary_segment(begin, end,
                                   [&](const auto& segment) { results.segment(segment); });
    results.finish();
  };
  run_stencil(exchanges, core.parts(), {inner, ends, border});
}

/// Stores the values that fn returns or assigns.
template <typename CoreT, typename StencilFn>
void store_stencil_step(HaloExchange& exchange, const CoreT& core, typename CoreT::Element_t* dst,
                        StencilFn& fn) {
  const std::array exchanges{&exchange};
  run_stencil_step(exchanges, core, [&] { return StoreResults(core, dst, fn); });
}

template <typename WrapperT, typename OperatorT>
void check_stencil_step(WrapperT& halo, const OperatorT& op,
                        const typename OperatorT::Element_t* dst_begin) {
  if (&op.halo_memory() != &halo.halo_env().halo_memory()) {
    DASH_THROW(exception::InvalidArgument,
               "stencil_for requires an operator of the same HaloMatrixWrapper");
  }
  op.core().check_destination(dst_begin);
}

}  // namespace internal

/// Executes a step: updates the halos, and stores fn(cell) for each element of the operator
/// (op.begin() to op.end()). The elements that need no halo are divided into chunks for the threads
/// of the unit; each part of the border is computed as soon as its regions have arrived.
///
///     dash::halo::stencil_for(halo, op, next.lbegin(), [](const auto& cell) {
///       return cell(0, 0) +
///              k * (cell(-1, 0) + cell(1, 0) + cell(0, -1) + cell(0, 1) - 4 * cell(0, 0));
///     });
///
/// A function that also reads the old value of the destination, or stores nothing for some
/// elements, has a second parameter:
///
///     dash::halo::stencil_for(halo, op, sums.lbegin(), [](const auto& cell, double& sum) {
///       sum += cell(0, -1) + cell(0, 1);
///     });
///
/// \param halo  wrapper of the source matrix; must be called by each unit, like update()
/// \param op    a stencil operator of `halo`
/// \param dst_begin  first local element of the destination, another matrix with the same pattern
/// \param fn    called with InnerCell and BorderCell, and with a reference to a copy of the
///              destination's element if it has two parameters; concurrently by several threads if
///              the unit has them
/// \completion  the caller's elements are written; the block may be written
/// \blocks until the neighbours have started the same step
/// \threads externally synchronized per wrapper
/// \throws exception::InvalidArgument if the arguments do not match; an exception of fn: then the
///         destination is partially stored, and the block may be written
/// \ingroup halo
template <typename WrapperT, typename OperatorT, typename StencilFn>
void stencil_for(WrapperT& halo, const OperatorT& op, typename OperatorT::Element_t* dst_begin,
                 StencilFn fn) {
  internal::check_stencil_step(halo, op, dst_begin);
  halo.update_async();
  internal::store_stencil_step(halo.halo_env().exchange(), op.core(), dst_begin, fn);
  halo.wait();
}

/// Executes the step as a task of the unit.
/// \returns a future of the task; until it is ready, wrapper and matrices must exist, and no other
///         update of the wrapper can begin
/// \blocks like update_async(): never, if the previous update has been waited for
/// \throws exception::InvalidArgument if the arguments do not match, exception::RuntimeError while
///         another such task is running
/// \ingroup halo
template <typename WrapperT, typename OperatorT, typename StencilFn>
Future<void> stencil_for_async(WrapperT& halo, const OperatorT& op,
                               typename OperatorT::Element_t* dst_begin, StencilFn fn) {
  internal::check_stencil_step(halo, op, dst_begin);
  halo.update_async();
  auto& exchange = halo.halo_env().exchange();
  return dash::async([&halo, &exchange, op, dst_begin, fn = std::move(fn),
                      use = internal::HaloExchange::Use(exchange)]() mutable {
    // Destroyed at the end of the call, whereas captured objects live as long as the task.
    const internal::HaloExchange::Use release_at_exit(std::move(use));
    internal::store_stencil_step(exchange, op.core(), dst_begin, fn);
    halo.wait();
  });
}

/// As stencil_for(), and combines values of all elements of all units in the same pass, for example
/// the largest change.
///
///     const double change = dash::halo::stencil_reduce(
///         halo, op, next.lbegin(), 0.0, dash::max<double>(), [](const auto& cell, double& element) {
///           element = 0.25 * (cell(-1, 0) + cell(1, 0) + cell(0, -1) + cell(0, 1));
///           return std::abs(element - cell(0, 0));
///         });
///
/// \param neutral  a value that does not change a result, such as 0.0 for a sum of doubles
/// \param reduce   an associative and commutative function of two values, such as dash::plus; the
///                 order is not specified
/// \param fn       assigns its second argument and returns the value to combine, of the type of
///                 `neutral`
/// \returns the combined value, the same on all units of the matrix's team
/// \blocks until all units of the team have computed the step
/// \collective
/// \throws exception::InvalidArgument if the arguments do not match; an exception of fn, and
///         exception::RuntimeError on the other units then
/// \ingroup halo
template <typename WrapperT, typename OperatorT, typename T, typename BinaryOp, typename StencilFn>
T stencil_reduce(WrapperT& halo, const OperatorT& op, typename OperatorT::Element_t* dst_begin,
                 T neutral, BinaryOp reduce, StencilFn fn) {
  internal::check_stencil_step(halo, op, dst_begin);
  halo.update_async();
  internal::CombinedResult<T, BinaryOp> combined{neutral, reduce, {}};
  std::exception_ptr error;
  try {
    const auto& core = op.core();
    const std::array exchanges{&halo.halo_env().exchange()};
    internal::run_stencil_step(exchanges, core, [&] {
      return internal::ReduceResults(core, dst_begin, fn, neutral, combined);
    });
    halo.wait();
  } catch (...) {
    error = std::current_exception();
  }
  // Also after an exception, since the other units wait for the result.
  struct Result {
    T value;
    bool has_failed;
  };
  const auto combine = [reduce](const Result& a, const Result& b) {
    return Result{reduce(a.value, b.value), a.has_failed || b.has_failed};
  };
  const Result own{combined.value, error != nullptr};
  const Result result = allreduce_async(own, combine, halo.matrix().team()).get();
  if (error) std::rethrow_exception(error);
  if (result.has_failed) {
    DASH_THROW(exception::RuntimeError, "the function of stencil_reduce failed on another unit");
  }
  return result.value;
}

}  // namespace dash::halo
