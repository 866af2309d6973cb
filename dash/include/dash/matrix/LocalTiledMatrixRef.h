#pragma once

#include <array>
#include <compare>
#include <cstddef>
#include <iterator>
#include <type_traits>
#include <utility>

#include "dash/Cartesian.h"
#include "dash/Types.h"
#include "dash/ViewSpec.h"
#include "dash/matrix/LocalMatrixRef.h"

namespace dash {

/// Random access iterator over a box of the caller's elements of a matrix that lie tile by tile, in
/// canonical order of the box. Valid for as long as the matrix is allocated.
/// \tparam T  const T for iterators that read only
template <class T, class PatternType>
class LocalTileIter {
 public:
  using iterator_category = std::random_access_iterator_tag;
  using value_type = std::remove_cv_t<T>;
  using index_type = typename PatternType::index_type;
  using difference_type = index_type;
  using pointer = T*;
  using reference = T&;
  using viewspec_type = typename PatternType::viewspec_type;

  constexpr LocalTileIter() noexcept = default;
  /// \param base  the caller's first element  \param box  in local coordinates
  /// \param pattern  nullptr: the elements in the order of memory
  LocalTileIter(T* base, const PatternType* pattern, const viewspec_type& box,
                index_type position) noexcept
      : _base(base), _pattern(pattern), _box(box), _position(position) {}

  reference operator*() const { return *address(_position); }
  pointer operator->() const { return address(_position); }
  reference operator[](index_type n) const { return *address(_position + n); }
  T* local() const { return address(_position); }
  static constexpr bool is_local() noexcept { return true; }
  /// Position in the box.
  index_type pos() const noexcept { return _position; }
  index_type rpos() const noexcept { return _position; }

  LocalTileIter& operator++() noexcept { return *this += 1; }
  LocalTileIter& operator--() noexcept { return *this -= 1; }
  LocalTileIter operator++(int) noexcept {
    LocalTileIter before = *this;
    ++_position;
    return before;
  }
  LocalTileIter operator--(int) noexcept {
    LocalTileIter before = *this;
    --_position;
    return before;
  }
  LocalTileIter& operator+=(index_type n) noexcept {
    _position += n;
    return *this;
  }
  LocalTileIter& operator-=(index_type n) noexcept {
    _position -= n;
    return *this;
  }
  friend LocalTileIter operator+(LocalTileIter it, index_type n) noexcept { return it += n; }
  friend LocalTileIter operator+(index_type n, LocalTileIter it) noexcept { return it += n; }
  friend LocalTileIter operator-(LocalTileIter it, index_type n) noexcept { return it -= n; }
  friend index_type operator-(const LocalTileIter& a, const LocalTileIter& b) noexcept {
    return a._position - b._position;
  }
  friend bool operator==(const LocalTileIter& a, const LocalTileIter& b) noexcept {
    return a._position == b._position;
  }
  friend std::strong_ordering operator<=>(const LocalTileIter& a, const LocalTileIter& b) noexcept {
    return a._position <=> b._position;
  }

 private:
  T* address(index_type position) const {
    return _base +
           (_pattern == nullptr ? position : _pattern->local_at(_pattern->coords(position, _box)));
  }

  T* _base = nullptr;
  const PatternType* _pattern = nullptr;
  viewspec_type _box;
  index_type _position = 0;
};

/// The same of a matrix that lies tile by tile: an element is found through the pattern.
///
/// Where tiles are dealt in turn, local coordinates are those of a column of tiles. As a range, the
/// whole column is the caller's elements in the order of memory, also if it has tiles that are not
/// full; a part of it that was cut by coordinates must not have any that are of no element.
template <class T, dim_t NumDimensions, dim_t NumViewDim, class PatternType, class LocalMemSpace,
          bool UnitStride>
requires(!PatternType::layout_properties::canonical)  //
    class LocalMatrixRef<T, NumDimensions, NumViewDim, PatternType, LocalMemSpace, UnitStride> {
  static constexpr std::size_t N = NumDimensions;
  static constexpr std::size_t M = NumViewDim;
  static_assert(NumViewDim > 0 && NumViewDim <= NumDimensions);

  template <class U>
  using slice_of =
      LocalMatrixRef<U, NumDimensions, NumViewDim - 1, PatternType, LocalMemSpace, UnitStride>;
  template <class U>
  using same_of =
      LocalMatrixRef<U, NumDimensions, NumViewDim, PatternType, LocalMemSpace, UnitStride>;

 public:
  using value_type = T;
  using pattern_type = PatternType;
  using index_type = typename PatternType::index_type;
  using size_type = typename PatternType::size_type;
  using difference_type = index_type;
  using reference = T&;
  using const_reference = const T&;
  using pointer = T*;
  using iterator = LocalTileIter<T, PatternType>;
  using const_iterator = LocalTileIter<const T, PatternType>;
  using extents_type = std::array<size_type, M>;
  using offsets_type = std::array<index_type, M>;
  using viewspec_type = ViewSpec<NumViewDim, index_type>;
  using box_type = typename PatternType::viewspec_type;
  using dims_type = std::array<std::size_t, M>;
  template <dim_t NumSubDim>
  using view_type = LocalMatrixRef<T, NumDimensions, NumSubDim, PatternType, LocalMemSpace>;

  /// Without elements.
  constexpr LocalMatrixRef() noexcept = default;

  /// \param base  the caller's first element  \param box  in local coordinates, of all dimensions
  /// \param dims  the dimensions that are left
  LocalMatrixRef(T* base, const PatternType* pattern, const box_type& box,
                 const dims_type& dims) noexcept
      : _base(base), _pattern(pattern), _box(box), _dims(dims) {}

  static constexpr dim_t ndim() { return NumViewDim; }

  size_type extent(dim_t dimension) const { return _box.extents()[origin_dim(dimension)]; }
  extents_type extents() const { return selected<size_type>(_box.extents()); }
  /// Local coordinate of the first element.
  index_type offset(dim_t dimension) const { return _box.offsets()[origin_dim(dimension)]; }
  offsets_type offsets() const { return selected<index_type>(_box.offsets()); }
  size_type size() const { return is_column() ? _pattern->local_size() : _box.size(); }
  size_type local_size() const { return size(); }
  bool empty() const { return size() == 0; }
  viewspec_type viewspec() const { return viewspec_type(offsets(), extents()); }
  /// \pre the matrix is allocated
  const PatternType& pattern() const noexcept { return *_pattern; }
  Team& team() const noexcept { return _pattern->team(); }

  iterator begin() { return iterator_at<iterator>(0); }
  iterator end() { return iterator_at<iterator>(static_cast<index_type>(size())); }
  const_iterator begin() const { return iterator_at<const_iterator>(0); }
  const_iterator end() const {
    return iterator_at<const_iterator>(static_cast<index_type>(size()));
  }

  /// The first element, and the place behind the last one. What is between are the elements of this
  /// view only if it is contiguous, as a tile or a range of whole rows of tiles is.
  T* lbegin() { return _base + first(); }
  T* lend() { return _base + behind(); }
  const T* lbegin() const { return _base + first(); }
  const T* lend() const { return _base + behind(); }

  /// The element at an index, or the slice; no range check.
  decltype(auto) operator[](index_type n) {
    if constexpr (NumViewDim == 1) {
      return element<T>(n);
    } else {
      return slice<T>(0, n);
    }
  }
  decltype(auto) operator[](index_type n) const {
    if constexpr (NumViewDim == 1) {
      return element<const T>(n);
    } else {
      return slice<const T>(0, n);
    }
  }

  /// The element at coordinates; no range check.
  template <internal::IntegerLike... Coords>
  requires(sizeof...(Coords) == M) T& operator()(Coords... coords) { return element<T>(coords...); }
  template <internal::IntegerLike... Coords>
  requires(sizeof...(Coords) == M) const T& operator()(Coords... coords) const {
    return element<const T>(coords...);
  }
  template <internal::IntegerLike... Coords>
  requires(sizeof...(Coords) == M) T& at(Coords... coords) { return element<T>(coords...); }
  template <internal::IntegerLike... Coords>
  requires(sizeof...(Coords) == M) const T& at(Coords... coords) const {
    return element<const T>(coords...);
  }
  T& at(const offsets_type& coords) { return _base[index_of(coords)]; }
  const T& at(const offsets_type& coords) const { return _base[index_of(coords)]; }

  /// The elements with one index in a dimension; no range check.
  template <dim_t SubDimension>
  requires(NumViewDim > 1) auto sub(index_type n) { return slice<T>(SubDimension, n); }
  template <dim_t SubDimension>
  requires(NumViewDim > 1) auto sub(index_type n) const { return slice<const T>(SubDimension, n); }

  /// The elements with `extent` consecutive indices in a dimension.
  /// \throws exception::OutOfRange unless this view has so many from `offset` on
  template <dim_t SubDimension>
  same_of<T> sub(size_type offset, size_type extent) {
    return part<T>(SubDimension, offset, extent);
  }
  template <dim_t SubDimension>
  same_of<const T> sub(size_type offset, size_type extent) const {
    return part<const T>(SubDimension, offset, extent);
  }

  auto row(index_type n) requires(NumViewDim > 1) { return sub<0>(n); }
  auto row(index_type n) const requires(NumViewDim > 1) { return sub<0>(n); }
  auto col(index_type n) requires(NumViewDim > 1) { return sub<1>(n); }
  auto col(index_type n) const requires(NumViewDim > 1) { return sub<1>(n); }
  auto rows(size_type offset, size_type extent) { return sub<0>(offset, extent); }
  auto rows(size_type offset, size_type extent) const { return sub<0>(offset, extent); }
  auto cols(size_type offset, size_type extent) requires(NumViewDim > 1) {
    return sub<1>(offset, extent);
  }
  auto cols(size_type offset, size_type extent) const requires(NumViewDim > 1) {
    return sub<1>(offset, extent);
  }

  /// One of the caller's tiles, by its index among them or its coordinates in their grid.
  same_of<T> block(index_type local_block_index) requires(NumViewDim == NumDimensions) {
    return same_of<T>(_base, _pattern, _pattern->local_block_local(local_block_index), _dims);
  }
  same_of<T> block(const offsets_type& local_block_coords) requires(NumViewDim == NumDimensions) {
    return block(_pattern->local_blockspec().at(local_block_coords));
  }

 private:
  std::size_t origin_dim(dim_t dimension) const {
    internal::check_dimension(dimension, NumViewDim);
    return _dims[static_cast<std::size_t>(dimension)];
  }

  template <class V>
  std::array<V, M> selected(const std::array<V, N>& values) const {
    std::array<V, M> result{};
    for (std::size_t d = 0; d < M; ++d)
      result[d] = values[_dims[d]];
    return result;
  }

  index_type index_of(const offsets_type& coords) const {
    auto local = _box.offsets();
    for (std::size_t d = 0; d < M; ++d)
      local[_dims[d]] += coords[d];
    return _pattern->local_at(local);
  }
  template <class U, class... Coords>
  U& element(Coords... coords) const {
    return _base[index_of(offsets_type{{static_cast<index_type>(coords)...}})];
  }

  template <class U>
  slice_of<U> slice(std::size_t sub_dimension, index_type n) const {
    const auto dimension = static_cast<dim_t>(_dims[sub_dimension]);
    auto box = _box;
    box.resize_dim(dimension, box.offset(dimension) + n, 1);
    return slice_of<U>(_base, _pattern, box, internal::without(_dims, sub_dimension));
  }

  template <class U>
  same_of<U> part(std::size_t sub_dimension, size_type offset, size_type extent) const {
    const auto dimension = static_cast<dim_t>(_dims[sub_dimension]);
    internal::check_sub_range(static_cast<dim_t>(sub_dimension), static_cast<index_type>(offset),
                              static_cast<index_type>(extent), _box.extent(dimension));
    auto box = _box;
    box.resize_dim(dimension, box.offset(dimension) + static_cast<index_type>(offset), extent);
    return same_of<U>(_base, _pattern, box, _dims);
  }

  /// Whether this is all that the caller has of tiles that are no box of the range; not all of its
  /// coordinates need be of elements then.
  bool is_column() const {
    if constexpr (PatternType::mapping_type::has_local_boxes) {
      return false;
    } else {
      return _pattern != nullptr && _box == box_type(_pattern->local_extents());
    }
  }
  template <class Iterator>
  Iterator iterator_at(index_type position) const {
    return Iterator(_base, is_column() ? nullptr : _pattern, _box, position);
  }

  index_type first() const {
    return empty() || is_column() ? 0 : _pattern->local_at(_box.offsets());
  }
  index_type behind() const {
    if (empty()) return 0;
    if (is_column()) return static_cast<index_type>(_pattern->local_size());
    auto last = _box.region().end;
    for (auto& coord : last)
      --coord;
    return _pattern->local_at(last) + 1;
  }

  T* _base = nullptr;
  const PatternType* _pattern = nullptr;
  box_type _box;
  dims_type _dims{};
};

namespace internal {

/// A box of the caller's elements, given in local coordinates of all dimensions.
/// \param base  the caller's first element  \param dims  the dimensions that are left
template <class Local, class T, class Pattern, std::size_t M>
Local local_box_of(T* base, const Pattern& pattern, const typename Pattern::viewspec_type& box,
                   const std::array<std::size_t, M>& dims) {
  using Index = typename Pattern::index_type;
  if constexpr (Pattern::layout_properties::canonical) {
    const auto strides = canonical_strides<Pattern::memory_order(), Index>(pattern.local_extents());
    typename Local::offsets_type offsets{};
    typename Local::offsets_type view_strides{};
    typename Local::extents_type extents{};
    for (std::size_t d = 0; d < M; ++d) {
      offsets[d] = box.offsets()[dims[d]];
      extents[d] = box.extents()[dims[d]];
      view_strides[d] = strides[dims[d]];
    }
    for (std::size_t d = 0; d < strides.size(); ++d)
      base += box.offsets()[d] * strides[d];
    return Local(base, offsets, extents, view_strides, &pattern);
  } else {
    return Local(base, &pattern, box, dims);
  }
}

template <std::size_t N>
constexpr std::array<std::size_t, N> all_dimensions() {
  std::array<std::size_t, N> dims{};
  for (std::size_t d = 0; d < N; ++d)
    dims[d] = d;
  return dims;
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
