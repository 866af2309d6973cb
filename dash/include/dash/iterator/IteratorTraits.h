#pragma once

#include <iterator>
#include <type_traits>

namespace dash {

template <class T, class PatternType, class GlobMemType, class PointerType, class ReferenceType>
class GlobIter;

template <class T, class PatternType, class GlobMemType, class PointerType, class ReferenceType>
class GlobViewIter;

template <class Source, class Map>
class ViewIterator;

namespace internal {

template <class It>
class GlobalSource;
template <class It>
class IteratorSource;

}  // namespace internal

namespace detail {

/// Iterators over a global index space. Native and global pointers are not.
template <class T>
struct is_global_iterator : std::false_type {};

template <class... Params>
struct is_global_iterator<GlobIter<Params...>> : std::true_type {};

template <class... Params>
struct is_global_iterator<GlobViewIter<Params...>> : std::true_type {};

template <class It, class Map>
struct is_global_iterator<ViewIterator<internal::GlobalSource<It>, Map>> : std::true_type {};

template <class It, class Map>
struct is_global_iterator<ViewIterator<internal::IteratorSource<It>, Map>>
    : is_global_iterator<It> {};

template <class T>
struct is_container_iterator : is_global_iterator<T> {};

template <class Source, class Map>
struct is_container_iterator<ViewIterator<Source, Map>> : std::false_type {};

template <class Iterator>
struct index_type_of {
  using type = typename std::iterator_traits<Iterator>::difference_type;
};
template <class Iterator>
requires(is_global_iterator<Iterator>::value) struct index_type_of<Iterator> {
  using type = typename Iterator::index_type;
};

}  // namespace detail

/// The traits of the standard library, and properties of global iterators.
/// \tparam Iterator  any iterator
/// \ingroup iterators
template <class Iterator>
struct iterator_traits : public std::iterator_traits<Iterator> {
  /// std::true_type for iterators over the elements of a container or a view on any unit; not for
  /// native and global pointers.
  using is_global_iterator = detail::is_global_iterator<Iterator>;
  using index_type = typename detail::index_type_of<Iterator>::type;
};

namespace internal {

template <class Iterator>
concept GlobalIterator = detail::is_global_iterator<std::remove_cvref_t<Iterator>>::value;

/// Iterators over a container or a box of it, without strides.
template <class Iterator>
concept ContainerIterator = detail::is_container_iterator<std::remove_cvref_t<Iterator>>::value;

}  // namespace internal

}  // namespace dash
