#pragma once

#include <cstddef>
#include <iterator>
#include <ranges>
#include <type_traits>

#include "dash/Types.h"
#include "dash/ViewSpec.h"

namespace dash {

template <class T, typename IndexType, class PatternType, class LocalMemSpace>
class Array;

/// The caller's part of an Array, as native memory. Valid until the Array is deallocated.
/// \threads thread-safe, as native memory
/// \ingroup containers
template <class T, typename IndexType, class PatternType, class LocalMemSpace>
class LocalArrayRef {
 public:
  using value_type = T;
  using index_type = IndexType;
  using size_type = std::make_unsigned_t<IndexType>;
  using difference_type = IndexType;
  using reference = T&;
  using const_reference = const T&;
  using pointer = T*;
  using const_pointer = const T*;
  using iterator = T*;
  using const_iterator = const T*;
  using reverse_iterator = std::reverse_iterator<T*>;
  using const_reverse_iterator = std::reverse_iterator<const T*>;
  using pattern_type = PatternType;
  /// Number of dimensions: 1.
  using rank = std::integral_constant<dim_t, 1>;

  /// Refers to no elements; pattern() and is_local() must not be called.
  constexpr LocalArrayRef() noexcept = default;
  /// Used by Array: refers to the elements in [begin, end).
  LocalArrayRef(T* begin, T* end, const PatternType* pattern) noexcept
      : _begin(begin), _end(end), _pattern(pattern) {}

  /// Number of dimensions: 1.
  static constexpr dim_t ndim() { return 1; }

  /// Address of the first element.
  iterator begin() noexcept { return _begin; }
  /// The end of the elements.
  iterator end() noexcept { return _end; }
  /// \overload
  const_iterator begin() const noexcept { return _begin; }
  /// \overload
  const_iterator end() const noexcept { return _end; }
  /// Address of the first element.
  T* data() noexcept { return _begin; }
  /// \overload
  const T* data() const noexcept { return _begin; }

  /// Number of elements of the caller.
  size_type size() const noexcept { return static_cast<size_type>(_end - _begin); }
  /// Whether the caller has no element.
  bool empty() const noexcept { return _begin == _end; }

  /// The element at an index in the caller's memory; no range check.
  T& operator[](size_type local_index) noexcept { return _begin[local_index]; }
  /// \overload
  const T& operator[](size_type local_index) const noexcept { return _begin[local_index]; }

  /// Whether the element at a global index is local to the caller.
  bool is_local(index_type global_index) const { return _pattern->is_local(global_index); }
  /// The pattern of the array.
  const PatternType& pattern() const noexcept { return *_pattern; }

  /// The elements of one of the caller's blocks, by its index among them.
  LocalArrayRef block(index_type local_block_index) const {
    const auto view = _pattern->local_block_local(local_block_index);
    T* const begin = _begin + view.offset(0);
    return LocalArrayRef(begin, begin + view.extent(0), _pattern);
  }

 private:
  T* _begin = nullptr;
  T* _end = nullptr;
  const PatternType* _pattern = nullptr;
};

}  // namespace dash

/// \cond internal
// Iterators point into the array's memory, so they outlive this object.
template <class T, typename IndexType, class PatternType, class LocalMemSpace>
inline constexpr bool std::ranges::enable_borrowed_range<
    dash::LocalArrayRef<T, IndexType, PatternType, LocalMemSpace>> = true;
/// \endcond
