#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <iterator>
#include <type_traits>
#include <utility>
#include <vector>

#include "dash/Dimensional.h"
#include "dash/Distribution.h"
#include "dash/GlobRef.h"
#include "dash/Matrix.h"
#include "dash/Team.h"
#include "dash/TeamSpec.h"
#include "dash/Types.h"
#include "dash/atomic/TypeTraits.h"
#include "dash/coarray/Utils.h"
#include "dash/internal/container/ContainerStorage.h"

namespace dash {

namespace internal {

[[noreturn]] DASH_API void throw_coarray_extents(std::size_t given, std::size_t rank,
                                                 std::size_t fixed_extent);

/// The extents that a type such as int[][20] fixes; 0 for an open extent.
template <class T, class Size>
constexpr auto array_extents() {
  constexpr std::size_t rank = std::rank_v<T>;
  std::array<Size, rank> extents{};
  [&]<std::size_t... D>(std::index_sequence<D...>) {
    ((extents[D] = static_cast<Size>(std::extent_v<T, D>)), ...);
  }
  (std::make_index_sequence<rank>());
  return extents;
}

}  // namespace internal

/// A variable with one instance on each unit of a team, as in Fortran: x is the caller's instance,
/// x(unit) the instance of another unit. Every unit can access all of them.
///
/// Can be constructed before dash::init(), followed by a call of allocate(), and destroyed after
/// dash::finalize(). Elements are zero after allocation.
/// \tparam T  an element (Coarray<int>, Coarray<Atomic<int>>) or an array of elements
///            (Coarray<int[10]>, Coarray<int[][20]>) of which the first extent may be open
/// \threads element access: thread-safe; construction, allocation and destruction: externally
///         synchronized per team
/// \ingroup containers
template <class T, typename IndexType = default_index_t, MemArrange Arrangement = ROW_MAJOR,
          class LocalMemSpace = HostSpace>
class Coarray {
  static constexpr dim_t Rank = static_cast<dim_t>(std::rank_v<T>);
  static constexpr bool is_scalar = Rank == 0;
  static constexpr bool is_complete = std::rank_v<T> == 0 || std::extent_v<T, 0> != 0;

 public:
  using index_type = IndexType;
  using size_type = std::make_unsigned_t<IndexType>;
  using difference_type = IndexType;
  using value_type = std::remove_all_extents_t<T>;
  /// Type of the values of the elements: U if they are of type `Atomic<U>`.
  using value_base_type = remove_atomic_t<value_type>;

  using pattern_type = BlockPattern<Rank + 1, Arrangement, IndexType>;
  /// Number of dimensions: ndim().
  using rank = std::integral_constant<dim_t, Rank + 1>;

  static_assert(internal::ContainerElement<value_type>::value);

 private:
  using Storage = Matrix<value_type, Rank + 1, IndexType, pattern_type, LocalMemSpace>;

 public:
  using iterator = typename Storage::iterator;
  using const_iterator = typename Storage::const_iterator;
  using reverse_iterator = std::reverse_iterator<iterator>;
  using const_reverse_iterator = std::reverse_iterator<const_iterator>;
  using reference = GlobRef<value_type>;
  using const_reference = GlobRef<const value_type>;
  using pointer = typename Storage::pointer;
  using const_pointer = typename Storage::const_pointer;
  using local_pointer = value_type*;
  using const_local_pointer = const value_type*;
  using local_type = typename Storage::local_type;
  template <dim_t NumViewDim>
  using view_type = typename Storage::template view_type<NumViewDim>;

  /// Allocates if T has no open extent and dash::init() has been called; otherwise call allocate().
  /// \collective over the team  \blocks until all units have called it
  explicit Coarray(Team& team = Team::All()) : _storage(team) {
    if constexpr (is_complete) {
      if (team.size() > 0) allocate(team);
    }
  }
  /// Allocates if dash::init() has been called; otherwise call allocate().
  /// \param first_extent  value of the open extent
  /// \collective over the team  \blocks until all units have called it
  explicit Coarray(size_type first_extent, Team& team = Team::All()) requires(!is_complete)
      : _storage(team) {
    _extents[0] = first_extent;
    if (team.size() > 0) allocate(team);
  }
  /// \overload
  /// \param extents  all extents, or only the first one
  /// \throws exception::InvalidArgument if the extents differ from those that T fixes
  explicit Coarray(const std::vector<size_type>& extents,
                   Team& team = Team::All()) requires(!is_scalar)
      : _storage(team) {
    set_extents(extents);
    if (team.size() > 0) allocate(team);
  }
  /// Allocates and assigns a value, if dash::init() has been called; otherwise call allocate().
  /// \param value  initial value of the caller's element
  /// \collective over the team  \blocks until all units have called it
  explicit Coarray(const value_base_type& value, Team& team = Team::All()) requires(is_scalar)
      : Coarray(team) {
    if (_storage.size() == 0) return;
    own() = value;
    barrier();
  }

  Coarray(const Coarray&) = delete;
  Coarray& operator=(const Coarray&) = delete;
  /// Takes over the memory.
  Coarray(Coarray&&) noexcept = default;
  /// Frees the memory of this coarray, then takes over that of the other.
  /// \collective over the team of this coarray, if it is allocated
  Coarray& operator=(Coarray&&) noexcept = default;
  /// Frees the memory, unless that was done by deallocate() or dash::finalize().
  /// \collective over the team, if allocated  \blocks until all units have called it
  ~Coarray() = default;

  /// Number of dimensions: one for the units, and those of T.
  static constexpr dim_t ndim() { return Rank + 1; }

  /// Allocates, after a deallocation if necessary. Ends with a barrier.
  /// \param team  by default the constructor's team, or Team::All() if it was Team::Null()
  /// \throws exception::InvalidArgument if the first extent is open
  /// \collective over the team  \blocks until all units have called it
  void allocate(Team& team) {
    if constexpr (!is_complete) {
      if (_extents[0] == 0) internal::throw_coarray_extents(0, std::rank_v<T>, 0);
    }
    allocate_storage(team);
  }
  /// \overload
  void allocate() {
    deallocate();  // restores the team of the constructor
    allocate(team().is_null() ? Team::All() : team());
  }
  /// \overload
  /// \param first_extent  value of the open extent
  void allocate(size_type first_extent, Team& team) requires(!is_complete) {
    _extents[0] = first_extent;
    allocate(team);
  }
  /// \overload
  void allocate(size_type first_extent) requires(!is_complete) {
    _extents[0] = first_extent;
    allocate();
  }
  /// Waits for all units, then frees the memory; without effect if not allocated.
  /// \collective over the team
  void deallocate() { _storage.deallocate(); }

  /// \name The elements of all units, in the order of the units
  /// @{

  /// Iterator to the first element of unit 0.
  iterator begin() noexcept { return _storage.begin(); }
  /// The end of the elements of all units.
  iterator end() noexcept { return _storage.end(); }
  /// \overload
  const_iterator begin() const noexcept { return _storage.begin(); }
  /// \overload
  const_iterator end() const noexcept { return _storage.end(); }
  /// As begin() of a const coarray.
  const_iterator cbegin() const noexcept { return begin(); }
  /// As end() of a const coarray.
  const_iterator cend() const noexcept { return end(); }
  /// Number of elements of all units; 0 if not allocated.
  size_type size() const noexcept { return _storage.size(); }
  /// Whether there are no elements, for example before allocate().
  bool empty() const noexcept { return size() == 0; }
  /// Whether the element at a global index is local to the caller.
  bool is_local(index_type global_index) const { return _storage.is_local(global_index); }
  /// @}

  /// \name The caller's elements
  /// @{

  /// Address of the caller's first element; nullptr if not allocated.
  value_type* lbegin() noexcept { return _storage.lbegin(); }
  /// The end of the caller's elements.
  value_type* lend() noexcept { return _storage.lend(); }
  /// \overload
  const value_type* lbegin() const noexcept { return _storage.lbegin(); }
  /// \overload
  const value_type* lend() const noexcept { return _storage.lend(); }
  /// Number of elements of the caller.
  size_type local_size() const noexcept { return static_cast<size_type>(lend() - lbegin()); }

  /// The caller's element at an index, as a native reference, or its slice, a LocalMatrixRef; no
  /// range check.
  decltype(auto) operator[](index_type n) requires(!is_scalar) {
    if constexpr (Rank == 1) {
      return *(lbegin() + n);
    } else {
      return _storage.local[0][n];
    }
  }
  /// \overload
  decltype(auto) operator[](index_type n) const requires(!is_scalar) {
    if constexpr (Rank == 1) {
      return *(lbegin() + n);
    } else {
      return std::as_const(_storage.local)[0][n];
    }
  }
  /// @}

  /// The instance of a unit of the team: a reference to the element, or a view; no range check.
  auto operator()(index_type unit) { return _storage[unit]; }
  /// \overload
  auto operator()(index_type unit) const { return _storage[unit]; }
  /// \overload
  auto operator()(team_unit_t unit) { return _storage[static_cast<index_type>(unit.id)]; }
  /// \overload
  auto operator()(team_unit_t unit) const { return _storage[static_cast<index_type>(unit.id)]; }

  /// \name Scalar coarrays act as a reference to the caller's element
  /// @{

  /// The value of the caller's element.
  operator value_base_type() const requires(is_scalar) {  // NOLINT: as a variable
    return static_cast<value_base_type>(own());
  }
  /// Assigns to the caller's element.
  Coarray& operator=(const value_base_type& value) requires(is_scalar) {
    own() = value;
    return *this;
  }
  /// Adds to the caller's element.
  Coarray& operator+=(const value_base_type& value) requires(is_scalar) {
    own() += value;
    return *this;
  }
  /// Subtracts from the caller's element.
  Coarray& operator-=(const value_base_type& value) requires(is_scalar) {
    own() -= value;
    return *this;
  }
  /// Multiplies the caller's element.
  Coarray& operator*=(const value_base_type& value) requires(is_scalar) {
    own() *= value;
    return *this;
  }
  /// Divides the caller's element.
  Coarray& operator/=(const value_base_type& value) requires(is_scalar) {
    own() /= value;
    return *this;
  }
  /// Adds 1 to the caller's element.
  Coarray& operator++() requires(is_scalar) {
    ++own();
    return *this;
  }
  /// Subtracts 1 from the caller's element.
  Coarray& operator--() requires(is_scalar) {
    --own();
    return *this;
  }
  /// Adds 1 to the caller's element.
  /// \returns the previous value
  value_base_type operator++(int) requires(is_scalar) { return own()++; }
  /// Subtracts 1 from the caller's element.
  /// \returns the previous value
  value_base_type operator--(int) requires(is_scalar) { return own()--; }

  /// Reference to a member of the caller's element.
  template <class Member>
  auto member(std::size_t byte_offset) requires(is_scalar) {
    return own_ref().template member<Member>(byte_offset);
  }
  /// \overload
  template <class Member, class Owner>
  auto member(Member Owner::*part) requires(is_scalar) {
    return own_ref().member(part);
  }
  /// @}

  /// The pattern that distributes the elements: one block for each unit.
  const pattern_type& pattern() const noexcept { return _storage.pattern(); }
  /// The team whose units have an instance.
  Team& team() const noexcept { return _storage.team(); }

  /// Completes all operations of the caller, then waits for all units.
  /// \completion remote  \collective over the team
  void barrier() const { _storage.barrier(); }
  /// As barrier().
  void sync_all() const { barrier(); }
  /// Like barrier(), but among the units with the given global ids only.
  /// \collective over these units
  template <class Container>
  void sync_images(const Container& images) const {
    coarray::sync_images(images);
  }
  /// Completes the caller's operations on the coarray.
  /// \completion remote  \collective no  \blocks until complete
  void flush() const { _storage.flush(); }
  /// Waits for the local completion of the caller's operations on the coarray.
  /// \completion local  \collective no  \blocks until complete
  void flush_local() const { _storage.flush_local(); }

  /// Exchanges the memory of two coarrays; iterators remain valid.
  void swap(Coarray& other) noexcept {
    std::swap(_extents, other._extents);
    using std::swap;
    swap(_storage, other._storage);
  }
  friend void swap(Coarray& a, Coarray& b) noexcept { a.swap(b); }

 private:
  void set_extents(const std::vector<size_type>& extents) {
    const auto fixed = internal::array_extents<T, size_type>();
    const bool count_fits = extents.size() == 1 || extents.size() == fixed.size();
    if (!count_fits) internal::throw_coarray_extents(extents.size(), fixed.size(), 0);
    for (std::size_t d = 0; d < extents.size(); ++d) {
      if (fixed[d] != 0 && fixed[d] != extents[d])
        internal::throw_coarray_extents(extents[d], fixed.size(), fixed[d]);
      _extents[d] = extents[d];
    }
  }

  void allocate_storage(Team& team) {
    std::array<size_type, Rank + 1> sizes{};
    sizes[0] = static_cast<size_type>(team.size());
    std::copy(_extents.begin(), _extents.end(), sizes.begin() + 1);
    std::array<Distribution, Rank + 1> distribution{};
    distribution.fill(NONE);
    distribution[0] = BLOCKED;
    using Units = typename pattern_type::teamspec_type;
    _storage.allocate(pattern_type(typename pattern_type::sizespec_type(sizes),
                                   typename pattern_type::distspec_type(distribution), Units(team),
                                   team));
    team.barrier();
  }

  /// The caller's element: a native reference, or a global reference for an Atomic.
  decltype(auto) own() {
    if constexpr (is_atomic<value_type>::value) {
      return own_ref();
    } else {
      return *lbegin();
    }
  }
  decltype(auto) own() const {
    if constexpr (is_atomic<value_type>::value) {
      return const_reference(_storage[static_cast<index_type>(team().myid().id)].dart_gptr());
    } else {
      return *lbegin();
    }
  }
  reference own_ref() {
    return reference(_storage[static_cast<index_type>(team().myid().id)].dart_gptr());
  }

  std::array<size_type, Rank> _extents = internal::array_extents<T, size_type>();
  Storage _storage;
};

/// \name Arithmetic with the caller's own element
/// The coarray converts to its value implicitly; these overloads are for operands that are not
/// numbers.
/// @{
namespace internal {
template <class T>
inline constexpr bool is_coarray = false;
template <class T, typename I, MemArrange A, class M>
inline constexpr bool is_coarray<Coarray<T, I, A, M>> = true;

template <class A>
decltype(auto) coarray_value(const A& operand) {
  if constexpr (is_coarray<A>) {
    return static_cast<typename A::value_base_type>(operand);
  } else {
    return (operand);
  }
}

template <class A, class B>
concept CoarrayOperands = is_coarray<A> || is_coarray<B>;
}  // namespace internal

/// Adds the values of two operands, of which at least one is a scalar coarray.
/// \ingroup containers
template <class A, class B>
requires internal::CoarrayOperands<A, B>
auto operator+(const A& a, const B& b) {
  return internal::coarray_value(a) + internal::coarray_value(b);
}
/// Subtracts the values of two operands, of which at least one is a scalar coarray.
/// \ingroup containers
template <class A, class B>
requires internal::CoarrayOperands<A, B>
auto operator-(const A& a, const B& b) {
  return internal::coarray_value(a) - internal::coarray_value(b);
}
/// Multiplies the values of two operands, of which at least one is a scalar coarray.
/// \ingroup containers
template <class A, class B>
requires internal::CoarrayOperands<A, B>
auto operator*(const A& a, const B& b) {
  return internal::coarray_value(a) * internal::coarray_value(b);
}
/// Divides the values of two operands, of which at least one is a scalar coarray.
/// \ingroup containers
template <class A, class B>
requires internal::CoarrayOperands<A, B>
auto operator/(const A& a, const B& b) {
  return internal::coarray_value(a) / internal::coarray_value(b);
}
/// @}

}  // namespace dash
