#pragma once

#include <algorithm>
#include <array>
#include <concepts>
#include <cstddef>
#include <type_traits>
#include <utility>

#include "dash/Cartesian.h"
#include "dash/Dimensional.h"
#include "dash/GlobPtr.h"
#include "dash/GlobRef.h"
#include "dash/HView.h"
#include "dash/Range.h"
#include "dash/Team.h"
#include "dash/TeamSpec.h"
#include "dash/Types.h"
#include "dash/internal/container/Container.h"
#include "dash/internal/container/ContainerStorage.h"
#include "dash/matrix/AsyncMatrixRef.h"
#include "dash/matrix/LocalTiledMatrixRef.h"
#include "dash/matrix/MatrixRef.h"
#include "dash/memory/GlobStaticMem.h"
#include "dash/pattern/BlockPattern.h"
#include "dash/pattern/TilePattern.h"
#include "dash/pattern/internal/PatternArguments.h"

namespace dash {

/// An N-dimensional array whose elements are distributed among the units of a team.
///
/// An element is accessed by its global coordinates from any unit (m(i, j), m[i][j]), or by its
/// local coordinates in the memory of its owner (m.local(i, j)). Elements are zero after
/// allocation. By default, a unit stores its elements tile by tile, and iterators follow that
/// order; an NArray stores the elements of a unit as one N-dimensional array.
///
/// Can be constructed before dash::init() without allocating, and destroyed after dash::finalize().
/// Iterators and views stay valid when the matrix is moved.
/// \threads element access: thread-safe; construction, allocation and destruction: externally
///         synchronized per team
/// \tparam T  trivially copyable and of standard layout
/// \tparam IndexType  of the default pattern; see index_type
/// \tparam PatternType  a pattern of NumDimensions dimensions
/// \ingroup containers
template <class T, dim_t NumDimensions, typename IndexType = default_index_t,
          class PatternType = TilePattern<NumDimensions, ROW_MAJOR, IndexType>,
          class LocalMemSpace = HostSpace>
class Matrix
    : public internal::Container<Matrix<T, NumDimensions, IndexType, PatternType, LocalMemSpace>, T,
                                 PatternType, LocalMemSpace> {
  using Base = internal::Container<Matrix, T, PatternType, LocalMemSpace>;
  friend Base;
  static constexpr std::size_t N = NumDimensions;

 public:
  /// The index type of the pattern, which is signed even if IndexType is unsigned.
  using index_type = typename PatternType::index_type;
  using typename Base::const_pointer;
  using typename Base::const_reference;
  using typename Base::reference;
  using typename Base::size_type;
  using difference_type = index_type;
  /// The extents as a constructor argument.
  using size_spec = SizeSpec<NumDimensions, size_type>;
  /// The distributions as a constructor argument.
  using distribution_spec = DistributionSpec<NumDimensions>;
  /// The grid of units as a constructor argument.
  using team_spec = TeamSpec<NumDimensions, index_type>;
  /// One extent for each dimension.
  using extents_type = std::array<size_type, N>;
  /// One coordinate for each dimension.
  using offsets_type = std::array<index_type, N>;
  /// Number of dimensions: the template argument.
  using rank = std::integral_constant<dim_t, NumDimensions>;

  template <dim_t NumViewDim>
  using view_type = MatrixRef<T, NumDimensions, NumViewDim, PatternType, LocalMemSpace>;
  /// Type of a view of a const matrix.
  template <dim_t NumViewDim>
  using const_view_type = MatrixRef<const T, NumDimensions, NumViewDim, PatternType, LocalMemSpace>;
  using local_type = LocalMatrixRef<T, NumDimensions, NumDimensions, PatternType, LocalMemSpace>;
  /// Type of read-only views of the caller's elements.
  using const_local_type =
      LocalMatrixRef<const T, NumDimensions, NumDimensions, PatternType, LocalMemSpace>;
  /// Type of the member `async`.
  using async_type = AsyncMatrixRef<T, NumDimensions, PatternType, LocalMemSpace>;

  static_assert(PatternType::ndim() == NumDimensions,
                "dash::Matrix: the pattern has to have as many dimensions as the matrix");

  /// The caller's elements, by local coordinates.
  local_type local;
  /// All elements, by global coordinates, accessed asynchronously.
  async_type async;

  /// Creates a matrix without elements, for a later allocate(). A team given here is used by
  /// allocate().
  explicit Matrix(Team& team = Team::Null()) noexcept : Base(team) {}

  /// Allocates a matrix of the given extents.
  /// \collective over the team  \blocks until all units have called it
  /// \throws exception::RuntimeError if a unit does not have enough memory
  explicit Matrix(const size_spec& sizes, const distribution_spec& distribution = {},
                  Team& team = Team::All())
      : Matrix(sizes, distribution, team, team_spec(team)) {}
  /// \overload
  Matrix(const size_spec& sizes, const distribution_spec& distribution, Team& team,
         const team_spec& units)
      : Base(team) {
    allocate(sizes, distribution, units, team);
  }

  /// Allocates the elements that a pattern distributes.
  /// \collective over the pattern's team  \blocks until all units have called it
  explicit Matrix(const PatternType& pattern) : Base(pattern.team()) { allocate(pattern); }

  /// Takes the extents first, then in any order the optional distributions (or a DistributionSpec),
  /// a TeamSpec and a Team: `Matrix<int, 2> m(rows, cols, BLOCKED, BLOCKED)`.
  /// \collective over the team
  template <internal::IntegerLike Extent, internal::PatternArgument... Args>
  explicit Matrix(const Extent& extent, Args&&... args) : Matrix(pattern_of(extent, args...)) {}

  Matrix(const Matrix&) = delete;
  /// A copy of the elements in newly allocated memory, for programs that were written for versions of DASH before 0.4. Not a
  /// copy constructor, so that containers and futures of matrices move them.
  /// \collective over the team, if `other` is allocated  \blocks until all units have called it
  template <std::same_as<Matrix> Other>
  [[deprecated(
      "copying a matrix is collective; construct one with its pattern(), and use dash::copy")]]  //
  Matrix(Other& other)  // NOLINT(google-explicit-constructor): as a copy
      : Base(other.team()) {
    if (!other.is_allocated()) return;
    allocate(other.pattern());
    std::copy(other.lbegin(), other.lend(), this->lbegin());
    this->barrier();
  }
  Matrix& operator=(const Matrix&) = delete;
  /// Takes over the memory; `other` is not allocated afterwards.
  Matrix(Matrix&& other) noexcept : Base(std::move(other)) {
    bind();
    other.bind();
  }
  /// Frees the memory of this matrix, then takes over that of `other`.
  /// \collective over the team of this matrix, if it is allocated
  Matrix& operator=(Matrix&& other) noexcept {
    Base::operator=(std::move(other));
    bind();
    other.bind();
    return *this;
  }
  /// Frees the memory, unless that was done by deallocate() or dash::finalize().
  /// \collective over the team, if allocated  \blocks until all units have called it
  ~Matrix() = default;

  /// Allocates, after a deallocation if necessary.
  /// \returns true
  /// \throws exception::InvalidArgument if the size is 0
  /// \collective over the team  \blocks until all units have called it
  bool allocate(const size_spec& sizes, const distribution_spec& distribution,
                const team_spec& units, Team& team = Team::All()) {
    if (sizes.size() == 0) internal::throw_empty("dash::Matrix");
    Team& owner = this->owner_or(team);
    return allocate(PatternType(sizes, distribution, units, owner));
  }
  /// \overload
  bool allocate(const PatternType& pattern) {
    this->allocate_storage(pattern);
    return true;
  }
  /// \overload
  template <internal::IntegerLike Extent, internal::PatternArgument... Args>
  bool allocate(const Extent& extent, Args&&... args) {
    constexpr bool has_team = (std::is_base_of_v<Team, std::remove_cvref_t<Args>> || ... || false);
    if constexpr (has_team) {
      return allocate(pattern_of(extent, args...));
    } else {
      Team& owner = this->owner_or(Team::All());
      return allocate(pattern_of(extent, args..., owner));
    }
  }

  /// Number of elements of all units in one dimension.
  /// \throws exception::OutOfRange unless 0 <= dimension < N
  size_type extent(dim_t dimension) const { return this->pattern().extent(dimension); }
  /// Number of elements of all units in each dimension.
  const extents_type& extents() const noexcept { return this->pattern().extents(); }
  /// Always 0; for functions that accept views, too.
  /// \throws exception::OutOfRange unless 0 <= dimension < N
  constexpr index_type offset(dim_t dimension) const {
    internal::check_dimension(dimension, NumDimensions);
    return 0;
  }
  /// As offset(), for all dimensions.
  constexpr offsets_type offsets() const noexcept { return offsets_type{}; }
  /// The element at an index if there is one dimension, otherwise the slice; no range check.
  auto operator[](index_type n) { return view()[n]; }
  /// \overload
  auto operator[](index_type n) const { return view()[n]; }

  /// The element at global coordinates; no range check.
  template <internal::IntegerLike... Coords>
  requires(sizeof...(Coords) == N) reference operator()(Coords... coords) {
    return element<reference>({{static_cast<index_type>(coords)...}});
  }
  /// \overload
  template <internal::IntegerLike... Coords>
  requires(sizeof...(Coords) == N) const_reference operator()(Coords... coords) const {
    return element<const_reference>({{static_cast<index_type>(coords)...}});
  }
  /// As operator().
  template <internal::IntegerLike... Coords>
  requires(sizeof...(Coords) == N) reference at(Coords... coords) { return (*this)(coords...); }
  /// \overload
  template <internal::IntegerLike... Coords>
  requires(sizeof...(Coords) == N) const_reference at(Coords... coords)
  const { return (*this)(coords...); }
  /// Only provides the error message for a wrong number of coordinates.
  template <internal::IntegerLike... Coords>
  requires(sizeof...(Coords) != N) reference operator()(Coords...) const {
    static_assert(sizeof...(Coords) == N, "dash::Matrix: pass one coordinate for each dimension");
    return reference(DART_GPTR_NULL);
  }
  /// \overload
  template <internal::IntegerLike... Coords>
  requires(sizeof...(Coords) != N) reference at(Coords... coords)
  const { return (*this)(coords...); }
  /// As operator().
  reference at(const offsets_type& coords) { return element<reference>(coords); }
  /// \overload
  const_reference at(const offsets_type& coords) const { return element<const_reference>(coords); }

  /// The elements with a given index in a dimension; no range check.
  template <dim_t SubDimension>
  requires(NumDimensions > 1) view_type<NumDimensions - 1> sub(index_type n) {
    return view().template sub<SubDimension>(n);
  }
  /// \overload
  template <dim_t SubDimension>
  requires(NumDimensions > 1) const_view_type<NumDimensions - 1> sub(index_type n)
  const { return view().template sub<SubDimension>(n); }
  /// The elements with `extent` consecutive indices in a dimension.
  /// \throws exception::OutOfRange unless 0 <= offset and offset + extent <= the extent of the
  ///         dimension
  template <dim_t SubDimension>
  view_type<NumDimensions> sub(size_type offset, size_type extent) {
    return view().template sub<SubDimension>(offset, extent);
  }
  /// \overload
  template <dim_t SubDimension>
  const_view_type<NumDimensions> sub(size_type offset, size_type extent) const {
    return view().template sub<SubDimension>(offset, extent);
  }

  /// The elements with the first coordinate n; no range check.
  auto row(index_type n) requires(NumDimensions > 1) { return sub<0>(n); }
  /// \overload
  auto row(index_type n) const requires(NumDimensions > 1) { return sub<0>(n); }
  /// The elements with the second coordinate n; no range check.
  auto col(index_type n) requires(NumDimensions > 1) { return sub<1>(n); }
  /// \overload
  auto col(index_type n) const requires(NumDimensions > 1) { return sub<1>(n); }
  /// The elements with `extent` consecutive first coordinates.
  /// \throws exception::OutOfRange as sub()
  auto rows(size_type offset, size_type extent) { return sub<0>(offset, extent); }
  /// \overload
  auto rows(size_type offset, size_type extent) const { return sub<0>(offset, extent); }
  /// The elements with `extent` consecutive second coordinates.
  /// \throws exception::OutOfRange as sub()
  auto cols(size_type offset, size_type extent) requires(NumDimensions > 1) {
    return sub<1>(offset, extent);
  }
  /// \overload
  auto cols(size_type offset, size_type extent) const requires(NumDimensions > 1) {
    return sub<1>(offset, extent);
  }

  /// A block of the pattern, by its index or its coordinates in the grid of blocks.
  view_type<NumDimensions> block(index_type block_index) {
    return view_type<NumDimensions>(this->storage(), this->pattern().block(block_index));
  }
  /// \overload
  view_type<NumDimensions> block(const offsets_type& block_coords) {
    return view_type<NumDimensions>(this->storage(), this->pattern().block(block_coords));
  }
  /// \overload
  const_view_type<NumDimensions> block(index_type block_index) const {
    return const_view_type<NumDimensions>(this->storage(), this->pattern().block(block_index));
  }
  /// \overload
  const_view_type<NumDimensions> block(const offsets_type& block_coords) const {
    return const_view_type<NumDimensions>(this->storage(), this->pattern().block(block_coords));
  }

  /// All elements, as a view.
  operator view_type<NumDimensions>() { return view(); }  // NOLINT: as DASH's
  /// \overload
  operator const_view_type<NumDimensions>() const { return view(); }  // NOLINT: as DASH's

  /// As the member `local`.
  local_type sub_local() noexcept { return local; }

  /// Whether the element at a linear global index is local to the caller.
  bool is_local(index_type global_index) const { return this->pattern().is_local(global_index); }
  /// Whether any element with an index in a dimension is local to the caller.
  template <dim_t SubDimension>
  bool is_local(index_type n) const {
    return view().template is_local<SubDimension>(n);
  }

  /// The elements of the caller's team at a level of the hierarchy; only for one dimension.
  template <int Level>
  HView<Matrix, Level> hview() {
    return HView<Matrix, Level>(*this);
  }

  /// Global pointer to the first element.
  const_pointer data() const { return const_pointer(gptr_at(offsets_type{})); }
  /// Global pointer to the element at global coordinates; no range check.
  dart_gptr_t gptr_at(const offsets_type& coords) const {
    const auto location = this->storage().pattern().local_index(coords);
    return this->storage().element_gptr(location.unit, location.index);
  }

 private:
  template <class... Args>
  static PatternType pattern_of(Args&... args) {
    const internal::PatternArguments<NumDimensions, index_type> arguments(args...);
    return PatternType(arguments.sizespec(), arguments.distspec(), arguments.teamspec(),
                       arguments.team());
  }

  template <class Reference>
  Reference element(const offsets_type& coords) const {
    const auto& storage = this->storage();
    const auto location = storage.pattern().local_index(coords);
    return internal::element_ref<Reference, T>(storage.globmem(), location.unit, location.index);
  }

  view_type<NumDimensions> view() { return view_type<NumDimensions>(this->storage()); }
  const_view_type<NumDimensions> view() const {
    return const_view_type<NumDimensions>(this->storage());
  }

  /// Makes `local` and `async` refer to this object's storage, for example after a move.
  void bind() noexcept {
    if (!this->is_allocated()) {
      local = local_type();
      async = async_type();
      return;
    }
    local = internal::local_view_of<local_type>(this->lbegin(), this->pattern());
    async = async_type(&this->storage());
  }
};

/// A Matrix that stores the elements of each unit as one N-dimensional array.
/// \ingroup containers
template <class T, dim_t NumDimensions, typename IndexType = default_index_t,
          class PatternType = BlockPattern<NumDimensions, ROW_MAJOR, IndexType>,
          class LocalMemSpace = HostSpace>
using NArray = Matrix<T, NumDimensions, IndexType, PatternType, LocalMemSpace>;

}  // namespace dash
