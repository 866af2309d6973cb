#pragma once

#include <array>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <tuple>
#include <type_traits>
#include <utility>

#include "dash/Team.h"
#include "dash/ViewSpec.h"
#include "dash/halo/BlockEnvironment.h"
#include "dash/halo/CoordinateAccess.h"
#include "dash/halo/GlobalBoundarySpec.h"
#include "dash/halo/HaloBlock.h"
#include "dash/halo/exchange/HaloChecks.h"
#include "dash/halo/HaloMemory.h"
#include "dash/halo/HaloSpec.h"
#include "dash/halo/exchange/HaloUpdateEnv.h"
#include "dash/halo/StencilOperator.h"
#include "dash/halo/StencilPoint.h"
#include "dash/halo/StencilSpec.h"
#include "dash/halo/Types.h"

namespace dash::halo {

/// Gives the blocks of a matrix a halo: copies of the neighbours' elements around them, as wide as
/// the given stencils need, and what is needed to compute stencils on block and halo.
///
/// The matrix has one block on each unit (each dimension BLOCKED or NONE), and outlives the wrapper.
/// It may also be a view of all its dimensions, a box of elements of which each unit has some: then
/// the border is that of the box, and coordinates are relative to it.
///
///     wrapper.update_async();                 // starts the exchange
///     op.inner.update(dst, fn);               // meanwhile: elements that need no halo
///     wrapper.wait();
///     op.boundary.update(dst, boundary_fn);   // elements that do
///
/// No barrier is needed between such steps, if two matrices with a wrapper each take turns: a
/// neighbour may be a step ahead, its data goes to the other of two buffers.
/// \threads one at a time, except where said otherwise
template <typename MatrixT, SignalReady SigReady = SignalReady::OFF>
class HaloMatrixWrapper {
 public:
  using Matrix_t = MatrixT;
  using Pattern_t = typename MatrixT::pattern_type;
  using Element_t = typename MatrixT::value_type;
  using GlobMem_t = std::remove_reference_t<decltype(std::declval<MatrixT&>().begin().globmem())>;
  using index_type = typename Pattern_t::index_type;

  static constexpr dim_t NumDimensions = Pattern_t::ndim();

  using HaloSpec_t = HaloSpec<NumDimensions>;
  using GlobalBoundarySpec_t = GlobalBoundarySpec<NumDimensions>;
  using HaloBlock_t = HaloBlock<Element_t, Pattern_t, GlobMem_t>;
  using HaloMemory_t = HaloMemory<HaloBlock_t>;
  using HaloUpdateEnv_t = HaloUpdateEnv<HaloBlock_t, SigReady>;
  using ElementCoords_t = std::array<index_type, NumDimensions>;
  using ViewSpec_t = ViewSpec<NumDimensions, index_type>;
  using StencilPoint_t = StencilPoint<NumDimensions>;
  using RegionCoords_t = RegionCoords<NumDimensions>;

  template <typename StencilSpecT>
  using StencilOperator_t = StencilOperator<HaloBlock_t, StencilSpecT>;

  /// A halo for the given stencils.
  /// \param bounds  what lies beyond the border of the matrix
  /// \collective over the matrix' team
  /// \throws exception::InvalidArgument on all units: if a unit has no or several blocks, if the
  ///         halo is wider than a block, if units passed different arguments
  template <typename StencilSpecT, typename... StencilSpecs>
  requires(!std::integral<StencilSpecT>)
      HaloMatrixWrapper(MatrixT& matrix, const GlobalBoundarySpec_t& bounds,
                        const StencilSpecT& spec, const StencilSpecs&... specs)
      : HaloMatrixWrapper(matrix, bounds, HaloSpec_t(spec, specs...), Tag()) {}

  /// The same with nothing beyond the border.
  template <typename StencilSpecT, typename... StencilSpecs>
  requires(!std::integral<StencilSpecT> &&
           !std::is_convertible_v<
               StencilSpecT,
               GlobalBoundarySpec_t>) explicit HaloMatrixWrapper(MatrixT& matrix,
                                                                 const StencilSpecT& spec,
                                                                 const StencilSpecs&... specs)
      : HaloMatrixWrapper(matrix, GlobalBoundarySpec_t(), HaloSpec_t(spec, specs...), Tag()) {}

  /// A halo of the same width at all sides, edges and corners.
  template <std::integral DistanceT>
  HaloMatrixWrapper(MatrixT& matrix, const GlobalBoundarySpec_t& bounds, DistanceT distance)
      : HaloMatrixWrapper(matrix, bounds, full_halo(matrix, distance), Tag()) {}

  /// The same with nothing beyond the border.
  template <std::integral DistanceT>
  HaloMatrixWrapper(MatrixT& matrix, DistanceT distance)
      : HaloMatrixWrapper(matrix, GlobalBoundarySpec_t(), full_halo(matrix, distance), Tag()) {}

  HaloMatrixWrapper(const HaloMatrixWrapper&) = delete;
  HaloMatrixWrapper& operator=(const HaloMatrixWrapper&) = delete;

  static constexpr dim_t ndim() { return NumDimensions; }

  /// Updates all halo regions; each unit has to call it.
  /// \blocks until all neighbours have started the same update
  void update() { _halo_env.update(); }

  /// Updates one halo region; after halo_env().prepare_update().
  void update_at(region_index_t region) { _halo_env.update_at(region); }

  /// Starts an update of all halo regions. Until wait() the block must not be written.
  /// \returns where futures come from, of each region and of all; may be dropped
  /// \blocks never, if the previous update was waited for
  HaloUpdate update_async() { return _halo_env.update_async(); }

  /// Starts an update of one halo region; after halo_env().prepare_update().
  HaloUpdate update_async_at(region_index_t region) { return _halo_env.update_async_at(region); }

  /// Waits for all regions whose update was started; then the block may be written again.
  void wait() { _halo_env.wait(); }

  /// Waits for one region.
  void wait(region_index_t region) { _halo_env.wait(region); }

  /// The block, relative to itself.
  ViewSpec_t view_local() const { return _halo_block.view_local(); }

  const HaloBlock_t& halo_block() const { return _halo_block; }
  HaloUpdateEnv_t& halo_env() { return _halo_env; }
  const HaloUpdateEnv_t& halo_env() const { return _halo_env; }
  MatrixT& matrix() { return _matrix; }
  const MatrixT& matrix() const { return _matrix; }

  /// Sets the elements of all halo regions that lie beyond a CUSTOM border. They keep their values
  /// until they are set again.
  /// \param f  called with the global coordinates of an element (relative to a view), below 0 or from the extent on in
  ///           at least one dimension; returns its value
  template <typename FunctionT>
  void set_custom_halos(FunctionT&& f) {
    const auto& env = _halo_block.block_env();
    const auto& memory = _halo_env.halo_memory();
    constexpr auto arrange = Pattern_t::memory_order();
    constexpr dim_t fastest = internal::dim_at<NumDimensions, arrange>(NumDimensions - 1);
    for (region_index_t region = 0; region < env.NumRegions; ++region) {
      if (env.source(region) != HaloBlock_t::BlockEnv_t::Source::custom) continue;
      auto* element = memory.data() + env.region_offset(region);
      internal::for_each_row<arrange>(
          env.halo_box(region), [&](const auto& coords, std::ptrdiff_t length) {
            ElementCoords_t global{};
            for (dim_t d = 0; d < NumDimensions; ++d) {
              global[d] = static_cast<index_type>(coords[d] + env.offsets()[d]);
            }
            for (std::ptrdiff_t i = 0; i < length; ++i, ++global[fastest]) {
              *element++ = f(static_cast<const ElementCoords_t&>(global));
            }
          });
    }
    _halo_env.custom_changed();
  }

  /// The halo element at global coordinates, which may lie outside of the matrix. Waits for its
  /// region if that is under way.
  /// \returns nullptr if there is no halo element; else a pointer valid until the next update
  Element_t* halo_element_at_global(const ElementCoords_t& coords) {
    const auto& env = _halo_block.block_env();
    auto local = internal::to_coords<NumDimensions>(coords);
    for (dim_t d = 0; d < NumDimensions; ++d) {
      local[d] -= env.offsets()[d];
    }
    auto* element = halo_element(local);
    if (element != nullptr || env.region_at(local) == RegionCoords_t::center_index())
      return element;
    // Elements of CYCLIC regions may be named by where they are, at the other side of the matrix:
    // how wide a region is depends on the sides of all dimensions.
    for (region_index_t side = 0; side < env.NumRegions && element == nullptr; ++side) {
      if (const auto there = seen_from(side, local)) element = halo_element(*there);
    }
    return element;
  }

  /// The halo element at coordinates relative to the block: below 0, or from the extent on. Waits
  /// for its region if that is under way.
  /// \returns nullptr if there is no halo element; else a pointer valid until the next update
  Element_t* halo_element_at_local(const ElementCoords_t& coords) {
    return halo_element(internal::to_coords<NumDimensions>(coords));
  }

  /// An operator for a stencil that the halo is wide enough for.
  /// \throws exception::InvalidArgument if it is not
  template <typename StencilSpecT>
  StencilOperator_t<StencilSpecT> stencil_operator(const StencilSpecT& spec) {
    return {_halo_block, _halo_env.halo_memory(), _matrix.lbegin(), spec};
  }

  /// Access to block and halo by coordinates.
  CoordinateAccess<HaloBlock_t> coordinate_access() {
    return {_halo_block, _halo_env.halo_memory(), _matrix.lbegin()};
  }

 private:
  struct Tag {};

  HaloMatrixWrapper(MatrixT& matrix, const GlobalBoundarySpec_t& bounds, const HaloSpec_t& halo,
                    Tag /*not an overload for users*/)
      : _matrix(matrix),
        _halo_block(matrix.begin().globmem(), matrix.pattern(), make_env(matrix, halo, bounds)),
        _halo_env(_halo_block, matrix.lbegin()) {}

  static typename HaloBlock_t::BlockEnv_t make_env(MatrixT& matrix, const HaloSpec_t& halo,
                                                   const GlobalBoundarySpec_t& bounds) {
    const auto& pattern = matrix.pattern();
    internal::Box<NumDimensions> view;
    const auto offsets = matrix.offsets();
    const auto extents = matrix.extents();
    static_assert(std::tuple_size_v<decltype(extents)> == NumDimensions,
                  "a halo is for a view of all dimensions of its matrix");
    for (dim_t d = 0; d < NumDimensions; ++d) {
      const auto begin = static_cast<internal::coord_t>(offsets[d]);
      view[d] = {begin, begin + static_cast<internal::coord_t>(extents[d])};
    }
    const auto grid = internal::checked_grid(pattern, view, sizeof(Element_t), halo, bounds);
    const auto block = pattern.teamspec().coords(static_cast<index_type>(pattern.team().myid().id));
    const typename HaloBlock_t::BlockEnv_t env(grid, internal::to_coords<NumDimensions>(block),
                                               halo, bounds);
    internal::check_blocks(pattern, env);
    return env;
  }

  /// \collective over the matrix' team: a width that is none is refused on all units
  template <std::integral DistanceT>
  static HaloSpec_t full_halo(const MatrixT& matrix, DistanceT distance) {
    if (!internal::all_units_agree(matrix.team(), static_cast<std::uint64_t>(distance))) {
      DASH_THROW(exception::InvalidArgument,
                 "the units passed different halo widths: here " << distance);
    }
    if (std::cmp_less(distance, 0)) {
      DASH_THROW(exception::InvalidArgument, "the halo width " << distance << " is negative");
    }
    return HaloSpec_t(
        StencilSpecFactory<StencilPoint_t>::full_stencil_spec(static_cast<std::size_t>(distance)));
  }

  /// Coordinates relative to the block, of the same element by another way around the matrix: over
  /// its border at the sides of a region, which are CYCLIC.
  std::optional<internal::Coords<NumDimensions>> seen_from(
      region_index_t side, internal::Coords<NumDimensions> local) const {
    const auto& env = _halo_block.block_env();
    const auto sides = RegionCoords_t::coords(side);
    for (dim_t d = 0; d < NumDimensions; ++d) {
      if (sides[d] == region_center) continue;
      if (env.global_boundary_spec()[d] != BoundaryProp::CYCLIC) return std::nullopt;
      local[d] += sides[d] == region_pre ? -env.grid().extents[d] : env.grid().extents[d];
    }
    return local;
  }

  Element_t* halo_element(const internal::Coords<NumDimensions>& coords) {
    const auto& env = _halo_block.block_env();
    const auto region = env.region_at(coords);
    if (!env.halo_box(region).contains(coords)) return nullptr;
    auto& memory = _halo_env.halo_memory();
    memory.require(region);
    return memory.first_element_at(region) +
           (memory.layout().region(region)(coords) - env.region_offset(region));
  }

  MatrixT& _matrix;
  HaloBlock_t _halo_block;
  HaloUpdateEnv_t _halo_env;
};

}  // namespace dash::halo
