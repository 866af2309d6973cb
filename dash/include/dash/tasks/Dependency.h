#pragma once

#include <concepts>
#include <cstddef>
#include <iterator>
#include <ranges>
#include <span>
#include <type_traits>
#include <utility>
#include <vector>

#include "dash/GlobPtr.h"
#include "dash/async/TaskGraph.h"
#include "dash/internal/transfer/ContiguousBlocks.h"
#include "dash/iterator/IteratorTraits.h"

namespace dash::tasks {

/// A contiguous block of memory that a task uses, in the caller's process or in the global memory
/// of a unit.
/// \ingroup tasks
struct Dependency {
  exec::Access mode = exec::Access::in;  ///< whether the task reads, writes, or both
  const void* address = nullptr;         ///< of process memory; null for global memory
  dart_gptr_t gptr = DART_GPTR_NULL;     ///< of global memory
  std::size_t nbytes = 0;                ///< size of the block in bytes
};

/// The dependencies on several contiguous blocks, such as a range that spans several units.
/// \ingroup tasks
using Dependencies = std::vector<Dependency>;

namespace internal {

template <class T>
concept PointsToGlobal = requires(const T& t) {
  { t.dart_gptr() } -> std::convertible_to<dart_gptr_t>;
  typename T::value_type;
};

template <class R>
concept GlobalRange = requires(R& range) {
  { range.begin() } -> dash::internal::GlobalIterator;
  { range.end() } -> dash::internal::GlobalIterator;
};

template <class It>
Dependencies depend_on_range(exec::Access mode, const It& first, const It& last) {
  using T = std::remove_cv_t<typename It::value_type>;
  Dependencies result;
  dash::internal::for_each_contiguous_block(
      first, last, [&](const dart_gptr_t& gptr, std::size_t nelem, std::size_t) {
        result.push_back({mode, nullptr, gptr, nelem * sizeof(T)});
      });
  return result;
}

template <class T>
auto depend(exec::Access mode, T&& on) {
  using U = std::remove_cvref_t<T>;
  if constexpr (PointsToGlobal<U>) {
    return Dependency{mode, nullptr, on.dart_gptr(), sizeof(typename U::value_type)};
  } else if constexpr (std::is_pointer_v<U>) {
    static_assert(
        !std::is_void_v<std::remove_pointer_t<U>>,
        "dash: the size of the object at a void pointer is unknown; pass a typed pointer, or a "
        "number of elements of one byte");
    return Dependency{mode, on, DART_GPTR_NULL, sizeof(*on)};
  } else if constexpr (GlobalRange<U>) {
    return depend_on_range(mode, on.begin(), on.end());
  } else if constexpr (std::ranges::contiguous_range<U>) {
    return Dependency{mode, std::ranges::data(on), DART_GPTR_NULL,
                      std::ranges::size(on) * sizeof(std::ranges::range_value_t<U>)};
  } else {
    static_assert(std::is_lvalue_reference_v<T>,
                  "dash: a task cannot depend on a temporary object; name the object itself");
    return Dependency{mode, std::addressof(on), DART_GPTR_NULL, sizeof(on)};
  }
}

template <class T, std::integral N>
Dependency depend(exec::Access mode, T* first, N nelem) {
  return {mode, first, DART_GPTR_NULL, static_cast<std::size_t>(nelem) * sizeof(T)};
}

template <class T, class Mem, std::integral N>
Dependencies depend(exec::Access mode, const GlobPtr<T, Mem>& first, N nelem) {
  return depend_on_range(mode, first, first + static_cast<gptrdiff_t>(nelem));
}

template <class It>
requires(!std::integral<It>) auto depend(exec::Access mode, const It& first, const It& last) {
  if constexpr (std::contiguous_iterator<It>) {
    return depend(mode, std::to_address(first), last - first);
  } else {
    return depend_on_range(mode, first, last);
  }
}

}  // namespace internal

/// Memory that a task reads. The arguments are one of
///
///     object                    an object of this process, or an element: array[i], array.local[i]
///     pointer                   the object that a native or global pointer points to
///     range                     the elements of a contiguous range (vector, span, array), or of a
///                               global range (dash::Array, a view)
///     pointer, n                n elements; after a unit's last element, those of the next unit
///     first, last               the elements between two iterators, native or global
///
/// A native pointer to the caller's part of global memory and a global pointer to it are
/// equivalent.
/// \ingroup tasks
template <class... Args>
auto in(Args&&... args) {
  return internal::depend(exec::Access::in, std::forward<Args>(args)...);
}
/// Memory that a task writes; the arguments are those of in().
/// \ingroup tasks
template <class... Args>
auto out(Args&&... args) {
  return internal::depend(exec::Access::out, std::forward<Args>(args)...);
}
/// Memory that a task reads and writes; the arguments are those of in().
/// \ingroup tasks
template <class... Args>
auto inout(Args&&... args) {
  return internal::depend(exec::Access::inout, std::forward<Args>(args)...);
}

/// A copy requested by copyin(): dependencies on the source, and the buffer for the copy.
/// \ingroup tasks
struct CopyIn {
  Dependencies source;     ///< the elements to copy
  void* buffer = nullptr;  ///< memory for the copy, owned by the application
  std::size_t nbytes = 0;  ///< size of the copy in bytes
};

/// The task reads a copy of `n` elements of global memory in `buffer`. A separate task copies them
/// when their writers are done. Tasks of a phase that name the same source and buffer share the
/// copy, until a task writes the buffer or a task of this unit writes the source.
/// \param buffer  memory for n elements, reserved for the tasks until they have run
/// \ingroup tasks
template <class T, class Mem, std::integral N>
CopyIn copyin(const GlobPtr<T, Mem>& source, N n, std::remove_const_t<T>* buffer) {
  static_assert(std::is_trivially_copyable_v<T>,
                "dash: elements are copied between units as bytes");
  return {internal::depend(exec::Access::in, source, n), buffer,
          static_cast<std::size_t>(n) * sizeof(T)};
}

}  // namespace dash::tasks
