#pragma once

#include <array>
#include <compare>
#include <cstddef>
#include <iterator>
#include <type_traits>

#include "dash/Types.h"

namespace dash {

/// Random access iterator over a box of native memory whose rows lie a stride apart.
/// Valid for as long as the memory, also when the view that it was taken from is gone.
/// \tparam T  const T for iterators that read only
template <class T, dim_t NumDimensions, MemArrange Arrangement = ROW_MAJOR,
          typename IndexType = default_index_t>
class LocalViewIter {
  static constexpr std::size_t N = NumDimensions;

 public:
  using iterator_category = std::random_access_iterator_tag;
  using value_type = std::remove_cv_t<T>;
  using difference_type = IndexType;
  using index_type = IndexType;
  using pointer = T*;
  using reference = T&;
  using extents_type = std::array<std::make_unsigned_t<IndexType>, N>;
  using strides_type = std::array<IndexType, N>;

  constexpr LocalViewIter() noexcept = default;
  LocalViewIter(T* origin, const extents_type& extents, const strides_type& strides,
                index_type position) noexcept
      : _origin(origin), _extents(extents), _strides(strides), _position(position) {}

  reference operator*() const noexcept { return *address(_position); }
  pointer operator->() const noexcept { return address(_position); }
  reference operator[](index_type n) const noexcept { return *address(_position + n); }
  T* local() const noexcept { return address(_position); }
  static constexpr bool is_local() noexcept { return true; }
  /// Position in the box.
  index_type pos() const noexcept { return _position; }
  index_type rpos() const noexcept { return _position; }

  LocalViewIter& operator++() noexcept { return *this += 1; }
  LocalViewIter& operator--() noexcept { return *this -= 1; }
  LocalViewIter operator++(int) noexcept {
    LocalViewIter before = *this;
    ++_position;
    return before;
  }
  LocalViewIter operator--(int) noexcept {
    LocalViewIter before = *this;
    --_position;
    return before;
  }
  LocalViewIter& operator+=(index_type n) noexcept {
    _position += n;
    return *this;
  }
  LocalViewIter& operator-=(index_type n) noexcept {
    _position -= n;
    return *this;
  }
  friend LocalViewIter operator+(LocalViewIter it, index_type n) noexcept { return it += n; }
  friend LocalViewIter operator+(index_type n, LocalViewIter it) noexcept { return it += n; }
  friend LocalViewIter operator-(LocalViewIter it, index_type n) noexcept { return it -= n; }
  friend index_type operator-(const LocalViewIter& a, const LocalViewIter& b) noexcept {
    return a._position - b._position;
  }
  friend bool operator==(const LocalViewIter& a, const LocalViewIter& b) noexcept {
    return a._position == b._position;
  }
  friend std::strong_ordering operator<=>(const LocalViewIter& a, const LocalViewIter& b) noexcept {
    return a._position <=> b._position;
  }

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
  index_type _position = 0;
};

}  // namespace dash
