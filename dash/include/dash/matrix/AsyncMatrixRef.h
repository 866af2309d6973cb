#pragma once

#include <array>
#include <cstddef>

#include "dash/Cartesian.h"
#include "dash/GlobAsyncRef.h"
#include "dash/Types.h"
#include "dash/internal/element/AsyncElements.h"
#include "dash/matrix/MatrixRef.h"
#include "dash/memory/GlobStaticMem.h"

namespace dash {

namespace internal {

/// The elements of a view of a matrix, accessed asynchronously.
/// \threads thread-safe
template <class View>
class AsyncView {
  static constexpr std::size_t M = View::ndim();

 public:
  using index_type = typename View::index_type;
  using reference = GlobAsyncRef<typename View::value_type>;

  explicit AsyncView(const View& view) : _view(view) {}

  /// The element at an index, or the slice; no range check.
  auto operator[](index_type n) const {
    if constexpr (M == 1) {
      return _view.template element_at<reference>({{n}});
    } else {
      return AsyncView<decltype(_view[n])>(_view[n]);
    }
  }
  /// The element at coordinates relative to the view; no range check.
  template <IntegerLike... Coords>
  requires(sizeof...(Coords) == M) reference operator()(Coords... coords) const {
    return _view.template element_at<reference>({{static_cast<index_type>(coords)...}});
  }

 private:
  View _view;
};

}  // namespace internal

/// The elements of a Matrix, accessed asynchronously: matrix.async(i, j) = value.
/// \threads thread-safe
/// \ingroup containers
template <class T, dim_t NumDimensions, class PatternType, class LocalMemSpace>
class AsyncMatrixRef
    : public internal::AsyncElements<T, PatternType, GlobStaticMem<LocalMemSpace>> {
  using Base = internal::AsyncElements<T, PatternType, GlobStaticMem<LocalMemSpace>>;
  template <class Element>
  using View = internal::AsyncView<
      MatrixRef<Element, NumDimensions, NumDimensions, PatternType, LocalMemSpace>>;

 public:
  using typename Base::const_reference;
  using typename Base::index_type;
  using typename Base::reference;
  using typename Base::storage_type;

  /// Used by Matrix.
  /// \param storage  storage of the matrix, or nullptr
  explicit AsyncMatrixRef(storage_type* storage = nullptr) noexcept : Base(storage) {}

  /// The element at an index if there is one dimension, otherwise the slice; no range check.
  auto operator[](index_type n) { return view<T>()[n]; }
  /// \overload
  auto operator[](index_type n) const { return view<const T>()[n]; }

  /// The element at global coordinates; no range check.
  template <internal::IntegerLike... Coords>
  requires(sizeof...(Coords) == NumDimensions) reference operator()(Coords... coords) {
    return view<T>()(coords...);
  }
  /// \overload
  template <internal::IntegerLike... Coords>
  requires(sizeof...(Coords) == NumDimensions) const_reference operator()(Coords... coords) const {
    return view<const T>()(coords...);
  }
  /// As operator().
  template <internal::IntegerLike... Coords>
  requires(sizeof...(Coords) == NumDimensions) reference at(Coords... coords) {
    return (*this)(coords...);
  }
  /// \overload
  template <internal::IntegerLike... Coords>
  requires(sizeof...(Coords) == NumDimensions) const_reference at(Coords... coords)
  const { return (*this)(coords...); }

 private:
  template <class Element>
  View<Element> view() const {
    using Ref = MatrixRef<Element, NumDimensions, NumDimensions, PatternType, LocalMemSpace>;
    return View<Element>(Ref(*this->_storage));
  }
};

}  // namespace dash
