#pragma once

#include <array>
#include <cstddef>
#include <utility>
#include <version>

#ifdef __cpp_lib_mdspan
#include <mdspan>
#endif

#include "dash/Cartesian.h"
#include "dash/Types.h"
#include "dash/matrix/LocalViewIter.h"
#include "dash/matrix/internal/LocalMatrixRefBase.h"
#include "dash/matrix/internal/SubDimensions.h"
#include "dash/memory/MemorySpace.h"
#include "dash/pattern/TilePattern.h"

namespace dash {

/// A box of the caller's elements of a matrix, as native memory addressed by local indices. Valid
/// until the matrix is deallocated.
/// \tparam NumViewDim  number of dimensions of the view; the other dimensions have fixed indices
/// \tparam UnitStride  whether the last dimension of the view is known to be contiguous at compile
///         time
/// \threads thread-safe, as native memory
/// \ingroup containers
template <class T, dim_t NumDimensions, dim_t NumViewDim = NumDimensions,
          class PatternType = TilePattern<NumDimensions>, class LocalMemSpace = HostSpace,
          bool UnitStride = PatternType::memory_order() == ROW_MAJOR>
class LocalMatrixRef
    : public internal::LocalMatrixRefBase<
          LocalMatrixRef<T, NumDimensions, NumViewDim, PatternType, LocalMemSpace, UnitStride>, T,
          NumViewDim, PatternType> {
  using Base = internal::LocalMatrixRefBase<LocalMatrixRef, T, NumViewDim, PatternType>;
  friend Base;
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
  using typename Base::extents_type;
  using typename Base::index_type;
  using typename Base::offsets_type;
  using typename Base::size_type;
  using iterator = LocalViewIter<T, NumViewDim, PatternType::memory_order(), index_type>;
  using const_iterator =
      LocalViewIter<const T, NumViewDim, PatternType::memory_order(), index_type>;
  template <dim_t NumSubDim>
  using view_type = LocalMatrixRef<T, NumDimensions, NumSubDim, PatternType, LocalMemSpace>;

  /// An empty view.
  constexpr LocalMatrixRef() noexcept = default;

  /// Used by Matrix and its views.
  /// \param base  the caller's first element  \param data  the first element of the view
  /// \param offsets  see offsets()  \param strides  distances of neighbours, in elements
  LocalMatrixRef(T* base, T* data, const offsets_type& offsets, const extents_type& extents,
                 const offsets_type& strides, const PatternType* pattern) noexcept
      : Base(data, pattern), _base(base), _strides(strides), _extents(extents), _offsets(offsets) {}

  /// Extent in one dimension of the view.
  /// \throws exception::OutOfRange unless 0 <= dimension < ndim()
  size_type extent(dim_t dimension) const {
    internal::check_dimension(dimension, NumViewDim);
    return _extents[static_cast<std::size_t>(dimension)];
  }
  /// Extent in each dimension of the view.
  const extents_type& extents() const noexcept { return _extents; }
  /// See offsets().
  /// \throws exception::OutOfRange unless 0 <= dimension < ndim()
  index_type offset(dim_t dimension) const {
    internal::check_dimension(dimension, NumViewDim);
    return _offsets[static_cast<std::size_t>(dimension)];
  }
  /// Coordinates of the first element: as in DASH 0.4, global ones of a block() or a part of it, otherwise local ones.
  const offsets_type& offsets() const noexcept { return _offsets; }
  /// Local coordinates of the first element.
  offsets_type local_offsets() const requires(NumViewDim == NumDimensions) {
    using Space = CartesianIndexSpace<NumDimensions, PatternType::memory_order(), index_type>;
    if (_pattern->local_size() == 0) return {};
    return Space(_pattern->local_extents()).coords(_data - _base);
  }
  /// Number of elements of the view, all of the caller.
  size_type size() const { return internal::product(_extents); }

  /// Iterator to the first element, in the order of the pattern: row-major or column-major.
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
  /// if the view is contiguous, like a row or a range of rows.
  T* lbegin() noexcept { return _data; }
  /// The end of the memory of the view, see lbegin().
  T* lend() { return _data + span(); }
  /// \overload
  const T* lbegin() const noexcept { return _data; }
  /// \overload
  const T* lend() const { return _data + span(); }

#ifdef __cpp_lib_mdspan
  /// The elements as a std::mdspan.
  auto mdspan() const {
    using Extents = std::dextents<index_type, M>;
    return std::mdspan<T, Extents, std::layout_stride>(
        _data, std::layout_stride::mapping<Extents>(Extents(_extents), _strides));
  }
#endif

  /// One of the caller's blocks, by its index or by its coordinates in the grid of the caller's
  /// blocks.
  same_of<T> block(index_type local_block_index) requires(NumViewDim == NumDimensions) {
    const auto local = _pattern->local_block_local(local_block_index);
    return same_of<T>(_base, _base + index_of(local.offsets()),
                      _pattern->local_block(local_block_index).offsets(), local.extents(), _strides,
                      _pattern);
  }
  /// \overload
  same_of<T> block(const offsets_type& local_block_coords) requires(NumViewDim == NumDimensions) {
    return block(_pattern->local_blockspec().at(local_block_coords));
  }

 private:
  using Base::_data;
  using Base::_pattern;

  template <class Iterator>
  Iterator iterator_at(index_type position) const {
    return Iterator(_base, _data, this->viewspec(), _strides, position);
  }

  index_type index_of(const offsets_type& coords) const noexcept {
    return [&]<std::size_t... I>(std::index_sequence<I...>) {
      // A stride of 1 known at compile time allows the compiler to vectorize the innermost loop.
      return (index_type{0} + ... +
              (UnitStride && I + 1 == M ? coords[I] : coords[I] * _strides[I]));
    }
    (std::make_index_sequence<M>());
  }

  template <class U, dim_t SubDimension>
  auto slice(index_type n) const {
    constexpr auto d = static_cast<std::size_t>(SubDimension);
    constexpr bool unit_stride = UnitStride && d + 1 < M;
    const index_type stride = UnitStride && d + 1 == M ? 1 : _strides[d];
    return slice_of<U, unit_stride>(_base, _data + n * stride, internal::without(_offsets, d),
                                    internal::without(_extents, d), internal::without(_strides, d),
                                    _pattern);
  }

  template <class U>
  same_of<U> part(dim_t dimension, index_type offset, size_type extent) const {
    const auto d = static_cast<std::size_t>(dimension);
    auto offsets = _offsets;
    auto extents = _extents;
    offsets[d] += offset;
    extents[d] = extent;
    return same_of<U>(_base, _data + offset * _strides[d], offsets, extents, _strides, _pattern);
  }

  /// Number of elements of memory from the first element to past the last.
  index_type span() const {
    if (size() == 0) return 0;
    index_type last = 0;
    for (std::size_t d = 0; d < M; ++d) {
      last += (static_cast<index_type>(_extents[d]) - 1) * _strides[d];
    }
    return last + 1;
  }

  T* _base = nullptr;
  offsets_type _strides{};
  extents_type _extents{};
  offsets_type _offsets{};
};

}  // namespace dash
