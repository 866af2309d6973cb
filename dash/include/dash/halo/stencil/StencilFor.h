#pragma once

/// \file
/// A step of a stencil as tasks: the exchange of halos, the elements that need none meanwhile, and
/// each part of the border as soon as its halos are there.

#include <cstddef>
#include <utility>

#include "dash/Async.h"
#include "dash/Exception.h"
#include "dash/Future.h"
#include "dash/halo/exchange/HaloUpdate.h"
#include "dash/halo/stencil/StencilCore.h"
#include "dash/halo/stencil/StencilSchedule.h"
#include "dash/halo/stencil/StencilUpdate.h"
#include "dash/halo/Types.h"

namespace dash::halo {

/// An element that needs no halo, as the function of stencil_for() sees it.
template <typename ElementT, typename IndexT, typename OffsetsT>
class InnerCell {
 public:
  InnerCell(const ElementT* center, IndexT lpos, const OffsetsT& offsets)
      : _center(center), _lpos(lpos), _offsets(offsets) {}

  /// The element.
  ElementT center() const { return *_center; }
  ElementT operator*() const { return *_center; }
  /// The value at a stencil point, by its position in the stencil specification; not weighted.
  ElementT operator[](std::size_t point) const { return _center[_offsets[point]]; }
  /// Position in the block's memory.
  IndexT lpos() const { return _lpos; }

 private:
  const ElementT* _center;
  IndexT _lpos;
  const OffsetsT& _offsets;
};

/// The same of an element whose stencil may reach halos.
/// \tparam IsInRow  whether it is in a line that is a row of the memory
template <typename ElementT, typename IndexT, typename LineT, bool IsInRow>
class BorderCell {
 public:
  /// \param place  in the line
  BorderCell(const LineT& line, internal::coord_t place) : _line(line), _place(place) {}

  ElementT center() const { return _line.center[IsInRow ? _place : _place * _line.stride]; }
  ElementT operator*() const { return center(); }
  ElementT operator[](std::size_t point) const {
    return _line.points[point][IsInRow ? _place : _place * _line.strides[point]];
  }
  IndexT lpos() const {
    return static_cast<IndexT>(_line.position + (IsInRow ? _place : _place * _line.stride));
  }

 private:
  const LineT& _line;
  internal::coord_t _place;
};

namespace internal {

/// Stores fn(cell) for the elements of a line.
/// \param dst  where that of the first one belongs: not in what the line reads
template <bool IsRow, typename IndexT, typename ElementT, std::size_t NumPoints, typename StencilFn>
void update_line(const StencilLine<ElementT, NumPoints>& of_border, ElementT* __restrict dst,
                 StencilFn& fn) {
  // A copy, which no store to dst can change.
  const auto line = of_border;
  for (coord_t i = 0; i < line.length; ++i) {
    using Cell = BorderCell<ElementT, IndexT, StencilLine<ElementT, NumPoints>, IsRow>;
    dst[IsRow ? i : i * line.stride] = fn(Cell(line, i));
  }
}

/// What follows the begin of the update.
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
               "stencil_for needs an operator of the same HaloMatrixWrapper");
  }
  if (dst_begin == nullptr ||
      overlap<typename OperatorT::Element_t>(op.local_memory(), dst_begin, op.memory_size())) {
    DASH_THROW(exception::InvalidArgument,
               "stencil_for needs a destination that is not the matrix it reads: elements are "
               "updated in any order");
  }
}

}  // namespace internal

/// A step: updates the halos, and stores fn(cell) for each element of the operator (op.begin() to
/// op.end()). The elements that need no halo are cut into chunks for the threads of the unit; each
/// part of the border is done as soon as its regions have arrived.
///
///     dash::halo::stencil_for(halo, op, next.lbegin(), [](const auto& cell) {
///       return cell.center() + k * (cell[0] + cell[1] + cell[2] + cell[3] - 4 * cell.center());
///     });
///
/// \param halo  each unit has to call it, as update()
/// \param op    a stencil operator of `halo`
/// \param dst_begin  first local element of the destination, another matrix of the same pattern
/// \param fn    called with InnerCell and BorderCell; by several threads at once, if the unit has them
/// \completion  all elements are stored, and the block may be written
/// \blocks until the neighbours have started the same step  \threads one at a time per wrapper
/// \throws exception::InvalidArgument if the arguments do not belong together; what fn throws: then
///         the destination is partly stored, and the block may be written
template <typename WrapperT, typename OperatorT, typename StencilFn>
void stencil_for(WrapperT& halo, const OperatorT& op, typename OperatorT::Element_t* dst_begin,
                 StencilFn fn) {
  internal::check_stencil_step(halo, op, dst_begin);
  halo.update_async();
  internal::run_stencil_step(halo.halo_env().exchange(), op, dst_begin, fn);
  halo.wait();
}

/// The same as a task of the unit.
/// \returns the future of it; until it is ready, wrapper and matrices must live, and no other update of
///          the wrapper can begin
/// \blocks as update_async(): not, if the previous update was waited for
/// \throws exception::InvalidArgument if the arguments do not belong together,
///         exception::RuntimeError while another such task computes
template <typename WrapperT, typename OperatorT, typename StencilFn>
Future<void> stencil_for_async(WrapperT& halo, const OperatorT& op,
                               typename OperatorT::Element_t* dst_begin, StencilFn fn) {
  internal::check_stencil_step(halo, op, dst_begin);
  halo.update_async();
  auto& exchange = halo.halo_env().exchange();
  return dash::async([&halo, &exchange, op, dst_begin, fn = std::move(fn),
                      use = internal::HaloExchange::Use(exchange)]() mutable {
    // Ends with the call: what is captured lives on.
    const internal::HaloExchange::Use ends_here(std::move(use));
    internal::run_stencil_step(exchange, op, dst_begin, fn);
    halo.wait();
  });
}

}  // namespace dash::halo
