#pragma once

#include <array>
#include <cstddef>
#include <type_traits>
#include <utility>
#include <version>

#ifdef __cpp_lib_mdspan
#include <mdspan>
#endif

#include "dash/Cartesian.h"
#include "dash/Types.h"
#include "dash/ViewSpec.h"
#include "dash/matrix/LocalViewIter.h"
#include "dash/memory/MemorySpace.h"
#include "dash/pattern/TilePattern.h"

namespace dash {

namespace internal {

[[noreturn]] DASH_API void throw_sub_range(dim_t dimension, long long offset, long long extent,
                                           long long available);

/// \throws exception::OutOfRange unless offset + extent indices are available
template <class Index, class Size>
void check_sub_range(dim_t dimension, Index offset, Index extent, Size available) {
  if (offset < 0 || extent < 0 || offset > static_cast<Index>(available) ||
      extent > static_cast<Index>(available) - offset) {
    throw_sub_range(dimension, static_cast<long long>(offset), static_cast<long long>(extent),
                    static_cast<long long>(available));
  }
}

/// An array without its d-th value.
template <class V, std::size_t N>
constexpr std::array<V, N - 1> without(const std::array<V, N>& values, std::size_t d) {
  return [&]<std::size_t... I>(std::index_sequence<I...>) {
    return std::array<V, N - 1>{{values[I < d ? I : I + 1]...}};
  }
  (std::make_index_sequence<N - 1>());
}

}  // namespace internal

/// A box of the caller's elements of a matrix, as native memory addressed by local indices.
/// Valid for as long as the matrix is allocated.
/// \tparam NumViewDim  dimensions that are left; the others are fixed
/// \tparam UnitStride  whether the last of them is contiguous, known at compile time
/// \threads any, as native memory
template <class T, dim_t NumDimensions, dim_t NumViewDim = NumDimensions,
          class PatternType = TilePattern<NumDimensions>, class LocalMemSpace = HostSpace,
          bool UnitStride = PatternType::memory_order() == ROW_MAJOR>
class LocalMatrixRef {
  static constexpr std::size_t M = NumViewDim;
  static_assert(NumViewDim > 0 && NumViewDim <= NumDimensions);
  static_assert(PatternType::layout_properties::canonical,
                "dash::LocalMatrixRef: the pattern's local layout has to be canonical");

  template <class U, bool Unit>
  using slice_of =
      LocalMatrixRef<U, NumDimensions, NumViewDim - 1, PatternType, LocalMemSpace, Unit>;
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
  using iterator = LocalViewIter<T, NumViewDim, PatternType::memory_order(), index_type>;
  using const_iterator =
      LocalViewIter<const T, NumViewDim, PatternType::memory_order(), index_type>;
  using extents_type = std::array<size_type, M>;
  using offsets_type = std::array<index_type, M>;
  using viewspec_type = ViewSpec<NumViewDim, index_type>;
  template <dim_t NumSubDim>
  using view_type = LocalMatrixRef<T, NumDimensions, NumSubDim, PatternType, LocalMemSpace>;

  /// Without elements.
  constexpr LocalMatrixRef() noexcept = default;

  /// \param data  the element at `offsets`  \param strides  elements between neighbours
  LocalMatrixRef(T* data, const offsets_type& offsets, const extents_type& extents,
                 const offsets_type& strides, const PatternType* pattern) noexcept
      : _data(data), _strides(strides), _extents(extents), _offsets(offsets), _pattern(pattern) {}

  static constexpr dim_t ndim() { return NumViewDim; }

  size_type extent(dim_t dimension) const {
    internal::check_dimension(dimension, NumViewDim);
    return _extents[static_cast<std::size_t>(dimension)];
  }
  const extents_type& extents() const noexcept { return _extents; }
  /// Local coordinate of the first element.
  index_type offset(dim_t dimension) const {
    internal::check_dimension(dimension, NumViewDim);
    return _offsets[static_cast<std::size_t>(dimension)];
  }
  const offsets_type& offsets() const noexcept { return _offsets; }
  size_type size() const { return internal::product(_extents); }
  size_type local_size() const { return size(); }
  bool empty() const { return size() == 0; }
  viewspec_type viewspec() const { return viewspec_type(_offsets, _extents); }
  /// \pre the matrix is allocated
  const PatternType& pattern() const noexcept { return *_pattern; }
  Team& team() const noexcept { return _pattern->team(); }

  iterator begin() { return iterator(_data, _extents, _strides, 0); }
  iterator end() { return iterator(_data, _extents, _strides, static_cast<index_type>(size())); }
  const_iterator begin() const { return const_iterator(_data, _extents, _strides, 0); }
  const_iterator end() const {
    return const_iterator(_data, _extents, _strides, static_cast<index_type>(size()));
  }

  /// The first element, and the place behind the last one. What is between are the elements of this
  /// view only if it is contiguous, as a row or a range of rows is.
  T* lbegin() noexcept { return _data; }
  T* lend() { return _data + span(); }
  const T* lbegin() const noexcept { return _data; }
  const T* lend() const { return _data + span(); }

#ifdef __cpp_lib_mdspan
  /// The elements as the standard library's view of many dimensions.
  auto mdspan() const {
    using Extents = std::dextents<index_type, M>;
    return std::mdspan<T, Extents, std::layout_stride>(
        _data, std::layout_stride::mapping<Extents>(Extents(_extents), _strides));
  }
#endif

  /// The element at an index, or the slice; no range check.
  decltype(auto) operator[](index_type n) {
    if constexpr (NumViewDim == 1) {
      return element<T>(n);
    } else {
      return slice<T, UnitStride>(0, n);
    }
  }
  decltype(auto) operator[](index_type n) const {
    if constexpr (NumViewDim == 1) {
      return element<const T>(n);
    } else {
      return slice<const T, UnitStride>(0, n);
    }
  }

  /// The element at coordinates; no range check.
  template <internal::IntegerLike... Coords>
  requires(sizeof...(Coords) == M) T& operator()(Coords... coords) {
    return element<T>(coords...);
  }
  template <internal::IntegerLike... Coords>
  requires(sizeof...(Coords) == M) const T& operator()(Coords... coords) const {
    return element<const T>(coords...);
  }
  template <internal::IntegerLike... Coords>
  requires(sizeof...(Coords) == M) T& at(Coords... coords) {
    return element<T>(coords...);
  }
  template <internal::IntegerLike... Coords>
  requires(sizeof...(Coords) == M) const T& at(Coords... coords) const {
    return element<const T>(coords...);
  }
  T& at(const offsets_type& coords) {
    return _data[offset_of(coords)];
  }
  const T& at(const offsets_type& coords) const {
    return _data[offset_of(coords)];
  }

  /// The elements with one index in a dimension; no range check.
  template <dim_t SubDimension>
  requires(NumViewDim > 1) auto sub(index_type n) {
    return slice < T, UnitStride && SubDimension + 1 < NumViewDim > (SubDimension, n);
  }
  template <dim_t SubDimension>
  requires(NumViewDim > 1) auto sub(index_type n) const {
    return slice < const T, UnitStride && SubDimension + 1 < NumViewDim > (SubDimension, n);
  }

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

  auto row(index_type n) requires(NumViewDim > 1) {
    return sub<0>(n);
  }
  auto row(index_type n) const requires(NumViewDim > 1) {
    return sub<0>(n);
  }
  auto col(index_type n) requires(NumViewDim > 1) {
    return sub<1>(n);
  }
  auto col(index_type n) const requires(NumViewDim > 1) {
    return sub<1>(n);
  }
  auto rows(size_type offset, size_type extent) {
    return sub<0>(offset, extent);
  }
  auto rows(size_type offset, size_type extent) const {
    return sub<0>(offset, extent);
  }
  auto cols(size_type offset, size_type extent) requires(NumViewDim > 1) {
    return sub<1>(offset, extent);
  }
  auto cols(size_type offset, size_type extent) const requires(NumViewDim > 1) {
    return sub<1>(offset, extent);
  }

  /// One of the caller's blocks, by its index among them or its coordinates in their grid.
  same_of<T> block(index_type local_block_index) requires(NumViewDim == NumDimensions) {
    const auto view = _pattern->local_block_local(local_block_index);
    return same_of<T>(_data + offset_of(view.offsets()), view.offsets(), view.extents(), _strides,
                      _pattern);
  }
  same_of<T> block(const offsets_type& local_block_coords) requires(NumViewDim == NumDimensions) {
    return block(_pattern->local_blockspec().at(local_block_coords));
  }

 private:
  template <class U, class... Coords>
  U& element(Coords... coords) const {
    return _data[offset_of(offsets_type{{static_cast<index_type>(coords)...}})];
  }

  index_type offset_of(const offsets_type& coords) const noexcept {
    return [&]<std::size_t... I>(std::index_sequence<I...>) {
      // A stride of 1 that the compiler sees is what lets it vectorise the innermost loop.
      return (index_type{0} + ... +
              (UnitStride && I + 1 == M ? coords[I] : coords[I] * _strides[I]));
    }
    (std::make_index_sequence<M>());
  }

  template <class U, bool Unit>
  slice_of<U, Unit> slice(std::size_t dimension, index_type n) const {
    const index_type stride = UnitStride && dimension + 1 == M ? 1 : _strides[dimension];
    return slice_of<U, Unit>(_data + n * stride, internal::without(_offsets, dimension),
                             internal::without(_extents, dimension),
                             internal::without(_strides, dimension), _pattern);
  }

  template <class U>
  same_of<U> part(std::size_t dimension, size_type offset, size_type extent) const {
    internal::check_sub_range(static_cast<dim_t>(dimension), static_cast<index_type>(offset),
                              static_cast<index_type>(extent), _extents[dimension]);
    auto offsets = _offsets;
    auto extents = _extents;
    offsets[dimension] += static_cast<index_type>(offset);
    extents[dimension] = extent;
    return same_of<U>(_data + static_cast<index_type>(offset) * _strides[dimension], offsets,
                      extents, _strides, _pattern);
  }

  /// Elements of memory from the first to behind the last.
  index_type span() const {
    if (empty()) return 0;
    index_type last = 0;
    for (std::size_t d = 0; d < M; ++d) {
      last += (static_cast<index_type>(_extents[d]) - 1) * _strides[d];
    }
    return last + 1;
  }

  T* _data = nullptr;
  offsets_type _strides{};
  extents_type _extents{};
  offsets_type _offsets{};
  const PatternType* _pattern = nullptr;
};

}  // namespace dash
