#pragma once

#include <algorithm>
#include <cstddef>
#include <initializer_list>
#include <ranges>
#include <type_traits>
#include <utility>
#include <vector>

#include "dash/Types.h"
#include "dash/iterator/PositionIterator.h"

namespace dash {

/// A concatenation of several views as one random access range; an element of several views occurs
/// several times. Iterators are valid as long as this object.
/// \threads thread-safe
/// \tparam ViewType  a view with a const operator[]
/// \ingroup views
template <class ViewType>
class CompositeView {
 public:
  using view_type = ViewType;
  using index_type = typename ViewType::index_type;
  using size_type = std::make_unsigned_t<index_type>;
  using value_type = std::ranges::range_value_t<const ViewType>;
  using reference = std::ranges::range_reference_t<const ViewType>;
  /// Number of dimensions: 1.
  using rank = std::integral_constant<dim_t, 1>;

  class iterator;
  using const_iterator = iterator;

  /// Concatenates the views in their order; see set_union().
  explicit CompositeView(std::vector<ViewType> views) : _views(std::move(views)) {
    _ends.reserve(_views.size());
    for (const auto& view : _views)
      _ends.push_back(static_cast<index_type>(size() + view.size()));
  }

  /// Number of dimensions: 1.
  static constexpr dim_t ndim() { return 1; }
  /// Iterator to the first element of the first view that is not empty.
  iterator begin() const { return iterator(this, 0); }
  /// The end of the last view.
  iterator end() const { return iterator(this, static_cast<index_type>(size())); }
  /// Number of elements of all views.
  size_type size() const { return _ends.empty() ? 0 : static_cast<size_type>(_ends.back()); }
  /// Whether no view has an element.
  bool empty() const { return size() == 0; }
  /// The views that are concatenated.
  const std::vector<ViewType>& views() const { return _views; }

  /// The n-th element of the concatenation. \cost logarithmic in the number of views
  reference operator[](index_type n) const {
    const auto end = std::upper_bound(_ends.begin(), _ends.end(), n);
    const auto view = static_cast<std::size_t>(end - _ends.begin());
    return _views[view][view == 0 ? n : n - _ends[view - 1]];
  }

 private:
  std::vector<ViewType> _views;
  std::vector<index_type> _ends;
};

/// Random access iterator over the elements of a CompositeView.
template <class ViewType>
class CompositeView<ViewType>::iterator
    : public internal::PositionIterator<typename CompositeView<ViewType>::iterator, index_type> {
  using Base = internal::PositionIterator<iterator, index_type>;

 public:
  using value_type = typename CompositeView::value_type;
  using reference = typename CompositeView::reference;
  using pointer = void;

  /// A singular iterator, which can only be assigned to.
  iterator() = default;
  /// Used by CompositeView.
  iterator(const CompositeView* views, index_type position) : Base(position), _views(views) {}

  /// The element, or a reference to it.
  reference operator*() const { return (*this)[0]; }
  /// The element at a distance of n.
  reference operator[](index_type n) const { return (*_views)[pos() + n]; }
  /// Position in the concatenation.
  index_type pos() const noexcept { return this->position(); }

 private:
  const CompositeView* _views = nullptr;
};

/// The concatenation of several views of the same type.
/// \ingroup views
template <class ViewType>
CompositeView<ViewType> set_union(const std::vector<ViewType>& views) {
  return CompositeView<ViewType>(views);
}
/// \overload
/// \ingroup views
template <class ViewType>
CompositeView<ViewType> set_union(std::initializer_list<ViewType> views) {
  return CompositeView<ViewType>(views);
}

}  // namespace dash
