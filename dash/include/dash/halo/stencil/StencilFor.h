#pragma once

/// \file
/// A stencil step as tasks: the halo exchange, concurrently the elements that need no halo, and
/// each part of the border as soon as its halo regions have arrived.

#include <cstddef>
#include <utility>

#include "dash/Async.h"
#include "dash/Exception.h"
#include "dash/Future.h"
#include "dash/halo/Types.h"
#include "dash/halo/exchange/HaloUpdate.h"
#include "dash/halo/stencil/StencilCore.h"
#include "dash/halo/stencil/StencilSchedule.h"
#include "dash/halo/stencil/StencilUpdate.h"

namespace dash::halo {

/// An element that needs no halo, as passed to the function of stencil_for().
/// \ingroup halo
template <typename ElementT, typename IndexType, typename OffsetsT>
class InnerCell {
 public:
  /// Used by stencil_for().
  InnerCell(const ElementT* center, IndexType lpos, const OffsetsT& offsets)
      : _center(center), _lpos(lpos), _offsets(offsets) {}

  /// The element.
  ElementT center() const { return *_center; }
  /// The element, as center().
  ElementT operator*() const { return *_center; }
  /// The value at a stencil point, given by its position in the stencil specification; not
  /// weighted.
  ElementT operator[](std::size_t point) const { return _center[_offsets[point]]; }
  /// Position in the block's memory.
  IndexType lpos() const { return _lpos; }

 private:
  const ElementT* _center;
  IndexType _lpos;
  const OffsetsT& _offsets;
};

/// An element whose stencil may reach halos, as passed to the function of stencil_for().
/// \tparam IsInRow  whether its line is contiguous in memory
/// \ingroup halo
template <typename ElementT, typename IndexType, typename LineT, bool IsInRow>
class BorderCell {
 public:
  /// Used by stencil_for().
  /// \param index  index in the line
  BorderCell(const LineT& line, internal::coord_t index) : _line(line), _index(index) {}

  /// The element.
  ElementT center() const { return _line.center[IsInRow ? _index : _index * _line.stride]; }
  /// The element, as center().
  ElementT operator*() const { return center(); }
  /// The value at a stencil point, given by its position in the stencil specification; not
  /// weighted.
  ElementT operator[](std::size_t point) const {
    return _line.points[point][IsInRow ? _index : _index * _line.strides[point]];
  }
  /// Position in the block's memory.
  IndexType lpos() const {
    return static_cast<IndexType>(_line.position + (IsInRow ? _index : _index * _line.stride));
  }

 private:
  const LineT& _line;
  internal::coord_t _index;
};

namespace internal {

/// Stores fn(cell) for the elements of a line.
/// \param dst  destination of the first element; must not overlap elements that the line reads
template <bool IsRow, typename IndexType, typename ElementT, std::size_t NumPoints,
          typename StencilFn>
void update_line(const StencilLine<ElementT, NumPoints>& of_border, ElementT* __restrict dst,
                 StencilFn& fn) {
  // A local copy, which stores to dst cannot modify.
  const auto line = of_border;
  for (coord_t i = 0; i < line.length; ++i) {
    using Cell = BorderCell<ElementT, IndexType, StencilLine<ElementT, NumPoints>, IsRow>;
    dst[IsRow ? i : i * line.stride] = fn(Cell(line, i));
  }
}

/// The part of a step after the update has begun.
template <typename OperatorT, typename StencilFn>
void run_stencil_step(HaloExchange& exchange, const OperatorT& op,
                      typename OperatorT::Element_t* dst_begin, StencilFn& fn) {
  using Element_t = typename OperatorT::Element_t;
  using index_type = typename OperatorT::index_type;
  using Offsets_t = typename OperatorT::StencilOffsets_t;
  const auto inner_begin = op.inner.begin();
  const auto inner = [&](std::size_t begin, std::size_t end) {
    op.inner.update(
        inner_begin + static_cast<std::ptrdiff_t>(begin),
        inner_begin + static_cast<std::ptrdiff_t>(end), dst_begin,
        [&fn](Element_t* center, Element_t* dst, index_type offset, const Offsets_t& offsets) {
          *dst = fn(InnerCell<Element_t, index_type, Offsets_t>(center, offset, offsets));
        });
  };
  const auto border = [&](std::ptrdiff_t begin, std::ptrdiff_t end) {
    op.for_each_border_line(begin, end, [&](const auto& line) {
      Element_t* const dst = dst_begin + line.position;
      line.stride == 1 ? update_line<true, index_type>(line, dst, fn)
                       : update_line<false, index_type>(line, dst, fn);
    });
  };
  run_stencil(exchange, static_cast<std::size_t>(op.inner.end() - inner_begin), inner,
              op.border_boxes(), border);
}

template <typename WrapperT, typename OperatorT>
void check_stencil_step(WrapperT& halo, const OperatorT& op,
                        const typename OperatorT::Element_t* dst_begin) {
  if (&op.halo_memory() != &halo.halo_env().halo_memory()) {
    DASH_THROW(exception::InvalidArgument,
               "stencil_for requires an operator of the same HaloMatrixWrapper");
  }
  if (dst_begin == nullptr ||
      overlap<typename OperatorT::Element_t>(op.local_memory(), dst_begin, op.memory_size())) {
    DASH_THROW(
        exception::InvalidArgument,
        "stencil_for requires a destination other than the source matrix, since elements are "
        "updated in any order");
  }
}

}  // namespace internal

/// Executes a step: updates the halos, and stores fn(cell) for each element of the operator
/// (op.begin() to op.end()). The elements that need no halo are divided into chunks for the threads
/// of the unit; each part of the border is computed as soon as its regions have arrived.
///
///     dash::halo::stencil_for(halo, op, next.lbegin(), [](const auto& cell) {
///       return cell.center() + k * (cell[0] + cell[1] + cell[2] + cell[3] - 4 * cell.center());
///     });
///
/// \param halo  wrapper of the source matrix; must be called by each unit, like update()
/// \param op    a stencil operator of `halo`
/// \param dst_begin  first local element of the destination, another matrix with the same pattern
/// \param fn    called with InnerCell and BorderCell; concurrently by several threads if the unit
///         has them
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
  internal::run_stencil_step(halo.halo_env().exchange(), op, dst_begin, fn);
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
    internal::run_stencil_step(exchange, op, dst_begin, fn);
    halo.wait();
  });
}

}  // namespace dash::halo
