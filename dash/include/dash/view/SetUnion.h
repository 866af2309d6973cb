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
template <class ViewType>
class CompositeView {
 public:
  using view_type = ViewType;
  using index_type = typename ViewType::index_type;
  using size_type = std::make_unsigned_t<index_type>;
  using value_type = std::ranges::range_value_t<const ViewType>;
  using reference = std::ranges::range_reference_t<const ViewType>;
  using rank = std::integral_constant<dim_t, 1>;

  class iterator;
  using const_iterator = iterator;

  explicit CompositeView(std::vector<ViewType> views) : _views(std::move(views)) {
    _ends.reserve(_views.size());
    for (const auto& view : _views)
      _ends.push_back(static_cast<index_type>(size() + view.size()));
  }

  static constexpr dim_t ndim() { return 1; }
  iterator begin() const { return iterator(this, 0); }
  iterator end() const { return iterator(this, static_cast<index_type>(size())); }
  size_type size() const { return _ends.empty() ? 0 : static_cast<size_type>(_ends.back()); }
  bool empty() const { return size() == 0; }
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

  iterator() = default;
  iterator(const CompositeView* views, index_type position) : Base(position), _views(views) {}

  reference operator*() const { return (*this)[0]; }
  reference operator[](index_type n) const { return (*_views)[pos() + n]; }
  index_type pos() const noexcept { return this->position(); }

 private:
  const CompositeView* _views = nullptr;
};

/// \name The concatenation of several views
/// @{
template <class ViewType>
CompositeView<ViewType> set_union(const std::vector<ViewType>& views) {
  return CompositeView<ViewType>(views);
}
template <class ViewType>
CompositeView<ViewType> set_union(std::initializer_list<ViewType> views) {
  return CompositeView<ViewType>(views);
}
/// @}

}  // namespace dash
