#pragma once

#include <algorithm>
#include <functional>
#include <memory>
#include <utility>

#include "dash/Exception.h"
#include "dash/ViewSpec.h"
#include "dash/halo/StencilIterator.h"
#include "dash/halo/Types.h"
#include "dash/halo/stencil/StencilCore.h"
#include "dash/halo/stencil/StencilUpdate.h"

namespace dash::halo {

/// The elements of a block whose stencil stays inside of the block. They need no halo, so they can
/// be updated while the halo exchange is in progress.
/// \ingroup halo
template <typename CoreT>
class StencilOperatorInner {
  static constexpr dim_t N = CoreT::N;
  using Box_t = internal::Box<N>;

 public:
  /// Type of an element.
  using Element_t = typename CoreT::Element_t;
  using index_type = typename CoreT::index_type;
  /// Coordinates relative to the block.
  using ElementCoords_t = std::array<index_type, N>;
  /// A box of elements, as offsets and extents.
  using ViewSpec_t = ViewSpec<N, index_type>;
  using iterator = StencilIterator<CoreT, StencilViewScope::INNER>;

  /// Used by StencilOperator.
  explicit StencilOperatorInner(std::shared_ptr<const CoreT> core) : _core(std::move(core)) {}

  /// The first element in memory order.
  iterator begin() const { return {*_core, _core->inner(), 0}; }
  /// The end of the elements.
  iterator end() const { return {*_core, _core->inner(), _core->inner().size()}; }

  /// The elements, relative to the block.
  ViewSpec_t view() const { return internal::to_view<ViewSpec_t>(_core->split().inner()); }

  /// Stores fn(cell) for each element, or calls fn(cell, element) with a copy of the destination's
  /// element that it may change; see stencil_for(). The same function can be passed to
  /// StencilOperatorBoundary::transform().
  /// \param dst_begin  first local element of the destination, another matrix of the same pattern
  /// \param fn  called with InnerCell
  /// \throws exception::InvalidArgument if the destination overlaps the source
  template <typename StencilFn>
  void transform(Element_t* dst_begin, StencilFn fn) const {
    _core->check_destination(dst_begin);
    internal::StoreResults results(*_core, dst_begin, fn);
    internal::for_each_row<CoreT::Arrange>(
        _core->split().inner(), [&](const internal::Coords<N>& coords, internal::coord_t length) {
          results.row(_core->position(coords), length);
        });
  }

  /// Calls fn(Element_t* center, Element_t* center_dst, index_type offset, stencil_offsets) for
  /// each element; stencil point i is `center[stencil_offsets[i]]`, and fn stores to `*center_dst`.
  /// \param dst_begin  first local element of the destination, of the same pattern; may be the
  ///                   source itself, in which case fn reads elements that it has modified
  template <typename StencilFn>
  void update(Element_t* dst_begin, StencilFn fn) const {
    update_box(_core->split().inner(), dst_begin, fn);
  }

  /// \overload
  /// For the elements between two positions of the iteration.
  template <typename StencilFn>
  void update(const iterator& from, const iterator& to, Element_t* dst_begin, StencilFn fn) const {
    constexpr dim_t fastest = internal::dim_at<N, CoreT::Arrange>(N - 1);
    const auto row_end = _core->split().inner()[fastest].end;
    for (auto it = from; it < to;) {
      const auto in_row = row_end - static_cast<internal::coord_t>(it.coords()[fastest]);
      const auto length = std::min<internal::coord_t>(in_row, to - it);
      update_row(it.lpos(), length, dst_begin, fn);
      it += length;
    }
  }

  /// As update(), for the elements of a box.
  /// \param begin_coords  the first corner
  /// \param end_coords  the last corner, inclusive
  /// \param dst_begin, fn  as for update()
  /// \throws exception::OutOfRange if the box is empty or not within view()
  template <typename StencilFn>
  void update_blocked(const ElementCoords_t& begin_coords, const ElementCoords_t& end_coords,
                      Element_t* dst_begin, StencilFn fn) const {
    Box_t box;
    for (dim_t d = 0; d < N; ++d) {
      box[d] = {begin_coords[d], internal::coord_t{end_coords[d]} + 1};
      const auto& inner = _core->split().inner()[d];
      if (box[d].begin < inner.begin || box[d].end > inner.end || box[d].size() == 0) {
        DASH_THROW(exception::OutOfRange, "coordinates " << begin_coords[d] << " to "
                                                         << end_coords[d] << " in dimension " << d
                                                         << " are not in the inner part, "
                                                         << inner.begin << " to " << inner.end - 1);
      }
    }
    update_box(box, dst_begin, fn);
  }

  /// Combines the weighted centre with each weighted stencil point.
  /// \pre coords are in view()
  template <typename BinOp = std::plus<Element_t>>
  Element_t get_value_at(const ElementCoords_t& coords, Element_t coefficient_center,
                         BinOp op = BinOp()) const {
    const auto* center = element(coords);
    Element_t result = static_cast<Element_t>(coefficient_center * *center);
    for (std::size_t i = 0; i < CoreT::NumPoints; ++i) {
      result = op(result, static_cast<Element_t>(_core->stencil()[i].coefficient() *
                                                 center[_core->offsets()[i]]));
    }
    return result;
  }

  /// Combines the centre and each stencil point with the weighted value, and stores the results.
  /// \pre coords are in view()
  template <typename BinOp = internal::Replace>
  void set_values_at(const ElementCoords_t& coords, Element_t value, Element_t coefficient_center,
                     BinOp op = BinOp()) const {
    auto* center = element(coords);
    *center = op(*center, static_cast<Element_t>(coefficient_center * value));
    for (std::size_t i = 0; i < CoreT::NumPoints; ++i) {
      auto& point = center[_core->offsets()[i]];
      point = op(point, static_cast<Element_t>(_core->stencil()[i].coefficient() * value));
    }
  }

 private:
  Element_t* element(const ElementCoords_t& coords) const {
    return _core->local() + _core->position(internal::to_coords<N>(coords));
  }

  template <typename StencilFn>
  void update_box(const Box_t& box, Element_t* dst_begin, StencilFn& fn) const {
    internal::for_each_row<CoreT::Arrange>(
        box, [&](const internal::Coords<N>& coords, internal::coord_t length) {
          update_row(_core->position(coords), length, dst_begin, fn);
        });
  }

  template <typename StencilFn>
  void update_row(internal::coord_t position, internal::coord_t length, Element_t* dst_begin,
                  StencilFn& fn) const {
    auto* center = _core->local() + position;
    auto* dst = dst_begin + position;
    const auto offset = static_cast<index_type>(position);
    if (internal::overlap(_core->local(), dst_begin, _core->size())) {
      internal::update_row_in_place(center, dst, offset, length, _core->offsets(), fn);
    } else {
      internal::update_row(center, dst, offset, length, _core->offsets(), fn);
    }
  }

  std::shared_ptr<const CoreT> _core;
};

}  // namespace dash::halo
