#pragma once

#include <array>
#include <cstddef>
#include <iterator>
#include <type_traits>
#include <utility>

#include "dash/Cartesian.h"
#include "dash/Dimensional.h"
#include "dash/GlobPtr.h"
#include "dash/GlobRef.h"
#include "dash/Range.h"
#include "dash/Team.h"
#include "dash/TeamSpec.h"
#include "dash/Types.h"
#include "dash/internal/ContainerStorage.h"
#include "dash/iterator/GlobIter.h"
#include "dash/iterator/GlobViewIter.h"
#include "dash/matrix/LocalMatrixRef.h"
#include "dash/matrix/MatrixRef.h"
#include "dash/memory/GlobStaticMem.h"
#include "dash/pattern/BlockPattern.h"
#include "dash/pattern/internal/PatternArguments.h"

namespace dash {

/// An N-dimensional array whose elements are distributed among the units of a team.
///
/// An element is reached by its global coordinates from any unit (m(i, j), m[i][j]), or by its
/// local coordinates in the memory of its owner (m.local(i, j)). Elements are zero after
/// allocation.
///
/// Can be constructed before dash::init() without allocating, and destroyed after dash::finalize().
/// Iterators and views stay valid when the matrix is moved.
/// \threads element access: any; construction, allocation and destruction: one at a time per team
template <class T, dim_t NumDimensions, typename IndexType = default_index_t,
          class PatternType = BlockPattern<NumDimensions, ROW_MAJOR, IndexType>,
          class LocalMemSpace = HostSpace>
class Matrix {
  static constexpr std::size_t N = NumDimensions;

 public:
  using value_type = T;
  using index_type = IndexType;
  using size_type = std::make_unsigned_t<IndexType>;
  using difference_type = IndexType;
  using memory_type = GlobStaticMem<LocalMemSpace>;
  using GlobMem_t = memory_type;
  using pattern_type = PatternType;
  using size_spec = SizeSpec<NumDimensions, size_type>;
  using distribution_spec = DistributionSpec<NumDimensions>;
  using team_spec = TeamSpec<NumDimensions, IndexType>;
  using extents_type = std::array<size_type, N>;
  using offsets_type = std::array<index_type, N>;

  using iterator = GlobIter<T, PatternType, memory_type>;
  using const_iterator = GlobIter<const T, PatternType, memory_type>;
  using reverse_iterator = std::reverse_iterator<iterator>;
  using const_reverse_iterator = std::reverse_iterator<const_iterator>;
  using reference = GlobRef<T>;
  using const_reference = GlobRef<const T>;
  using pointer = GlobPtr<T, memory_type>;
  using const_pointer = GlobPtr<const T, memory_type>;
  using local_pointer = T*;
  using const_local_pointer = const T*;

  template <dim_t NumViewDim>
  using view_type = MatrixRef<T, NumDimensions, NumViewDim, PatternType, LocalMemSpace>;
  template <dim_t NumViewDim>
  using const_view_type = MatrixRef<const T, NumDimensions, NumViewDim, PatternType, LocalMemSpace>;
  using local_type = LocalMatrixRef<T, NumDimensions, NumDimensions, PatternType, LocalMemSpace>;
  using const_local_type =
      LocalMatrixRef<const T, NumDimensions, NumDimensions, PatternType, LocalMemSpace>;

  static_assert(internal::require_container_compatible<T>());
  static_assert(!std::is_const_v<T>, "dash::Matrix: elements cannot be const");
  static_assert(std::is_same_v<IndexType, typename PatternType::index_type>,
                "dash::Matrix: the index type has to be that of the pattern");
  static_assert(PatternType::ndim() == NumDimensions,
                "dash::Matrix: the pattern has to have as many dimensions as the matrix");

  /// The caller's elements, by local coordinates.
  local_type local;

  /// Without elements; allocate() does the rest. If a team is given here, it is the one used then.
  explicit Matrix(Team& team = Team::Null()) noexcept : _team(&team) {}

  /// \collective over the team  \blocks until all units have called it
  /// \throws exception::RuntimeError if a unit lacks the memory
  explicit Matrix(const size_spec& sizes, const distribution_spec& distribution = {},
                  Team& team = Team::All())
      : Matrix(sizes, distribution, team, team_spec(team)) {}
  /// \overload
  Matrix(const size_spec& sizes, const distribution_spec& distribution, Team& team,
         const team_spec& units)
      : _team(&team) {
    allocate(sizes, distribution, units, team);
  }

  /// \collective over the pattern's team
  explicit Matrix(const PatternType& pattern) : _team(&pattern.team()) { allocate(pattern); }

  /// Extents first, then distributions (or a DistributionSpec), a TeamSpec, a Team in any order,
  /// each optional: Matrix<int, 2> m(rows, cols, BLOCKED, BLOCKED).
  /// \collective over the team
  template <internal::IntegerLike Extent, internal::PatternArgument... Args>
  explicit Matrix(const Extent& extent, Args&&... args) : Matrix(pattern_of(extent, args...)) {}

  Matrix(const Matrix&) = delete;
  Matrix& operator=(const Matrix&) = delete;
  Matrix(Matrix&& other) noexcept : _team(other._team), _storage(std::move(other._storage)) {
    bind_local();
    other.bind_local();
  }
  /// \collective over the team of this matrix, if it is allocated
  Matrix& operator=(Matrix&& other) noexcept {
    _team = other._team;
    _storage = std::move(other._storage);
    bind_local();
    other.bind_local();
    return *this;
  }
  /// Frees the memory, unless that was done by deallocate() or dash::finalize().
  /// \collective over the team, if allocated  \blocks until all units have called it
  ~Matrix() = default;

  static constexpr dim_t ndim() { return NumDimensions; }

  /// Allocates, after a deallocation if necessary.
  /// \returns true
  /// \throws exception::InvalidArgument if the size is 0
  /// \collective over the team  \blocks until all units have called it
  bool allocate(const size_spec& sizes, const distribution_spec& distribution,
                const team_spec& units, Team& team = Team::All()) {
    if (sizes.size() == 0) internal::throw_empty("dash::Matrix");
    Team& owner = _team->is_null() ? team : *_team;
    return allocate(PatternType(sizes, distribution, units, owner));
  }
  /// \overload
  bool allocate(const PatternType& pattern) {
    deallocate();
    _storage.reset(new internal::ContainerStorage<T, PatternType, memory_type>(pattern));
    bind_local();
    return true;
  }
  /// \overload
  template <internal::IntegerLike Extent, internal::PatternArgument... Args>
  bool allocate(const Extent& extent, Args&&... args) {
    constexpr bool has_team = (std::is_base_of_v<Team, std::remove_cvref_t<Args>> || ... || false);
    if constexpr (has_team) {
      return allocate(pattern_of(extent, args...));
    } else {
      Team& owner = _team->is_null() ? Team::All() : *_team;
      return allocate(pattern_of(extent, args..., owner));
    }
  }

  /// Waits for all units, then frees the memory; without effect if not allocated.
  /// \collective over the team  \blocks until all units have called it
  void deallocate() {
    _storage.reset();
    bind_local();
  }

  size_type extent(dim_t dimension) const { return pattern().extent(dimension); }
  const extents_type& extents() const noexcept { return pattern().extents(); }
  constexpr index_type offset(dim_t dimension) const {
    internal::check_dimension(dimension, NumDimensions);
    return 0;
  }
  constexpr offsets_type offsets() const noexcept { return offsets_type{}; }
  /// Number of elements of all units.
  size_type size() const noexcept { return pattern().size(); }
  /// Number of elements of the caller.
  size_type local_size() const noexcept { return static_cast<size_type>(lend() - lbegin()); }
  size_type local_capacity() const { return pattern().local_capacity(); }
  bool empty() const noexcept { return size() == 0; }

  iterator begin() noexcept { return iterator_at(0); }
  iterator end() noexcept { return iterator_at(static_cast<index_type>(size())); }
  const_iterator begin() const noexcept { return const_iterator_at(0); }
  const_iterator end() const noexcept { return const_iterator_at(static_cast<index_type>(size())); }
  const_iterator cbegin() const noexcept { return begin(); }
  const_iterator cend() const noexcept { return end(); }

  /// Native begin and end of the caller's elements; nullptr if not allocated.
  T* lbegin() noexcept { return _storage ? _storage->lbegin() : nullptr; }
  T* lend() noexcept { return _storage ? _storage->lend() : nullptr; }
  const T* lbegin() const noexcept { return _storage ? _storage->lbegin() : nullptr; }
  const T* lend() const noexcept { return _storage ? _storage->lend() : nullptr; }

  /// The element at an index if there is one dimension, else the slice; no range check.
  auto operator[](index_type n) { return view()[n]; }
  auto operator[](index_type n) const { return view()[n]; }

  /// The element at global coordinates; no range check.
  template <internal::IntegerLike... Coords>
  requires(sizeof...(Coords) == N) reference operator()(Coords... coords) {
    return reference(gptr_at(offsets_type{{static_cast<index_type>(coords)...}}));
  }
  template <internal::IntegerLike... Coords>
  requires(sizeof...(Coords) == N) const_reference operator()(Coords... coords) const {
    return const_reference(gptr_at(offsets_type{{static_cast<index_type>(coords)...}}));
  }
  template <internal::IntegerLike... Coords>
  requires(sizeof...(Coords) == N) reference at(Coords... coords) { return (*this)(coords...); }
  template <internal::IntegerLike... Coords>
  requires(sizeof...(Coords) == N) const_reference at(Coords... coords)
  const { return (*this)(coords...); }
  reference at(const offsets_type& coords) { return reference(gptr_at(coords)); }
  const_reference at(const offsets_type& coords) const { return const_reference(gptr_at(coords)); }

  /// The elements with one index in a dimension; no range check.
  template <dim_t SubDimension>
  requires(NumDimensions > 1) view_type<NumDimensions - 1> sub(index_type n) {
    return view().template sub<SubDimension>(n);
  }
  template <dim_t SubDimension>
  requires(NumDimensions > 1) const_view_type<NumDimensions - 1> sub(index_type n)
  const { return view().template sub<SubDimension>(n); }
  /// The elements with `extent` consecutive indices in a dimension.
  /// \throws exception::OutOfRange unless the matrix has so many from `offset` on
  template <dim_t SubDimension>
  view_type<NumDimensions> sub(size_type offset, size_type extent) {
    return view().template sub<SubDimension>(offset, extent);
  }
  template <dim_t SubDimension>
  const_view_type<NumDimensions> sub(size_type offset, size_type extent) const {
    return view().template sub<SubDimension>(offset, extent);
  }

  auto row(index_type n) requires(NumDimensions > 1) { return sub<0>(n); }
  auto row(index_type n) const requires(NumDimensions > 1) { return sub<0>(n); }
  auto col(index_type n) requires(NumDimensions > 1) { return sub<1>(n); }
  auto col(index_type n) const requires(NumDimensions > 1) { return sub<1>(n); }
  auto rows(size_type offset, size_type extent) { return sub<0>(offset, extent); }
  auto rows(size_type offset, size_type extent) const { return sub<0>(offset, extent); }
  auto cols(size_type offset, size_type extent) requires(NumDimensions > 1) {
    return sub<1>(offset, extent);
  }
  auto cols(size_type offset, size_type extent) const requires(NumDimensions > 1) {
    return sub<1>(offset, extent);
  }

  /// A block of the pattern, by its index or its coordinates in the grid of blocks.
  view_type<NumDimensions> block(index_type block_index) {
    return view_type<NumDimensions>(*_storage, pattern().block(block_index));
  }
  view_type<NumDimensions> block(const offsets_type& block_coords) {
    return view_type<NumDimensions>(*_storage, pattern().block(block_coords));
  }
  const_view_type<NumDimensions> block(index_type block_index) const {
    return const_view_type<NumDimensions>(*_storage, pattern().block(block_index));
  }
  const_view_type<NumDimensions> block(const offsets_type& block_coords) const {
    return const_view_type<NumDimensions>(*_storage, pattern().block(block_coords));
  }

  /// All elements, as a view.
  operator view_type<NumDimensions>() { return view(); }              // NOLINT: as DASH's
  operator const_view_type<NumDimensions>() const { return view(); }  // NOLINT: as DASH's

  local_type sub_local() noexcept { return local; }

  /// Whether the element at a linear global index is the caller's own.
  bool is_local(index_type global_index) const { return pattern().is_local(global_index); }
  /// Whether any element with an index in a dimension is the caller's own.
  template <dim_t SubDimension>
  bool is_local(index_type n) const {
    return view().template is_local<SubDimension>(n);
  }

  /// Global pointer to the first element.
  const_pointer data() const { return const_pointer(gptr_at(offsets_type{})); }
  /// Global pointer to the element at global coordinates; no range check.
  dart_gptr_t gptr_at(const offsets_type& coords) const {
    const auto place = _storage->pattern().local_index(coords);
    return _storage->element_gptr(place.unit, place.index);
  }

  const PatternType& pattern() const noexcept {
    return _storage ? _storage->pattern() : empty_pattern();
  }
  Team& team() const noexcept { return _storage ? _storage->team() : *_team; }
  /// \pre allocated
  const memory_type& globmem() const noexcept { return _storage->globmem(); }

  /// Waits for all units. \collective over the team
  void barrier() const { team().barrier(); }

  /// \name Completes the caller's operations on the matrix: to all units, or to one
  /// \completion remote (flush), source (flush_local)
  /// \collective no  \blocks until complete
  /// @{
  void flush() const {
    if (_storage) _storage->globmem().flush();
  }
  void flush(team_unit_t unit) const {
    if (_storage) _storage->globmem().flush(unit);
  }
  void flush_local() const {
    if (_storage) _storage->globmem().flush_local();
  }
  void flush_local(team_unit_t unit) const {
    if (_storage) _storage->globmem().flush_local(unit);
  }
  /// @}

  friend void swap(Matrix& a, Matrix& b) noexcept {
    std::swap(a._team, b._team);
    std::swap(a._storage, b._storage);
    a.bind_local();
    b.bind_local();
  }

 private:
  static const PatternType& empty_pattern() {
    static const PatternType pattern;
    return pattern;
  }

  template <class... Args>
  static PatternType pattern_of(Args&... args) {
    const internal::PatternArguments<NumDimensions, IndexType> arguments(args...);
    return PatternType(arguments.sizespec(), arguments.distspec(), arguments.teamspec(),
                       arguments.team());
  }

  view_type<NumDimensions> view() { return view_type<NumDimensions>(*_storage); }
  const_view_type<NumDimensions> view() const { return const_view_type<NumDimensions>(*_storage); }

  void bind_local() noexcept {
    if (!_storage) {
      local = local_type();
      return;
    }
    const auto& extents = _storage->pattern().local_extents();
    local =
        local_type(_storage->lbegin(), offsets_type{}, extents,
                   internal::canonical_strides<PatternType::memory_order(), index_type>(extents),
                   &_storage->pattern());
  }

  iterator iterator_at(index_type position) noexcept {
    return _storage ? iterator(&_storage->globmem(), _storage->pattern(), position) : iterator();
  }
  const_iterator const_iterator_at(index_type position) const noexcept {
    return _storage ? const_iterator(&_storage->globmem(), _storage->pattern(), position)
                    : const_iterator();
  }

  Team* _team;
  internal::StoragePtr<T, PatternType, memory_type> _storage;
};

/// A Matrix each unit of which keeps its elements as one N-dimensional array.
template <class T, dim_t NumDimensions, typename IndexType = default_index_t,
          class PatternType = BlockPattern<NumDimensions, ROW_MAJOR, IndexType>,
          class LocalMemSpace = HostSpace>
using NArray = Matrix<T, NumDimensions, IndexType, PatternType, LocalMemSpace>;

}  // namespace dash
