#pragma once

#include <array>
#include <memory>

#include "dash/ViewSpec.h"
#include "dash/halo/HaloBlock.h"
#include "dash/halo/HaloMemory.h"
#include "dash/halo/StencilIterator.h"
#include "dash/halo/StencilOperatorBoundary.h"
#include "dash/halo/StencilOperatorInner.h"
#include "dash/halo/Types.h"
#include "dash/halo/stencil/Box.h"
#include "dash/halo/stencil/StencilCore.h"

namespace dash::halo {

/// A stencil on the block of a matrix: access to the elements that need no halo (inner), to those
/// that do (boundary), and iteration over both.
///
/// Copies are cheap and refer to the same HaloMatrixWrapper, which must outlive them.
/// \threads thread-safe, for reading
/// \ingroup halo
template <typename HaloBlockT, typename StencilSpecT, typename... Unused>
class StencilOperator {
  static_assert(sizeof...(Unused) == 0,
                "dash::halo::StencilOperator: pass HaloBlock and StencilSpec");
  static constexpr dim_t N = HaloBlockT::ndim();
  using Core_t = internal::StencilCore<HaloBlockT, StencilSpecT>;

  // Declared before the members that share it.
  std::shared_ptr<const Core_t> _core;

 public:
  /// The calling unit's block with its halo regions.
  using HaloBlock_t = HaloBlockT;
  /// The stencil.
  using StencilSpec_t = StencilSpecT;
  /// Type of an element.
  using Element_t = typename HaloBlockT::Element_t;
  using index_type = typename HaloBlockT::index_type;
  /// Coordinates relative to the block.
  using ElementCoords_t = std::array<index_type, N>;
  /// A box of elements, as offsets and extents.
  using ViewSpec_t = ViewSpec<N, index_type>;
  /// The halo elements of the calling unit.
  using HaloMemory_t = HaloMemory<HaloBlockT>;
  /// One distance in memory for each stencil point, in elements.
  using StencilOffsets_t = typename Core_t::Offsets_t;
  /// Access to the elements that need no halo.
  using Inner_t = StencilOperatorInner<Core_t>;
  /// Access to the elements that need the halo.
  using Boundary_t = StencilOperatorBoundary<Core_t>;
  using iterator = StencilIterator<Core_t, StencilViewScope::ALL>;
  /// Visits the elements that need no halo.
  using iterator_inner = typename Inner_t::iterator;
  /// Visits the elements that need the halo.
  using iterator_bnd = typename Boundary_t::iterator;

  /// The elements whose stencil stays inside of the block.
  Inner_t inner;
  /// The elements whose stencil reaches the halo and stays inside of the domain.
  Boundary_t boundary;

  /// Used by HaloMatrixWrapper::stencil_operator().
  /// \param local  the block's first element
  /// \throws exception::InvalidArgument if the stencil needs wider halo regions than the wrapper
  ///         has
  StencilOperator(const HaloBlockT& block, HaloMemory_t& memory, Element_t* local,
                  const StencilSpecT& stencil)
      : _core(std::make_shared<const Core_t>(block, memory, local, stencil)),
        inner(_core),
        boundary(_core) {}

  /// Number of dimensions of the matrix.
  static constexpr dim_t ndim() { return N; }
  /// Number of neighbours that the stencil reads.
  static constexpr std::size_t num_stencil_points() { return StencilSpecT::num_stencil_points(); }

  /// Inner and boundary elements in memory order.
  iterator begin() const { return {*_core, _core->all(), 0}; }
  /// The end of the inner and boundary elements.
  iterator end() const { return {*_core, _core->all(), _core->all().size()}; }

  /// Inner and boundary elements, relative to the block.
  ViewSpec_t view() const { return internal::to_view<ViewSpec_t>(_core->split().valid()); }

  /// The block, relative to itself.
  ViewSpec_t view_local() const { return _core->block().view_local(); }

  /// The stencil.
  const StencilSpecT& stencil_spec() const { return _core->stencil(); }

  /// Distances in memory from a centre to its stencil points, in elements; valid for inner
  /// elements.
  const StencilOffsets_t& stencil_offsets() const { return _core->offsets(); }
  /// Distance in memory from the centre of an inner element to a stencil point, in elements.
  /// \param point  position in the stencil specification
  index_type stencil_offset_at(std::size_t point) const { return _core->offsets()[point]; }

  /// Position of an element in the block's memory, from coordinates relative to the block.
  index_type get_offset(const ElementCoords_t& coords) const {
    return static_cast<index_type>(_core->position(internal::to_coords<N>(coords)));
  }

  /// Used by stencil_for(): the geometry of the block for this stencil.
  const Core_t& core() const { return *_core; }

  /// The halo elements of the calling unit.
  HaloMemory_t& halo_memory() const { return _core->memory(); }
  /// The block's first element.
  Element_t* local_memory() const { return _core->local(); }
  /// Number of elements in memory from the block's first element to its last.
  auto memory_size() const { return _core->size(); }
};

/// The form of the type in versions of DASH before 0.4.
/// \ingroup halo
template <typename ElementT, typename PatternT, typename GlobMemT, typename StencilSpecT>
class StencilOperator<ElementT, PatternT, GlobMemT, StencilSpecT>
    : public StencilOperator<HaloBlock<ElementT, PatternT, GlobMemT>, StencilSpecT> {
  using Base = StencilOperator<HaloBlock<ElementT, PatternT, GlobMemT>, StencilSpecT>;

 public:
  using Base::Base;
  /// From the result of HaloMatrixWrapper::stencil_operator().
  StencilOperator(const Base& other) : Base(other) {}  // NOLINT(google-explicit-constructor)
};

}  // namespace dash::halo
