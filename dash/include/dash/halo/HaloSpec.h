#pragma once

#include <algorithm>
#include <array>
#include <concepts>
#include <ostream>
#include <type_traits>
#include <utility>

#include "dash/Exception.h"
#include "dash/halo/RegionCoords.h"
#include "dash/halo/RegionSpec.h"
#include "dash/halo/StencilSpec.h"
#include "dash/halo/Types.h"

namespace dash::halo {

namespace internal {

/// A separate function, because a constexpr function cannot build the text of the message.
[[noreturn]] inline void throw_no_region(region_index_t region, region_index_t num_regions) {
  DASH_THROW(exception::InvalidArgument,
             "a halo specification of region " << region << "; expected 0 to " << num_regions - 1);
}

}  // namespace internal

/// The halo regions and their widths.
///
/// A stencil point needs the region given by the signs of its offsets, with the largest offset as
/// width. The same applies to each of its projections (some offsets replaced by 0), because the
/// stencil of an element close to only one border reaches a face, but not the corner. The width of
/// a region is the maximum over all points of all given stencils.
/// \ingroup halo
template <dim_t NumDimensions>
class HaloSpec {
 public:
  /// The position of a region relative to a block.
  using RegionCoords_t = RegionCoords<NumDimensions>;
  /// A region and its width.
  using RegionSpec_t = RegionSpec<NumDimensions>;
  /// All regions, by index.
  using Specs_t = std::array<RegionSpec_t, NumRegionsMax<NumDimensions>>;
  /// Widths in elements {before, after} the block in one dimension.
  using ExtentDim_t = std::pair<region_extent_t, region_extent_t>;

  /// No regions.
  constexpr HaloSpec() {
    for (region_index_t region = 0; region < _specs.size(); ++region) {
      _specs[region] = RegionSpec_t(region, 0);
    }
  }

  /// The regions that the given stencils need.
  /// \tparam StencilSpecT  provides specs(), minmax_distances() and ndim(), as StencilSpec does
  template <typename StencilSpecT, typename... StencilSpecs>
  requires(requires(const StencilSpecT& spec) {
    spec.specs().size();
    spec.minmax_distances();
  }) constexpr explicit HaloSpec(const StencilSpecT& spec, const StencilSpecs&... specs)
      : HaloSpec() {
    add_stencil(spec);
    (add_stencil(specs), ...);
  }

  /// The given regions; if a region is given several times, the largest width applies.
  /// \throws exception::InvalidArgument if a region does not exist
  template <typename... RegionSpecs>
  requires(std::same_as<RegionSpecs, RegionSpec_t>&&...) constexpr explicit HaloSpec(
      const RegionSpec_t& spec, const RegionSpecs&... specs)
      : HaloSpec() {
    widen(spec.index(), spec.extent());
    (widen(specs.index(), specs.extent()), ...);
  }

  /// \param specs  specifications of all regions; those without a separate index must have
  ///         width 0
  /// \throws exception::InvalidArgument if a region does not exist
  constexpr explicit HaloSpec(const Specs_t& specs) : HaloSpec() {
    for (const RegionSpec_t& spec : specs)
      widen(spec.index(), spec.extent());
  }

  /// The region with an index from 0 to 3^N - 1; its width is 0 if there is no such region.
  constexpr const RegionSpec_t& spec(region_index_t index) const { return _specs[index]; }
  /// All regions, by index.
  constexpr const Specs_t& specs() const { return _specs; }

  /// Width of a region in elements; 0 if there is no such region.
  constexpr region_extent_t extent(region_index_t index) const { return _specs[index].extent(); }

  /// Number of regions with a width above 0.
  constexpr region_index_t num_regions() const { return _num_regions; }

  /// The largest width of all regions {before, after} the block in a dimension.
  constexpr ExtentDim_t halo_extension_max(dim_t dim) const { return _extension_max[dim]; }

  /// Whether each region is at least as wide as in `other`.
  constexpr bool covers(const HaloSpec& other) const {
    for (region_index_t region = 0; region < _specs.size(); ++region) {
      if (extent(region) < other.extent(region)) return false;
    }
    return true;
  }

  friend constexpr bool operator==(const HaloSpec& a, const HaloSpec& b) {
    return a._specs == b._specs;
  }

  friend std::ostream& operator<<(std::ostream& os, const HaloSpec& halo) {
    os << "HaloSpec(";
    const char* separator = "";
    for (const auto& spec : halo._specs) {
      if (spec.extent() == 0) continue;
      os << separator << spec;
      separator = ", ";
    }
    return os << ')';
  }

 private:
  template <typename StencilSpecT>
  constexpr void add_stencil(const StencilSpecT& stencil) {
    static_assert(StencilSpecT::ndim() == NumDimensions,
                  "the stencil and the halo must have the same number of dimensions");
    for (const auto& point : stencil.specs()) {
      add_point(point);
    }
  }

  // The bits of `kept` indicate which dimensions keep their offset in a projection.
  template <typename StencilPointT>
  constexpr void add_point(const StencilPointT& point) {
    for (unsigned kept = 1; kept < (1U << NumDimensions); ++kept) {
      StencilPointT projection;
      for (dim_t d = 0; d < NumDimensions; ++d) {
        projection[d] = (kept >> d & 1U) != 0 ? point[d] : spoint_value_t{0};
      }
      widen(RegionCoords_t::index(projection), static_cast<region_extent_t>(projection.max()));
    }
  }

  constexpr void widen(region_index_t region, region_extent_t extent) {
    if (region >= _specs.size()) internal::throw_no_region(region, NumRegionsMax<NumDimensions>);
    if (region == RegionCoords_t::center_index() || extent <= _specs[region].extent()) return;
    if (_specs[region].extent() == 0) ++_num_regions;
    _specs[region] = RegionSpec_t(region, extent);
    const auto coords = RegionCoords_t::coords(region);
    for (dim_t d = 0; d < NumDimensions; ++d) {
      auto& [before, after] = _extension_max[d];
      if (coords[d] == region_pre) before = std::max(before, extent);
      if (coords[d] == region_post) after = std::max(after, extent);
    }
  }

  Specs_t _specs{};
  region_index_t _num_regions = 0;
  std::array<ExtentDim_t, NumDimensions> _extension_max{};
};

}  // namespace dash::halo
