#pragma once

#include <cstddef>
#include <iterator>
#include <span>
#include <type_traits>
#include <utility>

#include "dash/GlobPtr.h"
#include "dash/GlobRef.h"
#include "dash/Team.h"
#include "dash/Types.h"
#include "dash/allocator/GlobalAllocator.h"
#include "dash/internal/container/ContainerStorage.h"
#include "dash/iterator/GlobIter.h"
#include "dash/memory/GlobStaticMem.h"

namespace dash::internal {

/// Base class of containers that are allocated once, collectively, and distributed by a pattern: a
/// team, an optional storage, and the functions that depend only on these.
///
/// \tparam Derived  provides bind(), called after its storage has changed
/// \threads as the container
template <class Derived, class T, class PatternType, class LocalMemSpace>
class Container {
 public:
  using value_type = T;
  using index_type = typename PatternType::index_type;
  using size_type = std::make_unsigned_t<index_type>;
  using memory_type = GlobStaticMem<LocalMemSpace>;
  /// DASH name of memory_type.
  using GlobMem_t = memory_type;
  using allocator_type = GlobalAllocator<T, memory_type>;
  using pattern_type = PatternType;

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

  static_assert(ContainerElement<T>::value);
  static_assert(!std::is_const_v<T>, "dash: elements of a container cannot be const");

  /// Number of dimensions.
  static constexpr dim_t ndim() { return PatternType::ndim(); }

  /// Iterators over all elements, in the order of the global indices; equal if not allocated.
  iterator begin() noexcept { return iterator_at(0); }
  /// Past the last element.
  iterator end() noexcept { return iterator_at(static_cast<index_type>(size())); }
  /// \overload
  const_iterator begin() const noexcept { return const_iterator_at(0); }
  /// \overload
  const_iterator end() const noexcept { return const_iterator_at(static_cast<index_type>(size())); }
  /// \overload
  const_iterator cbegin() const noexcept { return begin(); }
  /// \overload
  const_iterator cend() const noexcept { return end(); }
  /// Iterators in reverse order.
  reverse_iterator rbegin() noexcept { return reverse_iterator(end()); }
  /// Past the first element, in reverse order.
  reverse_iterator rend() noexcept { return reverse_iterator(begin()); }
  /// \overload
  const_reverse_iterator rbegin() const noexcept { return const_reverse_iterator(end()); }
  /// \overload
  const_reverse_iterator rend() const noexcept { return const_reverse_iterator(begin()); }
  /// \overload
  const_reverse_iterator crbegin() const noexcept { return rbegin(); }
  /// \overload
  const_reverse_iterator crend() const noexcept { return rend(); }

  /// Addresses of the caller's first element and past its last one; nullptr if not allocated.
  T* lbegin() noexcept { return _storage ? _storage->lbegin() : nullptr; }
  /// Past the address of the caller's last element.
  T* lend() noexcept { return _storage ? _storage->lend() : nullptr; }
  /// \overload
  const T* lbegin() const noexcept { return _storage ? _storage->lbegin() : nullptr; }
  /// \overload
  const T* lend() const noexcept { return _storage ? _storage->lend() : nullptr; }

  /// The elements of a unit on the caller's node, in the order of its local indices. data() is
  /// nullptr if the unit is on another node or the container is not allocated. For the visibility
  /// of other units' writes see docs/explanation/memory-model.md.
  /// \throws exception::OutOfRange if the team has no such unit
  /// \collective no  \blocks never  \threads thread-safe
  /// @{
  std::span<T> on_node(team_unit_t unit) {
    return _storage ? _storage->on_node(unit) : std::span<T>();
  }
  /// \overload
  std::span<const T> on_node(team_unit_t unit) const {
    return _storage ? _storage->on_node(unit) : std::span<const T>();
  }
  /// @}

  /// Number of elements of all units.
  size_type size() const noexcept { return _storage ? _storage->pattern().size() : 0; }
  /// The same as size().
  size_type capacity() const noexcept { return size(); }
  /// Whether the container has no elements, for example because it is not allocated.
  bool empty() const noexcept { return size() == 0; }
  /// Number of elements of the caller.
  size_type local_size() const noexcept { return static_cast<size_type>(lend() - lbegin()); }
  /// Largest number of elements that a unit can have in the pattern.
  size_type local_capacity() const { return _storage ? _storage->pattern().local_capacity() : 0; }

  /// The pattern of the container; one without elements if it is not allocated.
  const PatternType& pattern() const noexcept {
    return _storage ? _storage->pattern() : empty_pattern();
  }
  /// The team that owns the container.
  Team& team() const noexcept { return _storage ? _storage->team() : *_team; }
  /// \pre allocated
  const memory_type& globmem() const noexcept { return _storage->globmem(); }

  /// Completes all operations of the caller, then waits for all units.
  /// \completion remote  \collective over the team
  void barrier() const { team().barrier(); }

  /// \name Complete the caller's operations on the container, at all units or at one
  /// \completion remote (flush), local (flush_local)
  /// \collective no  \blocks until complete
  /// @{

  /// At all units.
  void flush() const {
    if (_storage) _storage->globmem().flush();
  }
  /// At one unit.
  void flush(TeamUnitArgument unit) const {
    if (_storage) _storage->globmem().flush(unit);
  }
  /// At all units.
  void flush_local() const {
    if (_storage) _storage->globmem().flush_local();
  }
  /// At one unit.
  void flush_local(TeamUnitArgument unit) const {
    if (_storage) _storage->globmem().flush_local(unit);
  }
  /// DASH name of flush().
  [[deprecated("use flush()")]] void flush_all() const { flush(); }
  /// DASH name of flush_local().
  [[deprecated("use flush_local()")]] void flush_local_all() const { flush_local(); }
  /// @}

  /// Waits for all units, then frees the memory; without effect if not allocated.
  /// \collective over the team  \blocks until all units have called it
  void deallocate() {
    _storage.reset();
    derived().bind();
  }

  friend void swap(Derived& a, Derived& b) noexcept { static_cast<Container&>(a).exchange(b); }

  /// \cond internal

 protected:
  using storage_type = ContainerStorage<T, PatternType, memory_type>;

  explicit Container(Team& team) noexcept : _team(&team) {}
  Container(const Container&) = delete;
  Container& operator=(const Container&) = delete;
  /// A derived class calls bind() of both objects after a move.
  Container(Container&&) noexcept = default;
  Container& operator=(Container&&) noexcept = default;
  /// Frees the memory, unless that was done by deallocate() or dash::finalize().
  ~Container() = default;

  /// \pre allocated
  storage_type& storage() const noexcept { return *_storage; }
  bool is_allocated() const noexcept { return _storage != nullptr; }
  /// The constructor's team if it was given one, otherwise `team`.
  Team& owner_or(Team& team) const noexcept { return _team->is_null() ? team : *_team; }

  /// \param pattern  passed by value, because it may belong to the storage that is replaced
  /// \collective over the pattern's team
  void allocate_storage(PatternType pattern) {
    deallocate();
    _storage.reset(new storage_type(std::move(pattern)));
    derived().bind();
  }

  /// \endcond

 private:
  void exchange(Container& other) noexcept {
    std::swap(_team, other._team);
    std::swap(_storage, other._storage);
    derived().bind();
    other.derived().bind();
  }

  Derived& derived() noexcept { return static_cast<Derived&>(*this); }

  static const PatternType& empty_pattern() {
    static const PatternType pattern;
    return pattern;
  }

  iterator iterator_at(index_type position) noexcept {
    return _storage ? iterator(&_storage->globmem(), _storage->pattern(), position) : iterator();
  }
  const_iterator const_iterator_at(index_type position) const noexcept {
    return _storage ? const_iterator(&_storage->globmem(), _storage->pattern(), position)
                    : const_iterator();
  }

  Team* _team;
  StoragePtr<T, PatternType, memory_type> _storage;
};

}  // namespace dash::internal
