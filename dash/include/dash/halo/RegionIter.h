#pragma once

#include <array>
#include <compare>
#include <cstddef>
#include <cstdint>
#include <iterator>

#include "dash/GlobRef.h"
#include "dash/ViewSpec.h"
#include "dash/halo/Types.h"

namespace dash::halo {

/// Visits the elements of a region of a matrix in memory order, wherever they are.
/// \threads one at a time per object
template <typename ElementT, typename PatternT, typename GlobMemT>
class RegionIter {
 public:
  static constexpr dim_t NumDimensions = PatternT::ndim();

  using index_type = typename PatternT::index_type;
  using ViewSpec_t = ViewSpec<NumDimensions, index_type>;
  using Coords_t = std::array<index_type, NumDimensions>;

  using iterator_category = std::random_access_iterator_tag;
  using value_type = ElementT;
  using difference_type = std::ptrdiff_t;
  using pointer = void;
  using reference = GlobRef<ElementT>;

  RegionIter() = default;

  /// \param view      global coordinates of the elements
  /// \param position  of the element in the region
  RegionIter(GlobMemT& globmem, const PatternT& pattern, const ViewSpec_t& view,
             std::ptrdiff_t position)
      : _globmem(&globmem), _pattern(&pattern), _view(view), _position(position) {}

  static constexpr dim_t ndim() { return NumDimensions; }

  reference operator*() const { return (*this)[0]; }

  reference operator[](difference_type n) const {
    const auto place = _pattern->local_index(coords_at(_position + n));
    return reference(
        _globmem->gptr_at(place.unit, static_cast<std::uint64_t>(place.index) * sizeof(ElementT)));
  }

  /// Global coordinates of the element.
  Coords_t gcoords() const { return coords_at(_position); }

  /// Position in the region.
  index_type rpos() const { return static_cast<index_type>(_position); }

  /// Linear index of the element in the matrix.
  index_type gpos() const { return _pattern->global_at(gcoords()); }

  const ViewSpec_t& view() const { return _view; }
  const PatternT& pattern() const { return *_pattern; }
  GlobMemT& globmem() const { return *_globmem; }

  RegionIter& operator++() { return *this += 1; }
  RegionIter operator++(int) {
    auto before = *this;
    ++*this;
    return before;
  }
  RegionIter& operator--() { return *this -= 1; }
  RegionIter operator--(int) {
    auto before = *this;
    --*this;
    return before;
  }
  RegionIter& operator+=(difference_type n) {
    _position += n;
    return *this;
  }
  RegionIter& operator-=(difference_type n) { return *this += -n; }

  friend RegionIter operator+(RegionIter it, difference_type n) { return it += n; }
  friend RegionIter operator+(difference_type n, RegionIter it) { return it += n; }
  friend RegionIter operator-(RegionIter it, difference_type n) { return it -= n; }
  friend difference_type operator-(const RegionIter& a, const RegionIter& b) {
    return a._position - b._position;
  }
  friend bool operator==(const RegionIter& a, const RegionIter& b) {
    return a._position == b._position;
  }
  friend std::strong_ordering operator<=>(const RegionIter& a, const RegionIter& b) {
    return a._position <=> b._position;
  }

 private:
  Coords_t coords_at(std::ptrdiff_t position) const {
    Coords_t coords = _view.offsets();
    for (dim_t p = NumDimensions; p-- > 0;) {
      const dim_t d = PatternT::memory_order() == COL_MAJOR ? NumDimensions - 1 - p : p;
      const auto extent = static_cast<std::ptrdiff_t>(_view.extents()[d]);
      coords[d] += static_cast<index_type>(position % extent);
      position /= extent;
    }
    return coords;
  }

  GlobMemT* _globmem = nullptr;
  const PatternT* _pattern = nullptr;
  ViewSpec_t _view{};
  std::ptrdiff_t _position = 0;
};

}  // namespace dash::halo
