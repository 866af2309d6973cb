#pragma once

#include <algorithm>
#include <cstddef>
#include <initializer_list>
#include <iterator>
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
#include "dash/array/AsyncArrayRef.h"
#include "dash/array/LocalArrayRef.h"
#include "dash/internal/Collective.h"
#include "dash/internal/ContainerStorage.h"
#include "dash/iterator/GlobIter.h"
#include "dash/memory/GlobStaticMem.h"
#include "dash/pattern/BlockPattern.h"

namespace dash {

/// A one-dimensional array whose elements are distributed among the units of a team.
///
/// An element is reached by its global index from any unit (operator[]), or by its local index in
/// the memory of its owner (`local`). Elements are zero after allocation.
///
/// Can be constructed before dash::init() without allocating, and destroyed after dash::finalize().
/// Iterators stay valid when the array is moved.
/// \threads element access: any; construction, allocation and destruction: one at a time per team
template <class T, typename IndexType = default_index_t,
          class PatternType = BlockPattern<1, ROW_MAJOR, IndexType>,
          class LocalMemSpace = HostSpace>
class Array {
 public:
  using value_type = T;
  using index_type = IndexType;
  using size_type = std::make_unsigned_t<IndexType>;
  using difference_type = std::make_unsigned_t<IndexType>;
  using memory_type = GlobStaticMem<LocalMemSpace>;
  using GlobMem_t = memory_type;
  using pattern_type = PatternType;
  using distribution_spec = DistributionSpec<1>;

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

  using local_type = LocalArrayRef<T, IndexType, PatternType, LocalMemSpace>;
  using async_type = AsyncArrayRef<T, IndexType, PatternType, LocalMemSpace>;
  using rank = std::integral_constant<dim_t, 1>;

  static_assert(internal::require_container_compatible<T>());
  static_assert(!std::is_const_v<T>, "dash::Array: elements cannot be const");
  static_assert(std::is_same_v<IndexType, typename PatternType::index_type>,
                "dash::Array: the index type has to be that of the pattern");
  static_assert(PatternType::ndim() == 1, "dash::Array: the pattern has to be one-dimensional");

  /// The caller's elements, by local index.
  local_type local;
  /// All elements, accessed without waiting.
  async_type async{this};

  /// Without elements; allocate() does the rest. If a team is given here, it is the one used then.
  explicit Array(Team& team = Team::Null()) noexcept : _team(&team) {}

  /// \param nelem  number of elements, of all units together
  /// \collective over the team  \blocks until all units have called it
  /// \throws exception::RuntimeError if a unit lacks the memory
  Array(size_type nelem, const distribution_spec& distribution, Team& team = Team::All())
      : _team(&team) {
    allocate(nelem, distribution, team);
  }
  /// \overload
  explicit Array(size_type nelem, Team& team = Team::All()) : Array(nelem, BLOCKED, team) {}

  /// \param local_elements  values of the caller's elements
  /// \throws exception::RuntimeError on all units unless each passes as many as it has
  Array(size_type nelem, std::initializer_list<T> local_elements,
        const distribution_spec& distribution, Team& team = Team::All())
      : _team(&team) {
    allocate(nelem, local_elements, distribution, team);
  }
  /// \overload
  Array(size_type nelem, std::initializer_list<T> local_elements, Team& team = Team::All())
      : Array(nelem, local_elements, BLOCKED, team) {}

  /// \collective over the pattern's team
  explicit Array(const PatternType& pattern) : _team(&pattern.team()) { allocate(pattern); }

  Array(const Array&) = delete;
  Array& operator=(const Array&) = delete;
  Array(Array&& other) noexcept : _team(other._team), _storage(std::move(other._storage)) {
    bind_local();
    other.bind_local();
  }
  /// \collective over the team of this array, if it is allocated
  Array& operator=(Array&& other) noexcept {
    _team = other._team;
    _storage = std::move(other._storage);
    bind_local();
    other.bind_local();
    return *this;
  }
  /// Frees the memory, unless that was done by deallocate() or dash::finalize().
  /// \collective over the team, if allocated  \blocks until all units have called it
  ~Array() = default;

  static constexpr dim_t ndim() { return 1; }

  /// Allocates, after a deallocation if necessary. Ends with a barrier.
  /// \returns true
  /// \collective over the team  \blocks until all units have called it
  bool allocate(size_type nelem, const distribution_spec& distribution, Team& team = Team::All()) {
    Team& owner = _team->is_null() ? team : *_team;
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
    Team& owner = _team->is_null() ? team : *_team;
    const PatternType pattern(typename PatternType::sizespec_type(nelem), distribution, owner);
    // Each unit knows its own list only, and allocation needs all units.
    internal::run_collectively(owner, "dash::Array", [&] {
      if (local_elements.size() != pattern.local_size()) {
        internal::throw_initializer_size(local_elements.size(), pattern.local_size());
      }
    });
    allocate_storage(pattern);
    std::copy(local_elements.begin(), local_elements.end(), lbegin());
    _storage->team().barrier();
    return true;
  }
  /// \overload
  bool allocate(const PatternType& pattern) {
    allocate_storage(pattern);
    _storage->team().barrier();
    return true;
  }

  /// Waits for all units, then frees the memory; without effect if not allocated.
  /// \collective over the team  \blocks until all units have called it
  void deallocate() {
    _storage.reset();
    bind_local();
  }

  iterator begin() noexcept { return iterator_at(0); }
  iterator end() noexcept { return iterator_at(static_cast<index_type>(size())); }
  const_iterator begin() const noexcept { return const_iterator_at(0); }
  const_iterator end() const noexcept { return const_iterator_at(static_cast<index_type>(size())); }
  const_iterator cbegin() const noexcept { return begin(); }
  const_iterator cend() const noexcept { return end(); }
  reverse_iterator rbegin() noexcept { return reverse_iterator(end()); }
  reverse_iterator rend() noexcept { return reverse_iterator(begin()); }
  const_reverse_iterator rbegin() const noexcept { return const_reverse_iterator(end()); }
  const_reverse_iterator rend() const noexcept { return const_reverse_iterator(begin()); }

  /// Native begin and end of the caller's elements; nullptr if not allocated.
  T* lbegin() noexcept { return _storage ? _storage->lbegin() : nullptr; }
  T* lend() noexcept { return _storage ? _storage->lend() : nullptr; }
  const T* lbegin() const noexcept { return _storage ? _storage->lbegin() : nullptr; }
  const T* lend() const noexcept { return _storage ? _storage->lend() : nullptr; }

  /// The element at a global index; no range check.
  reference operator[](index_type global_index) { return reference(gptr_at(global_index)); }
  const_reference operator[](index_type global_index) const {
    return const_reference(gptr_at(global_index));
  }
  /// \throws exception::OutOfRange unless 0 <= global_index < size()
  reference at(index_type global_index) {
    check_index(global_index);
    return (*this)[global_index];
  }
  const_reference at(index_type global_index) const {
    check_index(global_index);
    return (*this)[global_index];
  }

  /// Number of elements of all units.
  size_type size() const noexcept { return _storage ? _storage->pattern().size() : 0; }
  size_type capacity() const noexcept { return size(); }
  bool empty() const noexcept { return size() == 0; }
  /// Number of elements of the caller.
  size_type lsize() const noexcept { return static_cast<size_type>(lend() - lbegin()); }
  size_type lcapacity() const noexcept {
    return _storage ? _storage->pattern().local_capacity() : 0;
  }

  /// Whether the element at a global index is the caller's own.
  bool is_local(index_type global_index) const { return pattern().is_local(global_index); }

  /// Global pointer to the first element.
  const_pointer data() const { return const_pointer(gptr_at(0)); }
  /// Global pointer to the element at a global index; no range check.
  dart_gptr_t gptr_at(index_type global_index) const { return _storage->gptr_at(global_index); }

  const PatternType& pattern() const noexcept {
    return _storage ? _storage->pattern() : empty_pattern();
  }
  Team& team() const noexcept { return _storage ? _storage->team() : *_team; }
  /// \pre allocated
  const memory_type& globmem() const noexcept { return _storage->globmem(); }

  /// Completes all operations of the caller, then waits for all units.
  /// \completion remote  \collective over the team
  void barrier() const {
    flush();
    team().barrier();
  }

  /// \name Completes the caller's operations on the array: to all units, or to one
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

  friend void swap(Array& a, Array& b) noexcept {
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

  void allocate_storage(const PatternType& pattern) {
    deallocate();
    _storage.reset(new internal::ContainerStorage<T, PatternType, memory_type>(pattern));
    bind_local();
  }

  /// `local` refers to the storage, `async` to this object, whoever they were before.
  void bind_local() noexcept { local = local_type(lbegin(), lend(), &pattern()); }

  iterator iterator_at(index_type position) noexcept {
    return _storage ? iterator(&_storage->globmem(), _storage->pattern(), position) : iterator();
  }
  const_iterator const_iterator_at(index_type position) const noexcept {
    return _storage ? const_iterator(&_storage->globmem(), _storage->pattern(), position)
                    : const_iterator();
  }

  void check_index(index_type global_index) const {
    if (global_index < 0 || static_cast<size_type>(global_index) >= size()) {
      internal::throw_index("dash::Array", static_cast<long long>(global_index), size());
    }
  }

  Team* _team;
  internal::StoragePtr<T, PatternType, memory_type> _storage;
};

}  // namespace dash
