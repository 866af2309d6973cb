#pragma once

#include <array>
#include <cstddef>
#include <type_traits>
#include <utility>

#include "dash/Cartesian.h"
#include "dash/GlobPtr.h"
#include "dash/GlobRef.h"
#include "dash/Team.h"
#include "dash/Types.h"
#include "dash/ViewSpec.h"
#include "dash/internal/container/ContainerStorage.h"
#include "dash/internal/transfer/LocalBlocks.h"
#include "dash/iterator/GlobViewIter.h"
#include "dash/matrix/LocalMatrixRef.h"
#include "dash/matrix/LocalTiledMatrixRef.h"
#include "dash/matrix/internal/SubDimensions.h"
#include "dash/memory/GlobStaticMem.h"
#include "dash/pattern/TilePattern.h"

namespace dash {

/// A box of the elements of a matrix, addressed by indices relative to the box. Valid until the
/// matrix is deallocated; iterators remain valid after the view is destroyed.
///
/// As in DASH 0.4, extents and offsets are those of the box, in all dimensions of the matrix. A slice has one dimension
/// less for indices, and the extent 1 in the dimension whose index is fixed: `matrix[0]` of 3 x 4 x 5 elements has
/// ndim() 2, and the extents 1, 4 and 5.
/// \tparam NumViewDim  number of dimensions of the view; the other dimensions have fixed indices
/// \threads thread-safe
/// \ingroup containers
template <class T, dim_t NumDimensions, dim_t NumViewDim = NumDimensions,
          class PatternType = TilePattern<NumDimensions>, class LocalMemSpace = HostSpace>
class MatrixRef {
  static constexpr std::size_t N = NumDimensions;
  static constexpr std::size_t M = NumViewDim;
  static_assert(NumViewDim > 0 && NumViewDim <= NumDimensions);

  using memory_type = GlobStaticMem<LocalMemSpace>;
  using storage_type = internal::ContainerStorage<std::remove_const_t<T>, PatternType, memory_type>;
  using slice_type = MatrixRef<T, NumDimensions, NumViewDim - 1, PatternType, LocalMemSpace>;

  template <class, dim_t, dim_t, class, class>
  friend class MatrixRef;

 public:
  using value_type = T;
  using pattern_type = PatternType;
  using index_type = typename PatternType::index_type;
  using size_type = typename PatternType::size_type;
  using difference_type = index_type;
  using iterator = GlobViewIter<T, PatternType, memory_type>;
  using const_iterator = GlobViewIter<const T, PatternType, memory_type>;
  using reference = GlobRef<T>;
  using const_reference = GlobRef<const T>;
  using pointer = GlobPtr<T, memory_type>;
  using const_pointer = GlobPtr<const T, memory_type>;
  /// One extent for each dimension of the matrix.
  using extents_type = std::array<size_type, N>;
  /// One coordinate for each dimension of the matrix.
  using offsets_type = std::array<index_type, N>;
  /// One coordinate for each dimension of the view.
  using coords_type = std::array<index_type, M>;
  /// Number of dimensions of the view: the template argument.
  using rank = std::integral_constant<dim_t, NumViewDim>;
  /// A box in the index space of the matrix.
  using viewspec_type = typename PatternType::viewspec_type;
  using local_type =
      LocalMatrixRef<T, NumDimensions, NumViewDim, PatternType, LocalMemSpace, false>;
  template <dim_t NumSubDim>
  using view_type = MatrixRef<T, NumDimensions, NumSubDim, PatternType, LocalMemSpace>;

  /// A view of all elements of a container.
  explicit MatrixRef(storage_type& storage) requires(NumViewDim == NumDimensions)
      : MatrixRef(storage, {}, storage.pattern().extents(), internal::all_dimensions<N>()) {}

  /// A view of the elements of a box.
  MatrixRef(storage_type& storage,
            const viewspec_type& viewspec) requires(NumViewDim == NumDimensions)
      : MatrixRef(storage, viewspec.offsets(), viewspec.extents(), internal::all_dimensions<N>()) {}

  /// Converts to a read-only view.
  template <class From>
  requires(std::is_same_v<const From, T>)
      MatrixRef(const MatrixRef<From, NumDimensions, NumViewDim, PatternType, LocalMemSpace>& other)
  noexcept  // NOLINT
      : MatrixRef(*other._storage, other._offsets, other._extents, other._dims) {}

  /// Number of dimensions of the view.
  static constexpr dim_t ndim() { return NumViewDim; }

  /// Extent in one dimension of the matrix.
  /// \throws exception::OutOfRange unless 0 <= dimension < NumDimensions
  size_type extent(dim_t dimension) const {
    internal::check_dimension(dimension, NumDimensions);
    return _extents[static_cast<std::size_t>(dimension)];
  }
  /// Extent in each dimension of the matrix.
  const extents_type& extents() const noexcept { return _extents; }
  /// Coordinate of the first element, in one dimension of the matrix.
  /// \throws exception::OutOfRange unless 0 <= dimension < NumDimensions
  index_type offset(dim_t dimension) const {
    internal::check_dimension(dimension, NumDimensions);
    return _offsets[static_cast<std::size_t>(dimension)];
  }
  /// Coordinates of the first element, in all dimensions of the matrix.
  const offsets_type& offsets() const noexcept { return _offsets; }
  /// The dimensions of the matrix that the view has, in ascending order.
  const std::array<std::size_t, M>& dimensions() const noexcept { return _dims; }
  /// Number of elements of all units.
  size_type size() const { return internal::product(_extents); }
  /// Whether the view has no elements.
  bool empty() const { return size() == 0; }
  /// Number of elements of the caller.
  size_type local_size() const {
    if constexpr (has_local_boxes) {
      return static_cast<size_type>(local_box().size());
    } else {
      index_type size = 0;
      for_each_local_block([&](index_type, index_type length) { size += length; });
      return static_cast<size_type>(size);
    }
  }
  /// The box in the index space of the matrix, in all of its dimensions.
  viewspec_type viewspec() const { return viewspec_type(_offsets, _extents); }
  /// The pattern of the matrix.
  const PatternType& pattern() const noexcept { return _storage->pattern(); }
  /// The team of the matrix.
  Team& team() const noexcept { return _storage->team(); }
  /// Completes all operations of the caller, then waits for all units.
  /// \completion remote  \collective over the team
  void barrier() const { team().barrier(); }

  /// Iterator to the first element, in the order of the pattern: row-major or column-major.
  iterator begin() const { return iterator(&_storage->globmem(), pattern(), viewspec(), 0); }
  /// The end of the elements of all units.
  iterator end() const {
    return iterator(&_storage->globmem(), pattern(), viewspec(), static_cast<index_type>(size()));
  }

  /// Address of the caller's first element. The range [lbegin(), lend()) contains only elements of
  /// this view if the caller's part is contiguous.
  T* lbegin() const { return local_ends().first; }
  /// The end of the caller's part, see lbegin().
  T* lend() const { return local_ends().second; }
  /// The caller's elements.
  local_type sub_local() const {
    static_assert(has_local_boxes,
                  "dash::MatrixRef::sub_local: in this pattern, a unit's elements of a box do not "
                  "form a box");
    return internal::local_box_of<local_type>(_storage->lbegin(), pattern(), local_box(), _dims);
  }

  /// Global pointer to the first element.
  const_pointer data() const { return const_pointer(begin().dart_gptr()); }

  /// Global pointer to the element at coordinates relative to this view; no range check.
  dart_gptr_t gptr_at(const coords_type& coords) const {
    const auto location = location_of(coords);
    return _storage->element_gptr(location.unit, location.index);
  }

  /// The element at an index if there is one dimension, otherwise the slice; no range check.
  auto operator[](index_type n) const {
    if constexpr (NumViewDim == 1) {
      return at(n);
    } else {
      return slice(0, n);
    }
  }

  /// The element at coordinates relative to this view; no range check.
  reference at(const coords_type& coords) const { return element_at<reference>(coords); }
  /// As at(), but returns a reference of another type, such as GlobAsyncRef.
  template <class Reference>
  Reference element_at(const coords_type& coords) const {
    const auto location = location_of(coords);
    return internal::element_ref<Reference, T>(_storage->globmem(), location.unit, location.index);
  }
  /// \overload
  template <internal::IntegerLike... Coords>
  requires(sizeof...(Coords) == M) reference at(Coords... coords)
  const { return at(coords_type{{static_cast<index_type>(coords)...}}); }
  /// As at().
  template <internal::IntegerLike... Coords>
  requires(sizeof...(Coords) == M) reference operator()(Coords... coords) const {
    return at(coords...);
  }

  /// The elements with a given index, relative to this view, in a dimension; no range check.
  template <dim_t SubDimension>
  requires(NumViewDim > 1) slice_type sub(index_type n)
  const {
    static_assert(SubDimension >= 0 && SubDimension < NumViewDim);
    return slice(SubDimension, n);
  }

  /// The elements with `extent` consecutive indices in a dimension, starting at `offset`, which is
  /// relative to the matrix (not to this view).
  /// \throws exception::OutOfRange unless offset + extent <= the extent of the matrix
  template <dim_t SubDimension>
  MatrixRef sub(size_type offset, size_type extent) const {
    static_assert(SubDimension >= 0 && SubDimension < NumViewDim);
    const auto dimension = _dims[SubDimension];
    internal::check_sub_range(static_cast<dim_t>(dimension), static_cast<index_type>(offset),
                              static_cast<index_type>(extent), pattern().extents()[dimension]);
    MatrixRef view = *this;
    view._offsets[dimension] = static_cast<index_type>(offset);
    view._extents[dimension] = extent;
    return view;
  }

  /// The elements with the first coordinate n, relative to this view; no range check.
  auto row(index_type n) const requires(NumViewDim > 1) { return sub<0>(n); }
  /// The elements with the second coordinate n, relative to this view; no range check.
  auto col(index_type n) const requires(NumViewDim > 1) { return sub<1>(n); }
  /// The elements with `extent` consecutive first coordinates; see sub().
  /// \throws exception::OutOfRange as sub()
  MatrixRef rows(size_type offset, size_type extent) const { return sub<0>(offset, extent); }
  /// The elements with `extent` consecutive second coordinates; see sub().
  /// \throws exception::OutOfRange as sub()
  MatrixRef cols(size_type offset, size_type extent) const requires(NumViewDim > 1) {
    return sub<1>(offset, extent);
  }

  /// Whether the element at a position of this view is local to the caller.
  bool is_local(index_type position) const { return (begin() + position).is_local(); }
  /// Whether any element with an index, relative to this view, in a dimension is local to the
  /// caller.
  template <dim_t SubDimension>
  bool is_local(index_type n) const {
    return pattern().has_local_elements(static_cast<dim_t>(_dims[SubDimension]), n, team().myid(),
                                        viewspec());
  }

 private:
  using dims_type = std::array<std::size_t, M>;

  MatrixRef(storage_type& storage, const offsets_type& offsets, const extents_type& extents,
            const dims_type& dims) noexcept
      : _storage(&storage), _offsets(offsets), _extents(extents), _dims(dims) {}

  typename PatternType::local_index_t location_of(const coords_type& coords) const {
    auto global = _offsets;
    for (std::size_t d = 0; d < M; ++d)
      global[_dims[d]] += coords[d];
    return pattern().local_index(global);
  }

  slice_type slice(std::size_t sub_dimension, index_type n) const {
    const auto dimension = _dims[sub_dimension];
    auto offsets = _offsets;
    auto extents = _extents;
    offsets[dimension] += n;
    extents[dimension] = 1;
    return slice_type(*_storage, offsets, extents, internal::without(_dims, sub_dimension));
  }

  static constexpr bool has_local_boxes = PatternType::mapping_type::has_local_boxes;

  viewspec_type local_box() const {
    const internal::LocalBox<PatternType> box(pattern(), team().myid(), viewspec());
    return viewspec_type(box.offsets(), box.extents());
  }
  template <class Fn>
  void for_each_local_block(Fn fn) const {
    internal::for_each_local_index_block_in(pattern(), viewspec(), 0,
                                            static_cast<index_type>(size()), team().myid(), fn);
  }
  std::pair<T*, T*> local_ends() const {
    if constexpr (has_local_boxes) {
      auto local = sub_local();
      return {local.lbegin(), local.lend()};
    } else {
      T* const base = _storage->lbegin();
      std::pair<T*, T*> ends{nullptr, nullptr};
      for_each_local_block([&](index_type begin, index_type length) {
        if (ends.first == nullptr) ends.first = base + begin;
        ends.second = base + begin + length;
      });
      return ends;
    }
  }

  storage_type* _storage;
  // The box, in all dimensions of the matrix, and the dimensions of this view.
  offsets_type _offsets;
  extents_type _extents;
  dims_type _dims;
};

}  // namespace dash
