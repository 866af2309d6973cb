#pragma once

#include <array>
#include <cstddef>
#include <type_traits>

#include "dash/Cartesian.h"
#include "dash/Types.h"
#include "dash/matrix/LocalMatrixRef.h"
#include "dash/matrix/internal/LocalIterBase.h"
#include "dash/matrix/internal/LocalMatrixRefBase.h"
#include "dash/matrix/internal/SubDimensions.h"

namespace dash {

/// Random access iterator over a box of the caller's elements of a matrix stored tile by tile, in
/// canonical order of the box. Valid until the matrix is deallocated.
/// \tparam T  const T for iterators that read only
/// \ingroup iterators
template <class T, class PatternType>
class LocalTileIter : public internal::LocalIterBase<LocalTileIter<T, PatternType>, T,
                                                     typename PatternType::index_type> {
  using Base = internal::LocalIterBase<LocalTileIter, T, typename PatternType::index_type>;
  friend Base;

 public:
  using typename Base::index_type;
  /// A box.
  using viewspec_type = typename PatternType::viewspec_type;
  /// Coordinates.
  using offsets_type = std::array<index_type, static_cast<std::size_t>(PatternType::ndim())>;

  /// A singular iterator, which can only be assigned to.
  constexpr LocalTileIter() noexcept = default;
  /// Used by LocalMatrixRef.
  /// \param base  the caller's first element  \param box  in local coordinates
  /// \param pattern  nullptr: iterates in memory order  \param offsets  for viewspec()
  LocalTileIter(T* base, const PatternType* pattern, const viewspec_type& box,
                const offsets_type& offsets, index_type position) noexcept
      : Base(position), _base(base), _pattern(pattern), _box(box), _offsets(offsets) {}

  /// Offsets and extents, in all dimensions of the matrix, of the view whose elements are iterated over.
  viewspec_type viewspec() const { return viewspec_type(_offsets, _box.extents()); }

  /// \cond internal
  T* base() const noexcept { return _base; }
  /// The number of elements from this one on that are known to be contiguous.
  static constexpr index_type contiguous_elements() noexcept { return 1; }
  /// \endcond

 private:
  T* address(index_type position) const {
    return _base +
           (_pattern == nullptr ? position : _pattern->local_at(_pattern->coords(position, _box)));
  }

  T* _base = nullptr;
  const PatternType* _pattern = nullptr;
  viewspec_type _box;
  offsets_type _offsets{};
};

/// LocalMatrixRef of a matrix stored tile by tile: elements are located through the pattern.
///
/// If tiles are distributed round-robin, local coordinates are those of a column of tiles. As a
/// range, the complete column consists of the caller's elements in memory order, even if some of
/// its tiles are partially filled. A part of it selected by coordinates must not include positions
/// without elements.
/// \ingroup containers
template <class T, dim_t NumDimensions, dim_t NumViewDim, class PatternType, class LocalMemSpace,
          bool UnitStride>
requires(!PatternType::layout_properties::canonical)  //
    class LocalMatrixRef<T, NumDimensions, NumViewDim, PatternType, LocalMemSpace, UnitStride>
    : public internal::LocalMatrixRefBase<
          LocalMatrixRef<T, NumDimensions, NumViewDim, PatternType, LocalMemSpace, UnitStride>, T,
          NumViewDim, PatternType> {
  using Base = internal::LocalMatrixRefBase<LocalMatrixRef, T, NumViewDim, PatternType>;
  friend Base;
  static_assert(NumViewDim > 0 && NumViewDim <= NumDimensions);

  template <class U>
  using slice_of =
      LocalMatrixRef<U, NumDimensions, NumViewDim - 1, PatternType, LocalMemSpace, UnitStride>;
  template <class U>
  using same_of =
      LocalMatrixRef<U, NumDimensions, NumViewDim, PatternType, LocalMemSpace, UnitStride>;

 public:
  using typename Base::extents_type;
  using typename Base::index_type;
  using typename Base::offsets_type;
  using typename Base::size_type;
  using iterator = LocalTileIter<T, PatternType>;
  using const_iterator = LocalTileIter<const T, PatternType>;
  /// A box in local coordinates of all dimensions.
  using box_type = typename PatternType::viewspec_type;
  /// The dimensions of the view, as those of the matrix.
  using dims_type = std::array<std::size_t, static_cast<std::size_t>(NumViewDim)>;
  template <dim_t NumSubDim>
  using view_type = LocalMatrixRef<T, NumDimensions, NumSubDim, PatternType, LocalMemSpace>;

  /// An empty view.
  constexpr LocalMatrixRef() noexcept = default;

  /// Used by Matrix and its views.
  /// \param base  the caller's first element  \param box  in local coordinates, for all dimensions
  /// \param dims  the dimensions of the view
  LocalMatrixRef(T* base, const PatternType* pattern, const box_type& box,
                 const dims_type& dims) noexcept
      : LocalMatrixRef(base, pattern, box, box.offsets(), dims) {}

  /// Extent in one dimension of the view.
  /// \throws exception::OutOfRange unless 0 <= dimension < ndim()
  size_type extent(dim_t dimension) const { return _box.extents()[origin_dim(dimension)]; }
  /// Extent in each dimension of the view.
  extents_type extents() const { return internal::selected(_box.extents(), _dims); }
  /// See offsets().
  /// \throws exception::OutOfRange unless 0 <= dimension < ndim()
  index_type offset(dim_t dimension) const { return _offsets[origin_dim(dimension)]; }
  /// Coordinates of the first element: as in DASH 0.4, global ones of a block() or a part of it, otherwise local ones.
  offsets_type offsets() const { return internal::selected(_offsets, _dims); }
  /// Local coordinates of the first element.
  offsets_type local_offsets() const { return internal::selected(_box.offsets(), _dims); }
  /// Number of elements of the view, all of the caller.
  size_type size() const { return is_column() ? _pattern->local_size() : _box.size(); }

  /// Iterator to the first element.
  iterator begin() { return iterator_at<iterator>(0); }
  /// The end of the elements.
  iterator end() { return iterator_at<iterator>(static_cast<index_type>(size())); }
  /// \overload
  const_iterator begin() const { return iterator_at<const_iterator>(0); }
  /// \overload
  const_iterator end() const {
    return iterator_at<const_iterator>(static_cast<index_type>(size()));
  }

  /// Address of the first element. The range [lbegin(), lend()) contains only elements of this view
  /// if the view is contiguous, like a tile or a range of complete rows of tiles.
  T* lbegin() { return _data + first(); }
  /// The end of the memory of the view, see lbegin().
  T* lend() { return _data + behind(); }
  /// \overload
  const T* lbegin() const { return _data + first(); }
  /// \overload
  const T* lend() const { return _data + behind(); }

  /// One of the caller's tiles, by its index or by its coordinates in the grid of the caller's
  /// tiles.
  same_of<T> block(index_type local_block_index) requires(NumViewDim == NumDimensions) {
    return same_of<T>(_data, _pattern, _pattern->local_block_local(local_block_index),
                      _pattern->local_block(local_block_index).offsets(), _dims);
  }
  /// \overload
  same_of<T> block(const offsets_type& local_block_coords) requires(NumViewDim == NumDimensions) {
    return block(_pattern->local_blockspec().at(local_block_coords));
  }

 private:
  template <class, dim_t, dim_t, class, class, bool>
  friend class LocalMatrixRef;

  using Base::_data;
  using Base::_pattern;
  using box_offsets_type = typename iterator::offsets_type;

  LocalMatrixRef(T* base, const PatternType* pattern, const box_type& box,
                 const box_offsets_type& offsets, const dims_type& dims) noexcept
      : Base(base, pattern), _box(box), _offsets(offsets), _dims(dims) {}

  std::size_t origin_dim(dim_t dimension) const {
    internal::check_dimension(dimension, NumViewDim);
    return _dims[static_cast<std::size_t>(dimension)];
  }

  index_type index_of(const offsets_type& coords) const {
    auto local = _box.offsets();
    for (std::size_t d = 0; d < coords.size(); ++d)
      local[_dims[d]] += coords[d];
    return _pattern->local_at(local);
  }

  /// The elements with other indices, relative to this view, in one of the dimensions of the view.
  template <class View>
  View resized(dim_t dimension, index_type offset, size_type extent,
               const typename View::dims_type& dims) const {
    const std::size_t d = _dims[static_cast<std::size_t>(dimension)];
    auto box = _box;
    box.resize_dim(static_cast<dim_t>(d), box.offsets()[d] + offset, extent);
    auto offsets = _offsets;
    offsets[d] += offset;
    return View(_data, _pattern, box, offsets, dims);
  }
  template <class U, dim_t SubDimension>
  slice_of<U> slice(index_type n) const {
    return resized<slice_of<U>>(SubDimension, n, 1, internal::without(_dims, SubDimension));
  }
  template <class U>
  same_of<U> part(dim_t dimension, index_type offset, size_type extent) const {
    return resized<same_of<U>>(dimension, offset, extent, _dims);
  }

  /// Whether the view contains all of the caller's elements, which do not form a box of the range
  /// (tiles distributed round-robin). Some of its coordinates may then belong to no element.
  bool is_column() const {
    if constexpr (PatternType::mapping_type::has_local_boxes) {
      return false;
    } else {
      return _pattern != nullptr && _box == box_type(_pattern->local_extents());
    }
  }
  template <class Iterator>
  Iterator iterator_at(index_type position) const {
    return Iterator(_data, is_column() ? nullptr : _pattern, _box, _offsets, position);
  }

  index_type first() const {
    return size() == 0 || is_column() ? 0 : _pattern->local_at(_box.offsets());
  }
  index_type behind() const {
    if (size() == 0) return 0;
    if (is_column()) return static_cast<index_type>(_pattern->local_size());
    auto last = _box.region().end;
    for (auto& coord : last)
      --coord;
    return _pattern->local_at(last) + 1;
  }

  box_type _box;
  box_offsets_type _offsets{};  // in all dimensions, see offsets()
  dims_type _dims{};
};

namespace internal {

/// A box of the caller's elements, given in local coordinates of all dimensions.
/// \param base  the caller's first element  \param dims  the dimensions of the view
template <class Local, class T, class Pattern, std::size_t M>
Local local_box_of(T* base, const Pattern& pattern, const typename Pattern::viewspec_type& box,
                   const std::array<std::size_t, M>& dims) {
  using Index = typename Pattern::index_type;
  if constexpr (Pattern::layout_properties::canonical) {
    const auto strides = canonical_strides<Pattern::memory_order(), Index>(pattern.local_extents());
    T* data = base;
    for (std::size_t d = 0; d < strides.size(); ++d)
      data += box.offsets()[d] * strides[d];
    return Local(base, data, selected(box.offsets(), dims), selected(box.extents(), dims),
                 selected(strides, dims), &pattern);
  } else {
    return Local(base, &pattern, box, dims);
  }
}

/// All of the caller's elements.
template <class Local, class T, class Pattern>
Local local_view_of(T* base, const Pattern& pattern) {
  return local_box_of<Local>(base, pattern,
                             typename Pattern::viewspec_type(pattern.local_extents()),
                             all_dimensions<static_cast<std::size_t>(Pattern::ndim())>());
}

}  // namespace internal

}  // namespace dash
