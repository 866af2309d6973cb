#pragma once

#include <algorithm>
#include <initializer_list>
#include <type_traits>
#include <utility>

#include "dash/Dimensional.h"
#include "dash/Distribution.h"
#include "dash/GlobAsyncRef.h"
#include "dash/GlobPtr.h"
#include "dash/GlobRef.h"
#include "dash/Range.h"
#include "dash/Team.h"
#include "dash/Types.h"
#include "dash/array/ArrayRef.h"
#include "dash/array/AsyncArrayRef.h"
#include "dash/array/LocalArrayRef.h"
#include "dash/internal/container/Container.h"
#include "dash/internal/container/ContainerStorage.h"
#include "dash/internal/team/Collective.h"
#include "dash/iterator/GlobIter.h"
#include "dash/memory/GlobStaticMem.h"
#include "dash/pattern/BlockPattern.h"
#include "dash/util/Locality.h"
#include "dash/view/OwnersView.h"

namespace dash {

/// A one-dimensional array whose elements are distributed among the units of a team.
///
/// An element is reached by its global index from any unit (operator[]), or by its local index in
/// the memory of its owner (`local`). Elements are zero after allocation.
///
/// Can be constructed before dash::init() without allocating, and destroyed after dash::finalize().
/// Iterators stay valid when the array is moved.
/// \threads element access: thread-safe; construction, allocation and destruction: externally
///         synchronized per team
/// \tparam T  trivially copyable and of standard layout
/// \tparam IndexType  of operator[]
/// \tparam PatternType  a one-dimensional pattern, usually of the same index type
/// \ingroup containers
template <class T, typename IndexType = default_index_t,
          class PatternType = BlockPattern<1, ROW_MAJOR, IndexType>,
          class LocalMemSpace = HostSpace>
class Array : public internal::Container<Array<T, IndexType, PatternType, LocalMemSpace>, T,
                                         PatternType, LocalMemSpace> {
  using Base = internal::Container<Array, T, PatternType, LocalMemSpace>;
  friend Base;

 public:
  using index_type = IndexType;
  using typename Base::const_pointer;
  using typename Base::const_reference;
  using typename Base::reference;
  using typename Base::size_type;
  using difference_type = std::make_unsigned_t<IndexType>;
  /// The distribution as a constructor argument.
  using distribution_spec = DistributionSpec<1>;

  using local_type = LocalArrayRef<T, IndexType, PatternType, LocalMemSpace>;
  /// Type of the member `async`.
  using async_type = AsyncArrayRef<T, IndexType, PatternType, LocalMemSpace>;
  using view_type = ArrayRef<T, IndexType, PatternType, LocalMemSpace>;
  /// Type of a block of a const array.
  using const_view_type = ArrayRef<const T, IndexType, PatternType, LocalMemSpace>;
  /// Number of dimensions: 1.
  using rank = std::integral_constant<dim_t, 1>;

  static_assert(PatternType::ndim() == 1, "dash::Array: the pattern has to be one-dimensional");

  /// The caller's elements, by local index.
  local_type local;
  /// All elements, accessed asynchronously.
  async_type async;

  /// Creates an array without elements, for a later allocate(). A team given here is used by
  /// allocate().
  explicit Array(Team& team = Team::Null()) noexcept : Base(team) {}

  /// Allocates `nelem` elements, distributed over the team.
  /// \param nelem  total number of elements of all units
  /// \collective over the team  \blocks until all units have called it
  /// \throws exception::RuntimeError if a unit does not have enough memory
  Array(size_type nelem, const distribution_spec& distribution, Team& team = Team::All())
      : Base(team) {
    allocate(nelem, distribution, team);
  }
  /// \overload
  explicit Array(size_type nelem, Team& team = Team::All()) : Array(nelem, BLOCKED, team) {}

  /// Allocates `nelem` elements and assigns values to the caller's elements.
  /// \param local_elements  values of the caller's elements
  /// \throws exception::RuntimeError on all units if a unit passes fewer or more values than it
  ///         owns
  Array(size_type nelem, std::initializer_list<T> local_elements,
        const distribution_spec& distribution, Team& team = Team::All())
      : Base(team) {
    allocate(nelem, local_elements, distribution, team);
  }
  /// \overload
  Array(size_type nelem, std::initializer_list<T> local_elements, Team& team = Team::All())
      : Array(nelem, local_elements, BLOCKED, team) {}

  /// Allocates the elements that a pattern distributes.
  /// \collective over the pattern's team  \blocks until all units have called it
  explicit Array(const PatternType& pattern) : Base(pattern.team()) { allocate(pattern); }

  Array(const Array&) = delete;
  Array& operator=(const Array&) = delete;
  /// Takes over the memory; `other` is not allocated afterwards.
  Array(Array&& other) noexcept : Base(std::move(other)) {
    bind();
    other.bind();
  }
  /// Frees the memory of this array, then takes over that of `other`.
  /// \collective over the team of this array, if it is allocated
  Array& operator=(Array&& other) noexcept {
    Base::operator=(std::move(other));
    bind();
    other.bind();
    return *this;
  }
  /// Frees the memory, unless that was done by deallocate() or dash::finalize().
  /// \collective over the team, if allocated  \blocks until all units have called it
  ~Array() = default;

  /// Allocates, after a deallocation if necessary. Ends with a barrier.
  /// \returns true
  /// \collective over the team  \blocks until all units have called it
  bool allocate(size_type nelem, const distribution_spec& distribution, Team& team = Team::All()) {
    Team& owner = this->owner_or(team);
    return allocate(PatternType(typename PatternType::sizespec_type(nelem), distribution, owner));
  }
  /// \overload
  bool allocate(size_type nelem, Team& team = Team::All()) {
    return allocate(nelem, BLOCKED, team);
  }
  /// \overload
  bool allocate(size_type nelem, std::initializer_list<T> local_elements,
                const distribution_spec& distribution, Team& team = Team::All()) {
    if (nelem == 0) internal::throw_empty("dash::Array");
    Team& owner = this->owner_or(team);
    const PatternType pattern(typename PatternType::sizespec_type(nelem), distribution, owner);
    // Each unit knows only its own list, but allocation is collective.
    internal::Call(owner, "dash::Array").run([&] {
      if (local_elements.size() != pattern.local_size()) {
        internal::throw_initializer_size(local_elements.size(), pattern.local_size());
      }
    });
    this->allocate_storage(pattern);
    std::copy(local_elements.begin(), local_elements.end(), this->lbegin());
    this->team().barrier();
    return true;
  }
  /// \overload
  bool allocate(const PatternType& pattern) {
    this->allocate_storage(pattern);
    this->team().barrier();
    return true;
  }

  /// The element at a global index; no range check.
  reference operator[](index_type global_index) { return element<reference>(global_index); }
  /// \overload
  const_reference operator[](index_type global_index) const {
    return element<const_reference>(global_index);
  }
  /// The element at a global index.
  /// \throws exception::OutOfRange unless 0 <= global_index < size()
  reference at(index_type global_index) {
    check_index(global_index);
    return (*this)[global_index];
  }
  /// \overload
  const_reference at(index_type global_index) const {
    check_index(global_index);
    return (*this)[global_index];
  }

  /// Number of elements of the caller.
  size_type lsize() const noexcept { return this->local_size(); }
  /// The largest number of elements that a unit can have.
  size_type lcapacity() const { return this->local_capacity(); }

  /// Whether the element at a global index is local to the caller.
  bool is_local(index_type global_index) const { return this->pattern().is_local(global_index); }

  /// Global pointer to the first element.
  const_pointer data() const { return const_pointer(gptr_at(0)); }
  /// Global pointer to the element at a global index; no range check.
  dart_gptr_t gptr_at(index_type global_index) const {
    return this->storage().gptr_at(global_index);
  }

  /// The elements of the units in the caller's hardware domain of a scope, as a view in global
  /// order: the caller's node for Locality::Node, all units for Locality::Global. The elements can
  /// be assigned to. A scope that the machine does not have is treated as Global.
  /// \throws exception::InvalidArgument for a scope finer than a unit, in which the location of
  ///         units is unknown
  OwnersView<Array> local_in(util::Locality::Scope scope) {
    return {*this, internal::units_in_scope(this->team(), scope)};
  }
  /// \overload
  OwnersView<const Array> local_in(util::Locality::Scope scope) const {
    return {*this, internal::units_in_scope(this->team(), scope)};
  }

  /// The elements of a block of the pattern, by its index among those of all units.
  view_type block(index_type block_index) {
    return view_type(this->storage(), this->pattern().block(block_index));
  }
  /// \overload
  const_view_type block(index_type block_index) const {
    return const_view_type(this->storage(), this->pattern().block(block_index));
  }

 private:
  template <class Reference>
  Reference element(index_type global_index) const {
    const auto& storage = this->storage();
    const auto location = storage.pattern().local(global_index);
    return internal::element_ref<Reference, T>(storage.globmem(), location.unit, location.index);
  }

  /// Makes `local` and `async` refer to this object's storage, for example after a move.
  void bind() noexcept {
    local = local_type(this->lbegin(), this->lend(), &this->pattern());
    async = async_type(this->is_allocated() ? &this->storage() : nullptr);
  }

  void check_index(index_type global_index) const {
    if (global_index < 0 || static_cast<size_type>(global_index) >= this->size()) {
      internal::throw_index("dash::Array", static_cast<long long>(global_index), this->size());
    }
  }
};

}  // namespace dash
