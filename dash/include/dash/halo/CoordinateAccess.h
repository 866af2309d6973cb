#pragma once

#include <array>
#include <cstddef>
#include <vector>

#include "dash/Exception.h"
#include "dash/ViewSpec.h"
#include "dash/halo/HaloMemory.h"
#include "dash/halo/Types.h"
#include "dash/halo/stencil/Box.h"

namespace dash::halo {

namespace internal {

/// Collects the coordinates of `access[i][j]...`; the last one yields the element.
template <typename AccessT, dim_t NumKnown>
class CoordinateChain {
  static constexpr dim_t N = AccessT::ndim();

 public:
  CoordinateChain(const AccessT& access, const Coords<N>& coords)
      : _access(access), _coords(coords) {}

  decltype(auto) operator[](coord_t coord) const {
    auto coords = _coords;
    coords[NumKnown] = coord;
    if constexpr (NumKnown + 1 == N) {
      return _access.at(coords);
    } else {
      return CoordinateChain<AccessT, NumKnown + 1>(_access, coords);
    }
  }

 private:
  const AccessT& _access;
  Coords<N> _coords;
};

}  // namespace internal

/// Access to the elements of a block and its halo by coordinates relative to the block: coordinates
/// that are negative or not less than the extent refer to the halo.
///
///     access[i][j]            any element
///     access.inner[i][j]      an element inside of the block, without a check
///     access.boundary[i][j]   any element
///
/// Access to a halo element waits for its region to arrive.
/// \threads thread-safe, for reading
/// \ingroup halo
template <typename HaloBlockT>
class CoordinateAccess {
  static constexpr dim_t N = HaloBlockT::ndim();

 public:
  /// Type of an element.
  using Element_t = typename HaloBlockT::Element_t;
  using index_type = typename HaloBlockT::index_type;
  /// A box of elements, as offsets and extents.
  using ViewSpec_t = typename HaloBlockT::ViewSpec_t;
  /// A range of coordinates in one dimension, [begin, end).
  using ViewRange_t = ViewRange<index_type>;
  /// A range of coordinates in each dimension.
  using Ranges_t = std::array<ViewRange_t, N>;
  /// The halo elements of the block.
  using HaloMemory_t = HaloMemory<HaloBlockT>;
  /// Coordinates relative to the block, which may be negative.
  using Coords_t = internal::Coords<N>;

  /// Elements whose stencil stays inside of the block; can access all elements of the block.
  class Inner {
   public:
    /// Used by CoordinateAccess, to which the object refers.
    explicit Inner(const CoordinateAccess& access) : _access(access) {}
    /// Number of dimensions.
    static constexpr dim_t ndim() { return N; }

    /// `inner[i][j]...` with one index for each dimension: an element of the block; no check.
    decltype(auto) operator[](std::ptrdiff_t coord) const { return chain(*this, coord); }
    /// An element of the block, given by its coordinates; no check.
    Element_t& at(const Coords_t& coords) const { return _access.local(coords); }

    /// The elements that need no halo element, as a range of coordinates in each dimension.
    Ranges_t ranges() const { return to_ranges(_access._block.view_inner()); }
    /// The range of ranges() in one dimension.
    ViewRange_t range_dim(dim_t dim) const { return ranges()[dim]; }

   private:
    const CoordinateAccess& _access;
  };

  /// Elements whose stencil reaches the halo.
  class Boundary {
   public:
    /// Used by CoordinateAccess, to which the object refers.
    explicit Boundary(const CoordinateAccess& access) : _access(access) {}
    /// Number of dimensions.
    static constexpr dim_t ndim() { return N; }

    /// `boundary[i][j]...` with one index for each dimension: as at().
    decltype(auto) operator[](std::ptrdiff_t coord) const { return chain(*this, coord); }
    /// Any element of the block or the halo, as CoordinateAccess::at().
    Element_t& at(const Coords_t& coords) const { return _access.at(coords); }

    /// One entry for each box of boundary elements.
    std::vector<Ranges_t> ranges() const {
      std::vector<Ranges_t> result;
      for (const auto& view : _access._block.boundary_views()) {
        result.push_back(to_ranges(view));
      }
      return result;
    }
    /// The ranges in one dimension, one entry for each box.
    std::vector<ViewRange_t> range_dim(dim_t dim) const {
      std::vector<ViewRange_t> result;
      for (const auto& box : ranges()) {
        result.push_back(box[dim]);
      }
      return result;
    }

   private:
    const CoordinateAccess& _access;
  };

  /// Access to the elements of the block, without checks.
  Inner inner;
  /// Access to all elements, and the ranges of those that need halo elements.
  Boundary boundary;

  /// Used by HaloMatrixWrapper::coordinate_access(). Refers to the block and its halo memory.
  /// \param local  the block's first element
  CoordinateAccess(const HaloBlockT& block, HaloMemory_t& memory, Element_t* local)
      : inner(*this), boundary(*this), _block(block), _memory(memory), _local(local) {}

  /// Copies refer to the same block.
  CoordinateAccess(const CoordinateAccess& other)
      : CoordinateAccess(other._block, other._memory, other._local) {}
  CoordinateAccess& operator=(const CoordinateAccess&) = delete;

  /// Number of dimensions.
  static constexpr dim_t ndim() { return N; }

  /// `access[i][j]...` with one index for each dimension: as at().
  decltype(auto) operator[](std::ptrdiff_t coord) const { return chain(*this, coord); }

  /// Any element, given by its coordinates relative to the block. Waits for the region of a halo
  /// element.
  /// \throws exception::OutOfRange if there is no element of the block or the halo,
  ///         exception::RuntimeError if no update has begun
  Element_t& at(const Coords_t& coords) const {
    const auto& env = _block.block_env();
    const auto region = env.region_at(coords);
    if (region == RegionCoords<N>::center_index()) return local(coords);
    if (!env.halo_box(region).contains(coords)) {
      DASH_THROW(exception::OutOfRange, "no halo element in region "
                                            << region << " at coordinate " << coords[0]
                                            << " in dimension 0, " << coords[N - 1]
                                            << " in dimension " << N - 1);
    }
    _memory.require(region);
    return _memory.first_element_at(
        region)[_memory.layout().region(region)(coords) - env.region_offset(region)];
  }

  /// The elements whose stencil stays inside of the domain.
  Ranges_t ranges() const { return to_ranges(_block.view_inner_with_boundaries()); }
  /// The range of ranges() in one dimension.
  ViewRange_t range_dim(dim_t dim) const { return ranges()[dim]; }

  /// The block.
  Ranges_t ranges_local() const { return to_ranges(_block.view_local()); }

  /// The block and its halo regions.
  Ranges_t ranges_halo() const {
    auto result = ranges_local();
    const auto& env = _block.block_env();
    for (region_index_t region = 0; region < env.NumRegions; ++region) {
      const auto box = env.halo_box(region);
      if (box.empty()) continue;
      for (dim_t d = 0; d < N; ++d) {
        result[d].begin = std::min(result[d].begin, static_cast<index_type>(box[d].begin));
        result[d].end = std::max(result[d].end, static_cast<index_type>(box[d].end));
      }
    }
    return result;
  }

 private:
  template <typename AccessT>
  static decltype(auto) chain(const AccessT& access, std::ptrdiff_t coord) {
    return internal::CoordinateChain<AccessT, 0>(access, Coords_t{})[coord];
  }

  static Ranges_t to_ranges(const ViewSpec_t& view) {
    Ranges_t result{};
    for (dim_t d = 0; d < N; ++d) {
      result[d] = view.range(d);
    }
    return result;
  }

  Element_t& local(const Coords_t& coords) const { return _local[_memory.layout().local(coords)]; }

  const HaloBlockT& _block;
  HaloMemory_t& _memory;
  Element_t* _local;
};

}  // namespace dash::halo
