#pragma once

#include <array>
#include <cstddef>
#include <type_traits>

#include "dash/Types.h"
#include "dash/matrix/internal/LocalIterBase.h"

namespace dash {

/// Random access iterator over a box of native memory with strided rows. Valid as long as the
/// memory, even after the view is destroyed.
/// \tparam T  const T for read-only iterators
/// \ingroup iterators
template <class T, dim_t NumDimensions, MemArrange Arrangement = ROW_MAJOR,
          typename IndexType = default_index_t>
class LocalViewIter
    : public internal::LocalIterBase<LocalViewIter<T, NumDimensions, Arrangement, IndexType>, T,
                                     IndexType> {
  using Base = internal::LocalIterBase<LocalViewIter, T, IndexType>;
  friend Base;
  static constexpr std::size_t N = NumDimensions;

 public:
  using typename Base::index_type;
  /// One extent for each dimension.
  using extents_type = std::array<std::make_unsigned_t<IndexType>, N>;
  /// For each dimension, the distance of neighbours in elements.
  using strides_type = std::array<IndexType, N>;

  /// A singular iterator, which can only be assigned to.
  constexpr LocalViewIter() noexcept = default;
  /// Used by LocalMatrixRef: an iterator to the element at a position of the box that starts at
  /// `origin`.
  LocalViewIter(T* origin, const extents_type& extents, const strides_type& strides,
                index_type position) noexcept
      : Base(position), _origin(origin), _extents(extents), _strides(strides) {}

 private:
  T* address(index_type position) const noexcept {
    index_type offset = 0;
    for (std::size_t i = N - 1; i > 0; --i) {
      const std::size_t d = Arrangement == ROW_MAJOR ? i : N - 1 - i;
      const auto extent = static_cast<index_type>(_extents[d]);
      offset += position % extent * _strides[d];
      position /= extent;
    }
    return _origin + offset + position * _strides[Arrangement == ROW_MAJOR ? 0 : N - 1];
  }

  T* _origin = nullptr;
  extents_type _extents{};
  strides_type _strides{};
};

}  // namespace dash
