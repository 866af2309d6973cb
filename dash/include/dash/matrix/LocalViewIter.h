#pragma once

#include <array>
#include <cstddef>
#include <type_traits>

#include "dash/Types.h"
#include "dash/ViewSpec.h"
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
  /// For each dimension, the distance of neighbours in elements.
  using strides_type = std::array<IndexType, N>;

  /// The box.
  using viewspec_type = ViewSpec<NumDimensions, IndexType>;

  /// A singular iterator, which can only be assigned to.
  constexpr LocalViewIter() noexcept = default;
  /// Used by LocalMatrixRef: an iterator to the element at a position of the box that starts at
  /// `origin`.
  /// \param base  the caller's first element of the matrix
  LocalViewIter(T* base, T* origin, const viewspec_type& box, const strides_type& strides,
                index_type position) noexcept
      : Base(position), _base(base), _origin(origin), _box(box), _strides(strides) {}

  /// Offsets and extents of the view whose elements are iterated over.
  const viewspec_type& viewspec() const noexcept { return _box; }

  /// \cond internal
  T* base() const noexcept { return _base; }
  /// The number of elements from this one on that are known to be contiguous: to the end of the row.
  index_type contiguous_elements() const noexcept {
    constexpr std::size_t inner = Arrangement == ROW_MAJOR ? N - 1 : 0;
    if (_strides[inner] != 1) return 1;
    const auto extent = static_cast<index_type>(_box.extents()[inner]);
    return extent - this->position() % extent;
  }
  /// \endcond

 private:
  T* address(index_type position) const noexcept {
    index_type offset = 0;
    for (std::size_t i = N - 1; i > 0; --i) {
      const std::size_t d = Arrangement == ROW_MAJOR ? i : N - 1 - i;
      const auto extent = static_cast<index_type>(_box.extents()[d]);
      offset += position % extent * _strides[d];
      position /= extent;
    }
    return _origin + offset + position * _strides[Arrangement == ROW_MAJOR ? 0 : N - 1];
  }

  T* _base = nullptr;
  T* _origin = nullptr;
  viewspec_type _box;
  strides_type _strides{};
};

}  // namespace dash
