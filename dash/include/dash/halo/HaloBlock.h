#pragma once

#include <array>
#include <cstddef>
#include <vector>

#include "dash/Team.h"
#include "dash/ViewSpec.h"
#include "dash/halo/BlockEnvironment.h"
#include "dash/halo/Region.h"
#include "dash/halo/Types.h"

namespace dash::halo {

/// The calling unit's block of a matrix, with the halo regions around it.
/// \ingroup halo
template <typename ElementT, typename PatternT, typename GlobMemT>
class HaloBlock {
 public:
  /// Number of dimensions of the matrix.
  static constexpr dim_t NumDimensions = PatternT::ndim();

  /// Type of an element.
  using Element_t = ElementT;
  /// Pattern of the matrix.
  using Pattern_t = PatternT;
  /// Global memory of the matrix.
  using GlobMem_t = GlobMemT;
  using index_type = typename PatternT::index_type;
  /// A box of elements, as offsets and extents.
  using ViewSpec_t = ViewSpec<NumDimensions, index_type>;
  /// Coordinates of an element.
  using ElementCoords_t = std::array<index_type, NumDimensions>;
  /// A halo region or a boundary region.
  using Region_t = Region<ElementT, PatternT, GlobMemT>;
  /// Regions by ascending index.
  using RegionVector_t = std::vector<Region_t>;
  /// The halo regions and their widths.
  using HaloSpec_t = HaloSpec<NumDimensions>;
  /// The boundary property of the border in each dimension.
  using GlobalBoundarySpec_t = GlobalBoundarySpec<NumDimensions>;
  /// The geometry of a block and its halo regions.
  using BlockEnv_t = BlockEnvironment<NumDimensions>;
  /// The position of a region relative to a block.
  using RegionCoords_t = RegionCoords<NumDimensions>;

  /// Used by HaloMatrixWrapper. Refers to the memory and the pattern of the matrix.
  /// \param env  geometry of the block
  HaloBlock(GlobMemT& globmem, const PatternT& pattern, const BlockEnv_t& env)
      : _globmem(globmem), _pattern(pattern), _env(env), _split(env.split()) {
    _halo_position.fill(absent);
    _boundary_position.fill(absent);
    for (region_index_t region = 0; region < BlockEnv_t::NumRegions; ++region) {
      add_halo_region(region);
      add_boundary_region(region);
      const auto box = _split.boundary(region);
      if (!box.empty()) _boundary_views.push_back(to_view(box));
    }
  }

  HaloBlock(const HaloBlock&) = delete;
  HaloBlock& operator=(const HaloBlock&) = delete;

  /// Number of dimensions of the matrix.
  static constexpr dim_t ndim() { return NumDimensions; }
  /// Order of the dimensions in memory.
  static constexpr MemArrange memory_order() { return PatternT::memory_order(); }

  /// A halo region by index; nullptr if its width is 0.
  const Region_t* halo_region(region_index_t region) const {
    return find(_halo_regions, _halo_position, region);
  }

  /// The elements that the neighbour in direction `region` stores as halo; nullptr if its halo has
  /// width 0 there.
  const Region_t* boundary_region(region_index_t region) const {
    return find(_boundary_regions, _boundary_position, region);
  }

  /// All halo regions with a width above 0, by ascending index.
  const RegionVector_t& halo_regions() const { return _halo_regions; }

  /// All boundary regions with a width above 0, by ascending index.
  const RegionVector_t& boundary_regions() const { return _boundary_regions; }

  /// The elements of the block that need halo elements, as disjoint boxes, relative to the block.
  const std::vector<ViewSpec_t>& boundary_views() const { return _boundary_views; }

  /// The block, in global coordinates.
  ViewSpec_t view() const {
    internal::Box<NumDimensions> box;
    for (dim_t d = 0; d < NumDimensions; ++d) {
      const auto begin = _env.grid().begin[d] + _env.offsets()[d];
      box[d] = {begin, begin + _env.extents()[d]};
    }
    return to_view(box);
  }

  /// The block, relative to itself.
  ViewSpec_t view_local() const { return to_view(local_box()); }

  /// The elements that need no halo element, relative to the block.
  ViewSpec_t view_inner() const { return to_view(_split.inner()); }

  /// The elements whose stencil stays inside of the domain, relative to the block.
  ViewSpec_t view_inner_with_boundaries() const { return to_view(_split.valid()); }

  /// Number of halo elements.
  std::size_t halo_size() const { return static_cast<std::size_t>(_env.halo_size()); }

  /// Number of elements in boundary_views().
  std::size_t boundary_size() const {
    std::size_t size = 0;
    for (const auto& view : _boundary_views) {
      size += view.size();
    }
    return size;
  }

  /// Position of an element, given by coordinates relative to the view, in a canonical array with
  /// the extents of `view`.
  index_type index_at(const ViewSpec_t& view, const ElementCoords_t& coords) const {
    index_type index = 0;
    for (dim_t p = 0; p < NumDimensions; ++p) {
      const auto d = internal::dim_at<NumDimensions, memory_order()>(p);
      index = index * static_cast<index_type>(view.extent(d)) + coords[d];
    }
    return index;
  }

  /// The halo regions on the sides of the block on which boundary view `region` is, also those without a neighbour or
  /// without elements, and in small blocks those on other sides that its elements read.
  std::vector<region_index_t> boundary_dependencies(region_index_t region) const {
    std::vector<region_index_t> regions;
    const auto box = _split.boundary(region);
    for (region_index_t halo = 0; halo < BlockEnv_t::NumRegions; ++halo) {
      if (halo == RegionCoords_t::center_index()) continue;
      if (is_on_sides(halo, region) || (!box.empty() && reaches(box, halo)))
        regions.push_back(halo);
    }
    return regions;
  }

  /// The unit that sends a halo region, independent of its width; UNDEFINED_TEAM_UNIT_ID if there
  /// is none.
  team_unit_t neighbor(region_index_t region) const {
    if (!_env.has_neighbor(region)) return UNDEFINED_TEAM_UNIT_ID;
    ElementCoords_t block{};
    const auto coords = _env.neighbor(region);
    for (dim_t d = 0; d < NumDimensions; ++d) {
      block[d] = static_cast<index_type>(coords[d]);
    }
    return team_unit_t(static_cast<dart_unit_t>(_pattern.teamspec().at(block)));
  }

  /// The pattern of the matrix.
  const PatternT& pattern() const { return _pattern; }
  /// The global memory of the matrix.
  GlobMemT& globmem() const { return _globmem; }
  /// The halo regions and their widths.
  const HaloSpec_t& halo_spec() const { return _env.halo_spec(); }
  /// The boundary property of the border in each dimension.
  const GlobalBoundarySpec_t& global_boundary_spec() const { return _env.global_boundary_spec(); }
  /// The geometry of the block and its halo regions.
  const BlockEnv_t& block_env() const { return _env; }

 private:
  using Positions_t = std::array<std::size_t, BlockEnv_t::NumRegions>;
  static constexpr std::size_t absent = static_cast<std::size_t>(-1);

  static const Region_t* find(const RegionVector_t& regions, const Positions_t& positions,
                              region_index_t region) {
    if (region >= positions.size() || positions[region] == absent) return nullptr;
    return &regions[positions[region]];
  }

  static ViewSpec_t to_view(const internal::Box<NumDimensions>& box) {
    return internal::to_view<ViewSpec_t>(box);
  }

  internal::Box<NumDimensions> local_box() const {
    internal::Box<NumDimensions> box;
    for (dim_t d = 0; d < NumDimensions; ++d) {
      box[d] = {0, _env.extents()[d]};
    }
    return box;
  }

  void add_halo_region(region_index_t region) {
    const auto& spec = _env.halo_spec().spec(region);
    if (spec.extent() == 0) return;
    auto box = _env.halo_box(region);
    const bool custom = _env.source(region) == BlockEnv_t::Source::custom;
    for (dim_t d = 0; d < NumDimensions; ++d) {
      auto shift = _env.offsets()[d];
      // Elements of a CYCLIC region are at the opposite side.
      const auto extent = _env.grid().extents[d];
      if (!custom && box[d].end + shift <= 0)
        shift += extent;
      else if (!custom && box[d].begin + shift >= extent)
        shift -= extent;
      shift += _env.grid().begin[d];
      box[d] = {box[d].begin + shift, box[d].end + shift};
    }
    _halo_position[region] = _halo_regions.size();
    _halo_regions.emplace_back(spec, to_view(box), _globmem, _pattern, border_of(region), custom);
  }

  void add_boundary_region(region_index_t region) {
    const auto opposite = RegionCoords_t::opposite_index(region);
    if (_env.halo_spec().extent(opposite) == 0) return;
    auto box = _env.send_box(region);
    for (dim_t d = 0; d < NumDimensions; ++d) {
      const auto shift = _env.grid().begin[d] + _env.offsets()[d];
      box[d] = {box[d].begin + shift, box[d].end + shift};
    }
    const RegionSpec<NumDimensions> spec(region, _env.halo_spec().extent(opposite));
    _boundary_position[region] = _boundary_regions.size();
    _boundary_regions.emplace_back(spec, to_view(box), _globmem, _pattern, border_of(region),
                                   false);
  }

  typename Region_t::Border_t border_of(region_index_t region) const {
    const auto coords = RegionCoords_t::coords(region);
    auto border = _env.border();
    for (dim_t d = 0; d < NumDimensions; ++d) {
      border[d].first = border[d].first && coords[d] == region_pre;
      border[d].second = border[d].second && coords[d] == region_post;
    }
    return border;
  }

  /// Whether a halo region is beside the block in each dimension, or on the same side as a boundary view.
  static bool is_on_sides(region_index_t halo, region_index_t view) {
    const auto coords = RegionCoords_t::coords(halo);
    const auto sides = RegionCoords_t::coords(view);
    for (dim_t d = 0; d < NumDimensions; ++d) {
      if (coords[d] != region_center && coords[d] != sides[d]) return false;
    }
    return true;
  }

  /// Whether an element in `box` can need an element of the halo region for its stencil.
  bool reaches(const internal::Box<NumDimensions>& box, region_index_t halo) const {
    const auto coords = RegionCoords_t::coords(halo);
    for (dim_t d = 0; d < NumDimensions; ++d) {
      const auto [low, high] = _env.halo_spec().halo_extension_max(d);
      if (coords[d] == region_pre && box[d].begin >= low) return false;
      if (coords[d] == region_post && box[d].end + high <= _env.extents()[d]) return false;
    }
    return true;
  }

  GlobMemT& _globmem;
  const PatternT& _pattern;
  BlockEnv_t _env;
  internal::BlockSplit<NumDimensions> _split;
  RegionVector_t _halo_regions;
  RegionVector_t _boundary_regions;
  std::vector<ViewSpec_t> _boundary_views;
  Positions_t _halo_position{};
  Positions_t _boundary_position{};
};

}  // namespace dash::halo
