#pragma once

#include <functional>
#include <memory>
#include <utility>
#include <vector>

#include "dash/Exception.h"
#include "dash/ViewSpec.h"
#include "dash/halo/StencilIterator.h"
#include "dash/halo/Types.h"
#include "dash/halo/stencil/StencilCore.h"
#include "dash/halo/stencil/StencilUpdate.h"

namespace dash::halo {

/// The elements of a block whose stencil reaches the halo and stays inside of the domain.
///
/// They are visited box by box, in the order of region indices, each box in memory order. The box
/// of a region consists of the elements at that side, corner or edge of the block. Access to a halo
/// element waits for its region, so elements can be updated before all regions have arrived.
/// \ingroup halo
template <typename CoreT>
class StencilOperatorBoundary {
  static constexpr dim_t N = CoreT::N;
  using Space_t = typename CoreT::Space_t;

 public:
  /// Type of an element.
  using Element_t = typename CoreT::Element_t;
  using index_type = typename CoreT::index_type;
  /// Coordinates relative to the block.
  using ElementCoords_t = std::array<index_type, N>;
  /// A box of elements, as offsets and extents.
  using ViewSpec_t = ViewSpec<N, index_type>;
  using iterator = StencilIterator<CoreT, StencilViewScope::BOUNDARY>;

  /// Used by StencilOperator.
  explicit StencilOperatorBoundary(std::shared_ptr<const CoreT> core) : _core(std::move(core)) {}

  /// The first element of the first box that is not empty.
  iterator begin() const { return {*_core, _core->boundary(), 0}; }
  /// The end of the last box.
  iterator end() const { return {*_core, _core->boundary(), _core->boundary().size()}; }

  /// Begin and end of the elements of one region's box.
  /// \throws exception::OutOfRange for an invalid index
  std::pair<iterator, iterator> iterator_at(region_index_t region) const {
    if (region >= NumRegionsMax<N>) {
      DASH_THROW(exception::OutOfRange,
                 "region " << region << "; expected less than " << NumRegionsMax<N>);
    }
    return range_of(_core->boundary(), region);
  }

  /// Begin and end of the elements at one side of one dimension. The 2 N sides are disjoint: the
  /// sides of dimension d exclude the elements at the sides of lower dimensions.
  /// \throws exception::OutOfRange for an invalid dimension
  std::pair<iterator, iterator> iterator_at(dim_t dim, RegionPos pos) const {
    if (dim < 0 || dim >= N) {
      DASH_THROW(exception::OutOfRange, "dimension " << dim << "; expected less than " << N);
    }
    const auto side = 2 * static_cast<std::size_t>(dim) + (pos == RegionPos::PRE ? 0 : 1);
    return range_of(_core->sides(), side);
  }

  /// The non-empty boxes, relative to the block.
  std::vector<ViewSpec_t> view() const {
    std::vector<ViewSpec_t> views;
    for (region_index_t region = 0; region < NumRegionsMax<N>; ++region) {
      const auto box = _core->split().boundary(region);
      if (!box.empty()) views.push_back(internal::to_view<ViewSpec_t>(box));
    }
    return views;
  }

  /// Number of elements.
  std::size_t boundary_size() const { return static_cast<std::size_t>(_core->boundary().size()); }

  /// Stores fn(cell) for each element, or calls fn(cell, element) with a copy of the destination's
  /// element that it may change; see stencil_for(). Faster than update(). Waits for the halo
  /// regions that the stencil reads.
  /// \param dst_begin  first local element of the destination, another matrix of the same pattern
  /// \param fn  called with BorderCell
  /// \throws exception::InvalidArgument if the destination overlaps the source,
  ///         exception::RuntimeError if the update of a region was never started
  template <typename StencilFn>
  void transform(Element_t* dst_begin, StencilFn fn) const {
    _core->check_destination(dst_begin);
    _core->require_halos();
    internal::StoreResults results(*_core, dst_begin, fn);
    _core->for_each_boundary_segment(0, _core->boundary().size(),
                                     [&](const auto& segment) { results.segment(segment); });
  }

  /// Stores fn(iterator&) for each element.
  /// \param dst_begin  first local element of the destination, of the same pattern
  template <typename StencilFn>
  void update(Element_t* dst_begin, StencilFn fn) const {
    update(begin(), end(), dst_begin, std::move(fn));
  }

  /// \overload
  /// For the elements between two positions of an iteration.
  template <typename StencilFn>
  void update(iterator from, const iterator& to, Element_t* dst_begin, StencilFn fn) const {
    for (; from != to; ++from) {
      dst_begin[from.lpos()] = fn(from);
    }
  }

  /// Combines the weighted centre with each weighted stencil point.
  /// \throws exception::OutOfRange if the stencil leaves the domain
  template <typename BinOp = std::plus<Element_t>>
  Element_t get_value_at(const ElementCoords_t& coords, Element_t coefficient_center,
                         BinOp op = BinOp()) const {
    const auto center = internal::to_coords<N>(coords);
    Element_t result =
        static_cast<Element_t>(coefficient_center * _core->local()[_core->position(center)]);
    for (const auto& point : _core->stencil().specs()) {
      result = op(result, static_cast<Element_t>(point.coefficient() *
                                                 _core->value(point.stencil_coords(center))));
    }
    return result;
  }

  /// Combines the centre and each stencil point in the block with the weighted value, and stores
  /// the results; halo elements are not modified.
  template <typename BinOp = internal::Replace>
  void set_values_at(const ElementCoords_t& coords, Element_t value, Element_t coefficient_center,
                     BinOp op = BinOp()) const {
    const auto center = internal::to_coords<N>(coords);
    combine(center, static_cast<Element_t>(coefficient_center * value), op);
    for (const auto& point : _core->stencil().specs()) {
      const auto target = point.stencil_coords(center);
      if (_core->block().block_env().region_at(target) == RegionCoords<N>::center_index()) {
        combine(target, static_cast<Element_t>(point.coefficient() * value), op);
      }
    }
  }

 private:
  std::pair<iterator, iterator> range_of(const Space_t& space, std::size_t box) const {
    return {iterator(*_core, space, space.begin_of(box)),
            iterator(*_core, space, space.begin_of(box + 1))};
  }

  template <typename BinOp>
  void combine(const internal::Coords<N>& coords, Element_t value, BinOp& op) const {
    auto& element = _core->local()[_core->position(coords)];
    element = op(element, value);
  }

  std::shared_ptr<const CoreT> _core;
};

}  // namespace dash::halo
