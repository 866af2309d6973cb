#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <functional>
#include <mutex>
#include <type_traits>

#include "dash/halo/Types.h"
#include "dash/halo/stencil/Box.h"
#include "dash/halo/stencil/StencilCell.h"

namespace dash::halo::internal {

/// Selects the second of two values: the default combination of old and new values in
/// set_values_at().
struct Replace {
  template <typename T>
  constexpr T operator()(const T& /*old_value*/, const T& new_value) const {
    return new_value;
  }
};

/// Applies a stencil to the elements of a row.
///
/// `dst` is restricted so that compilers vectorize loops over stencils with many points: otherwise
/// they need a runtime check of each pair of addresses, and give up beyond about ten pairs.
template <typename ElementT, typename IndexType, typename OffsetsT, typename StencilFn>
inline void update_row(ElementT* center, ElementT* __restrict dst, IndexType offset, coord_t length,
                       const OffsetsT& stencil_offsets, StencilFn& fn) {
  // A local copy, which stores to dst cannot modify.
  const OffsetsT offsets = stencil_offsets;
  for (coord_t i = 0; i < length; ++i) {
    fn(center + i, dst + i, static_cast<IndexType>(offset + i), offsets);
  }
}

/// The same if source and destination may overlap.
template <typename ElementT, typename IndexType, typename OffsetsT, typename StencilFn>
inline void update_row_in_place(ElementT* center, ElementT* dst, IndexType offset, coord_t length,
                                const OffsetsT& stencil_offsets, StencilFn& fn) {
  for (coord_t i = 0; i < length; ++i) {
    fn(center + i, dst + i, static_cast<IndexType>(offset + i), stencil_offsets);
  }
}

/// Whether two ranges of `nelem` elements share memory.
template <typename A, typename B>
bool overlap(const A* a, const B* b, coord_t nelem) {
  const std::less<const void*> before;
  return before(a, b + nelem) && before(b, a + nelem);
}

/// Calls the function of a stencil, which returns the new value of `element` or assigns it.
/// The function gets a copy of `element`. So the caller's stores are visible where its pointers are
/// known to be restricted, which vectorization needs.
template <typename ElementT, typename CellT, typename StencilFn>
[[gnu::always_inline]] inline void update_cell(ElementT& element, const CellT& cell,
                                               StencilFn& fn) {
  if constexpr (std::is_invocable_v<StencilFn&, const CellT&, ElementT&>) {
    static_assert(std::is_void_v<std::invoke_result_t<StencilFn&, const CellT&, ElementT&>>,
                  "a stencil's function with two parameters assigns the second one, which is a "
                  "reference, and returns nothing");
    ElementT value = element;
    fn(cell, value);
    element = value;
  } else {
    element = fn(cell);
  }
}

/// Applies a stencil to a row of elements whose neighbours are in the block. Not inlined, as the
/// functions below: otherwise, g++ 12 forgets for stencils with many points that `dst` is
/// restricted, and does not vectorize the loop.
/// \param dst  destination of the first element; must not overlap elements that are read
template <typename ElementT, dim_t N, MemArrange Arrange, std::size_t NumPoints, typename StencilFn>
[[gnu::noinline]] void update_inner_row(const ElementT* center, ElementT* __restrict dst,
                                        coord_t position, coord_t length,
                                        const InnerOffsets<N, Arrange, NumPoints>& of_inner,
                                        StencilFn& fn) {
  // A local copy, which stores to dst cannot modify.
  const auto offsets = of_inner;
  for (coord_t i = 0; i < length; ++i) {
    const InnerCell<ElementT, N, Arrange, NumPoints> cell(center + i, position + i, offsets);
    update_cell(dst[i], cell, fn);
  }
}

/// Combines the values of elements. Several partial results are independent of each other, so that
/// compilers can compute them with vector instructions.
template <typename T, typename BinaryOp>
class PartialResults {
 public:
  static constexpr std::size_t block_size = 64;
  using Block = std::array<T, block_size>;

  PartialResults(const T& neutral, const BinaryOp& op) : _op(op) { _lanes.fill(neutral); }

  void add(const Block& values, std::size_t count) {
    std::size_t i = 0;
    for (; i + num_lanes <= count; i += num_lanes) {
      for (std::size_t lane = 0; lane < num_lanes; ++lane)
        _lanes[lane] = _op(_lanes[lane], values[i + lane]);
    }
    for (; i < count; ++i)
      add(values[i]);
  }
  void add(const T& value) { _lanes[0] = _op(_lanes[0], value); }

  T result() const {
    T result = _lanes[0];
    for (std::size_t lane = 1; lane < num_lanes; ++lane)
      result = _op(result, _lanes[lane]);
    return result;
  }

 private:
  static constexpr std::size_t num_lanes = 8;
  BinaryOp _op;
  std::array<T, num_lanes> _lanes;
};

/// As update_inner_row(); adds the values that fn returns to the results.
template <typename ElementT, dim_t N, MemArrange Arrange, std::size_t NumPoints, typename StencilFn,
          typename T, typename BinaryOp>
void reduce_inner_row(const ElementT* center, ElementT* dst, coord_t position, coord_t length,
                      const InnerOffsets<N, Arrange, NumPoints>& offsets, StencilFn& fn,
                      PartialResults<T, BinaryOp>& results) {
  using Results = PartialResults<T, BinaryOp>;
  constexpr auto block_size = static_cast<coord_t>(Results::block_size);
  for (coord_t done = 0; done < length; done += block_size) {
    const coord_t count = std::min(block_size, length - done);
    typename Results::Block values;
    std::size_t next = 0;
    auto store = [&](const auto& cell, ElementT& element) {
      static_assert(std::is_same_v<decltype(fn(cell, element)), T>,
                    "the neutral element and the values that the function of stencil_reduce "
                    "returns must have the same type");
      values[next++] = fn(cell, element);
    };
    update_inner_row(center + done, dst + done, position + done, count, offsets, store);
    results.add(values, next);
  }
}

/// Applies a stencil to a line of elements whose neighbours may be in halos.
/// \param dst  destination of the first element of the line; must not overlap elements that the
///             line reads
template <bool IsRow, typename ElementT, dim_t N, std::size_t NumPoints, typename StencilFn>
[[gnu::noinline]] void update_line(const StencilLine<ElementT, N, NumPoints>& of_border,
                                   ElementT* __restrict dst, StencilFn& fn) {
  // A local copy, which stores to dst cannot modify.
  const auto line = of_border;
  for (coord_t i = 0; i < line.length; ++i) {
    const BorderCell<ElementT, N, NumPoints, IsRow> cell(line, i);
    update_cell(dst[IsRow ? i : i * line.stride], cell, fn);
  }
}

/// The same for a segment of the border.
/// \param dst  destination of the block's first element
template <typename CoreT, typename StencilFn>
void update_segment(const CoreT& core, const typename CoreT::Segment& segment,
                    typename CoreT::Element_t* dst, StencilFn& fn) {
  const auto line = core.line(segment);
  line.stride == 1 ? update_line<true>(line, dst + line.position, fn)
                   : update_line<false>(line, dst + line.position, fn);
}

/// Stores the results of a stencil.
template <typename CoreT, typename StencilFn>
class StoreResults {
  using Element_t = typename CoreT::Element_t;

 public:
  /// \param dst  destination of the block's first element
  StoreResults(const CoreT& core, Element_t* dst, StencilFn& fn)
      : _core(core), _dst(dst), _fn(fn) {}

  void row(coord_t position, coord_t length) {
    update_inner_row(_core.local() + position, _dst + position, position, length,
                     _core.inner_offsets(), _fn);
  }
  void segment(const typename CoreT::Segment& segment) {
    update_segment(_core, segment, _dst, _fn);
  }
  void finish() {}

 private:
  const CoreT& _core;
  Element_t* _dst;
  StencilFn& _fn;
};

/// A value that several threads combine with theirs.
template <typename T, typename BinaryOp>
struct CombinedResult {
  T value;
  BinaryOp op;
  std::mutex mutex;
};

/// Stores the results of a stencil, and combines the values that its function returns.
template <typename CoreT, typename StencilFn, typename T, typename BinaryOp>
class ReduceResults {
  using Element_t = typename CoreT::Element_t;

 public:
  /// \param dst  destination of the block's first element
  ReduceResults(const CoreT& core, Element_t* dst, StencilFn& fn, const T& neutral,
                CombinedResult<T, BinaryOp>& combined)
      : _core(core), _dst(dst), _fn(fn), _results(neutral, combined.op), _combined(combined) {}

  void row(coord_t position, coord_t length) {
    reduce_inner_row(_core.local() + position, _dst + position, position, length,
                     _core.inner_offsets(), _fn, _results);
  }
  void segment(const typename CoreT::Segment& segment) {
    auto add = [this](const auto& cell, Element_t& element) { _results.add(_fn(cell, element)); };
    update_segment(_core, segment, _dst, add);
  }
  void finish() {
    const std::scoped_lock lock(_combined.mutex);
    _combined.value = _combined.op(_combined.value, _results.result());
  }

 private:
  const CoreT& _core;
  Element_t* _dst;
  StencilFn& _fn;
  PartialResults<T, BinaryOp> _results;
  CombinedResult<T, BinaryOp>& _combined;
};

}  // namespace dash::halo::internal
