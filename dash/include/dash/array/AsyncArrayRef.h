#pragma once

#include <type_traits>

#include "dash/GlobAsyncRef.h"
#include "dash/Types.h"
#include "dash/internal/Unit.h"

namespace dash {

template <class T, typename IndexType, class PatternType, class LocalMemSpace>
class Array;

/// The elements of an Array, accessed without waiting: array.async[i] = value.
/// \threads any
template <class T, typename IndexType, class PatternType, class LocalMemSpace>
class AsyncArrayRef {
  using array_type = Array<T, IndexType, PatternType, LocalMemSpace>;

 public:
  using value_type = T;
  using index_type = IndexType;
  using size_type = std::make_unsigned_t<IndexType>;
  using reference = GlobAsyncRef<T>;
  using const_reference = GlobAsyncRef<const T>;
  using pattern_type = PatternType;

  explicit AsyncArrayRef(const array_type* array) noexcept : _array(array) {}

  size_type size() const { return _array->size(); }

  /// The element at a global index; no range check.
  reference operator[](index_type global_index) { return reference(_array->gptr_at(global_index)); }
  const_reference operator[](index_type global_index) const {
    return const_reference(_array->gptr_at(global_index));
  }

  /// \name Completes the caller's operations on the array: to all units, or to one
  /// \completion remote (flush), source (flush_local)
  /// @{
  void flush() const { _array->flush(); }
  void flush(team_unit_t unit) const { _array->flush(unit); }
  void flush_local() const { _array->flush_local(); }
  void flush_local(team_unit_t unit) const { _array->flush_local(unit); }
  /// @}

 private:
  const array_type* _array;
};

}  // namespace dash
