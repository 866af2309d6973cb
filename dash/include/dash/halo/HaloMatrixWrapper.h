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
#include "dash/halo/HaloMemory.h"
#include "dash/halo/HaloSpec.h"
#include "dash/halo/StencilOperator.h"
#include "dash/halo/StencilPoint.h"
#include "dash/halo/StencilSpec.h"
#include "dash/halo/Types.h"
#include "dash/halo/exchange/HaloChecks.h"
#include "dash/halo/exchange/HaloUpdateEnv.h"

namespace dash::halo {

/// Adds a halo to the blocks of a matrix: copies of the neighbours' elements around each block, as
/// wide as the given stencils need, and operations for computing stencils on block and halo.
///
/// The matrix has one block on each unit (each dimension BLOCKED or NONE) and must outlive the
/// wrapper. It may also be a view with all dimensions of the matrix: a box of which each unit owns
/// elements. Then the border is that of the box, and coordinates are relative to the box.
///
///     wrapper.update_async();                 // starts the exchange
///     op.inner.transform(dst, fn);            // concurrently: elements that need no halo
///     wrapper.wait();
///     op.boundary.transform(dst, fn);         // elements that need the halo
///
/// No barrier is needed between such steps if two matrices with one wrapper each alternate: a
/// neighbour may be one step ahead, since its data is stored in the other of two buffers.
/// \threads externally synchronized per object, unless stated otherwise
/// \tparam SigReady  without effect, see SignalReady
/// \ingroup halo
template <typename MatrixT, SignalReady SigReady = SignalReady::OFF>
class HaloMatrixWrapper {
 public:
  /// The matrix or view to which the halo is added.
  using Matrix_t = MatrixT;
  /// Pattern of the matrix.
  using Pattern_t = typename MatrixT::pattern_type;
  /// Type of an element.
  using Element_t = typename MatrixT::value_type;
  /// Global memory of the matrix.
  using GlobMem_t = std::remove_reference_t<decltype(std::declval<MatrixT&>().begin().globmem())>;
  using index_type = typename Pattern_t::index_type;

  /// Number of dimensions of the matrix.
  static constexpr dim_t NumDimensions = Pattern_t::ndim();

  /// The halo regions and their widths.
  using HaloSpec_t = HaloSpec<NumDimensions>;
  /// The boundary property of the border in each dimension.
  using GlobalBoundarySpec_t = GlobalBoundarySpec<NumDimensions>;
  /// The calling unit's block with its halo regions.
  using HaloBlock_t = HaloBlock<Element_t, Pattern_t, GlobMem_t>;
  /// The halo elements of the calling unit.
  using HaloMemory_t = HaloMemory<HaloBlock_t>;
  /// The object that updates the halo regions.
  using HaloUpdateEnv_t = HaloUpdateEnv<HaloBlock_t, SigReady>;
  /// Coordinates of an element, relative to the block or global.
  using ElementCoords_t = std::array<index_type, NumDimensions>;
  /// A box of elements, as offsets and extents.
  using ViewSpec_t = ViewSpec<NumDimensions, index_type>;
  /// A neighbour that a stencil reads, with a coefficient of type double.
  using StencilPoint_t = StencilPoint<NumDimensions>;
  /// The position of a region relative to a block.
  using RegionCoords_t = RegionCoords<NumDimensions>;

  /// The result of stencil_operator() for a stencil of type StencilSpecT.
  template <typename StencilSpecT>
  using StencilOperator_t = StencilOperator<HaloBlock_t, StencilSpecT>;

  /// A halo for the given stencils.
  /// \param bounds  boundary properties of the border of the matrix
  /// \collective over the matrix' team
  /// \throws exception::InvalidArgument on all units: if a unit has no block or several blocks, if
  ///         the halo is wider than a block, if units passed different arguments
  template <typename StencilSpecT, typename... StencilSpecs>
  requires(!std::integral<StencilSpecT>)
      HaloMatrixWrapper(MatrixT& matrix, const GlobalBoundarySpec_t& bounds,
                        const StencilSpecT& spec, const StencilSpecs&... specs)
      : HaloMatrixWrapper(matrix, bounds, HaloSpec_t(spec, specs...), Tag()) {}

  /// \overload
  /// All borders are NONE.
  template <typename StencilSpecT, typename... StencilSpecs>
  requires(!std::integral<StencilSpecT> &&
           !std::is_convertible_v<
               StencilSpecT,
               GlobalBoundarySpec_t>) explicit HaloMatrixWrapper(MatrixT& matrix,
                                                                 const StencilSpecT& spec,
                                                                 const StencilSpecs&... specs)
      : HaloMatrixWrapper(matrix, GlobalBoundarySpec_t(), HaloSpec_t(spec, specs...), Tag()) {}

  /// A halo with the same width at all sides, edges and corners.
  /// \param bounds  boundary properties of the border of the matrix
  /// \param distance  width in elements
  /// \collective over the matrix' team
  /// \throws exception::InvalidArgument on all units: as for stencils, and if the width is negative
  ///         or exceeds 32767
  template <std::integral DistanceT>
  HaloMatrixWrapper(MatrixT& matrix, const GlobalBoundarySpec_t& bounds, DistanceT distance)
      : HaloMatrixWrapper(matrix, bounds, full_halo(matrix, distance), Tag()) {}

  /// \overload
  /// All borders are NONE.
  template <std::integral DistanceT>
  HaloMatrixWrapper(MatrixT& matrix, DistanceT distance)
      : HaloMatrixWrapper(matrix, GlobalBoundarySpec_t(), full_halo(matrix, distance), Tag()) {}

  HaloMatrixWrapper(const HaloMatrixWrapper&) = delete;
  HaloMatrixWrapper& operator=(const HaloMatrixWrapper&) = delete;

  /// Number of dimensions of the matrix.
  static constexpr dim_t ndim() { return NumDimensions; }

  /// Updates all halo regions; must be called by each unit.
  /// \blocks until all neighbours have started the same update
  void update() { _halo_env.update(); }

  /// Updates one halo region. Call halo_env().prepare_update() first.
  void update_at(region_index_t region) { _halo_env.update_at(region); }

  /// Starts an update of all halo regions. The block must not be written before wait().
  /// \returns an object from which futures can be obtained, for each region and for all; may be
  ///         dropped
  /// \blocks never, if the previous update has been waited for
  HaloUpdate update_async() { return _halo_env.update_async(); }

  /// Starts an update of one halo region. Call halo_env().prepare_update() first.
  HaloUpdate update_async_at(region_index_t region) { return _halo_env.update_async_at(region); }

  /// Waits for all regions whose update was started. Afterwards the block may be written.
  void wait() { _halo_env.wait(); }

  /// Waits for one region.
  void wait(region_index_t region) { _halo_env.wait(region); }

  /// The block, relative to itself.
  ViewSpec_t view_local() const { return _halo_block.view_local(); }

  /// The calling unit's block with its halo regions.
  const HaloBlock_t& halo_block() const { return _halo_block; }
  /// The object that updates the halo regions, for example region by region.
  HaloUpdateEnv_t& halo_env() { return _halo_env; }
  /// \overload
  const HaloUpdateEnv_t& halo_env() const { return _halo_env; }
  /// The matrix or view to which the halo was added.
  MatrixT& matrix() { return _matrix; }
  /// \overload
  const MatrixT& matrix() const { return _matrix; }

  /// Sets the elements of all halo regions that lie beyond a CUSTOM border. They keep their values
  /// until they are set again.
  /// \param f  called with the global coordinates of an element (relative to a view), which are
  ///         negative or not less than the extent in at least one dimension; returns the value of
  ///         the element
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

  /// The halo element at global coordinates, which may lie outside of the matrix. Waits for a
  /// pending update of its region.
  /// \returns nullptr if there is no halo element; otherwise a pointer valid until the next update
  Element_t* halo_element_at_global(const ElementCoords_t& coords) {
    const auto& env = _halo_block.block_env();
    auto local = internal::to_coords<NumDimensions>(coords);
    for (dim_t d = 0; d < NumDimensions; ++d) {
      local[d] -= env.offsets()[d];
    }
    auto* element = halo_element(local);
    if (element != nullptr || env.region_at(local) == RegionCoords_t::center_index())
      return element;
    // The coordinates of an element of a CYCLIC region may be those at the opposite side of the
    // matrix. The width of a region depends on its sides in all dimensions, so each region has to
    // be tried.
    for (region_index_t side = 0; side < env.NumRegions && element == nullptr; ++side) {
      if (const auto coordinates = via_border(side, local)) element = halo_element(*coordinates);
    }
    return element;
  }

  /// The halo element at coordinates relative to the block, which are negative or not less than the
  /// extent. Waits for a pending update of its region.
  /// \returns nullptr if there is no halo element; otherwise a pointer valid until the next update
  Element_t* halo_element_at_local(const ElementCoords_t& coords) {
    return halo_element(internal::to_coords<NumDimensions>(coords));
  }

  /// An operator for a stencil.
  /// \throws exception::InvalidArgument if the halo is not wide enough for the stencil
  template <typename StencilSpecT>
  StencilOperator_t<StencilSpecT> stencil_operator(const StencilSpecT& spec) {
    return {_halo_block, _halo_env.halo_memory(), _matrix.lbegin(), spec};
  }

  /// Access to the elements of block and halo by coordinates.
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
                  "a halo requires a view with all dimensions of its matrix");
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

  /// \collective over the matrix' team: an invalid width is rejected on all units
  template <std::integral DistanceT>
  static HaloSpec_t full_halo(const MatrixT& matrix, DistanceT distance) {
    if (!internal::all_units_agree(matrix.team(), static_cast<std::uint64_t>(distance))) {
      DASH_THROW(exception::InvalidArgument,
                 "the units passed different halo widths; this unit passed " << distance);
    }
    if (std::cmp_less(distance, 0)) {
      DASH_THROW(exception::InvalidArgument, "the halo width " << distance << " is negative");
    }
    return HaloSpec_t(
        StencilSpecFactory<StencilPoint_t>::full_stencil_spec(static_cast<std::size_t>(distance)));
  }

  /// Converts coordinates relative to the block: moves them across the CYCLIC borders at the sides
  /// of a region. \returns no value if one of these borders is not CYCLIC
  std::optional<internal::Coords<NumDimensions>> via_border(
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
