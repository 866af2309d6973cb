#pragma once

#include <array>
#include <ostream>
#include <utility>

#include "dash/ViewSpec.h"
#include "dash/halo/RegionSpec.h"
#include "dash/halo/Types.h"
#include "dash/iterator/GlobViewIter.h"

namespace dash::halo {

/// A box of matrix elements around or in a block: a halo region, or the elements that a neighbour
/// stores as one of its halo regions.
/// \ingroup halo
template <typename ElementT, typename PatternT, typename GlobMemT>
class Region {
 public:
  /// Number of dimensions of the matrix.
  static constexpr dim_t NumDimensions = PatternT::ndim();

  /// A region and its width.
  using RegionSpec_t = RegionSpec<NumDimensions>;
  /// A box of elements, as offsets and extents.
  using ViewSpec_t = ViewSpec<NumDimensions, typename PatternT::index_type>;
  /// Whether the region crosses the {lower, higher} border, in one dimension.
  using BorderDim_t = std::pair<bool, bool>;
  /// BorderDim_t for each dimension.
  using Border_t = std::array<BorderDim_t, NumDimensions>;
  using iterator = GlobViewIter<ElementT, PatternT, GlobMemT>;
  using const_iterator = GlobViewIter<const ElementT, PatternT, GlobMemT>;

  /// Used by HaloBlock. Refers to the memory and the pattern of the matrix.
  /// \param view    global coordinates of the elements
  /// \param border  whether the region is beyond or at the {lower, higher} border, per dimension
  /// \param custom  whether the user sets the elements
  Region(const RegionSpec_t& spec, const ViewSpec_t& view, GlobMemT& globmem,
         const PatternT& pattern, const Border_t& border, bool custom)
      : _spec(spec),
        _view(view),
        _globmem(&globmem),
        _pattern(&pattern),
        _border(border),
        _custom(custom) {
    for (const auto& [lower, higher] : border) {
      _at_border = _at_border || lower || higher;
    }
  }

  /// The region's number, 0 to 3^N - 1 (RegionCoords).
  region_index_t index() const { return _spec.index(); }
  /// The region's position relative to the block, and its width.
  const RegionSpec_t& spec() const { return _spec; }

  /// Global coordinates of the source of the elements: at the opposite side of the matrix for a
  /// CYCLIC border, outside of the matrix for a CUSTOM border.
  const ViewSpec_t& view() const { return _view; }

  /// Number of elements; 0 beyond a border that is NONE.
  std::size_t size() const { return _view.size(); }

  /// Whether the region crosses the border of the matrix in any dimension.
  bool is_border_region() const { return _at_border; }

  /// Whether the user sets the elements.
  bool is_custom_region() const { return _custom; }

  /// Per dimension whether the region crosses the {lower, higher} border of the matrix.
  const Border_t& border() const { return _border; }
  /// Whether the region crosses the {lower, higher} border in one dimension.
  BorderDim_t border_dim(dim_t dim) const { return _border[dim]; }
  /// Whether the region crosses the border at one side of one dimension.
  bool border_dim(dim_t dim, RegionPos pos) const {
    return pos == RegionPos::PRE ? _border[dim].first : _border[dim].second;
  }

  /// References to the elements in the matrix, in memory order; none for a custom region.
  iterator begin() const { return {_globmem, *_pattern, _view}; }
  /// The end of the elements; equal to begin() for a custom region.
  iterator end() const {
    return begin() + (_custom ? 0 : static_cast<typename iterator::index_type>(size()));
  }

  friend std::ostream& operator<<(std::ostream& os, const Region& region) {
    return os << "Region(" << region._spec << ", view " << region._view
              << (region._custom ? ", custom" : "") << ')';
  }

 private:
  RegionSpec_t _spec;
  ViewSpec_t _view;
  GlobMemT* _globmem;
  const PatternT* _pattern;
  Border_t _border;
  bool _custom;
  bool _at_border = false;
};

}  // namespace dash::halo
