#pragma once

#include <cstddef>
#include <memory>
#include <utility>
#include <vector>

#include "dash/Exception.h"
#include "dash/GlobSharedRef.h"
#include "dash/Team.h"
#include "dash/Types.h"
#include "dash/internal/container/ContainerStorage.h"
#include "dash/internal/dynamic/BucketHeap.h"
#include "dash/internal/team/Collective.h"
#include "dash/memory/GlobHeapPtr.h"
#include "dash/memory/MemorySpace.h"

namespace dash {

/// Global memory of which each unit resizes its own part independently, in buckets that do not
/// move. The unit can use new elements immediately; other units can access them after the next
/// commit().
///
/// Elements are numbered in the order of units, as seen by the caller: its own part with its
/// current size, the parts of other units with their committed sizes.
/// \threads externally synchronized, except reading and writing elements
/// \tparam Policy  epoch_synchronized
/// \tparam LocalMemSpace, LocalAlloc  without effect: the runtime allocates the elements
/// \ingroup memory
template <class T, class LocalMemSpace = HostSpace,
          global_allocation_policy Policy = global_allocation_policy::epoch_synchronized,
          template <class...> class LocalAlloc = std::allocator>
class GlobHeapMem {
  static_assert(internal::ContainerElement<T>::value);
  static_assert(Policy == global_allocation_policy::epoch_synchronized,
                "dash::GlobHeapMem: the policy has to be epoch_synchronized");

 public:
  using value_type = T;
  using size_type = default_size_t;
  using index_type = default_index_t;
  using difference_type = gptrdiff_t;
  using pointer = GlobHeapPtr<T, GlobHeapMem>;
  using const_pointer = GlobHeapPtr<const T, GlobHeapMem>;
  using local_pointer = GlobHeapLocalPtr<T, GlobHeapMem>;
  using const_local_pointer = GlobHeapLocalPtr<const T, GlobHeapMem>;
  using reference = GlobSharedRef<T>;
  using const_reference = GlobSharedRef<const T>;
  /// A contiguous block of elements of one unit.
  using bucket_type = internal::BucketHeap::Bucket;

  /// \param nlocal  initial number of the caller's elements; may differ between units
  /// \collective over the team   \blocks until all units have called it
  /// \throws exception::RuntimeError on all units if one does not have enough memory
  explicit GlobHeapMem(size_type nlocal, Team& team = Team::All()) : _heap(make(team)) {
    internal::Call(team, "dash::GlobHeapMem").run([&] { _heap->grow(nlocal); });
    commit();
  }
  /// \overload
  /// The memory space has no effect.
  GlobHeapMem(size_type nlocal, LocalMemSpace* /*space*/, Team& team = Team::All())
      : GlobHeapMem(nlocal, team) {}
  GlobHeapMem(const GlobHeapMem&) = delete;
  GlobHeapMem& operator=(const GlobHeapMem&) = delete;
  /// Pointers keep referring to the moved-from object, which may only be assigned or destroyed.
  GlobHeapMem(GlobHeapMem&&) noexcept = default;
  /// Frees the elements of this object.
  /// \collective over the team of this object
  GlobHeapMem& operator=(GlobHeapMem&&) noexcept = default;
  /// \collective over the team
  ~GlobHeapMem() = default;

  /// The team given at construction.
  Team& team() const noexcept { return _heap->team(); }

  /// Appends zeroed elements to the caller's part.
  /// \returns a native pointer to the first of them, which are contiguous; nullptr for none
  /// \collective no
  /// \throws exception::RuntimeError if there is not enough memory, exception::InvalidArgument for
  ///         more elements than an address space can hold
  T* grow(size_type nelem) { return static_cast<T*>(_heap->grow(nelem)); }
  /// Removes the last elements of the caller's part. Other units can access committed elements
  /// until the next commit(), which frees them.
  /// \collective no   \throws exception::OutOfRange if the caller has fewer elements
  void shrink(size_type nelem) { _heap->shrink(nelem); }
  /// Grows or shrinks the caller's part so that size() becomes `nelem`: the number of elements of all units, as the
  /// caller sees it.
  /// \collective no   \throws exception::OutOfRange if other units have more elements
  void resize(size_type nelem) {
    const size_type others = size() - local_size();
    if (nelem < others) {
      DASH_THROW(exception::OutOfRange, "dash::GlobHeapMem: cannot resize to "
                                            << nelem << " elements; other units have " << others);
    }
    _heap->resize(nelem - others);
  }
  /// Makes the current elements of all units visible to all; completes the caller's operations.
  /// \collective over the team  \blocks until all units have called it
  void commit() { _heap->commit(); }
  /// Like commit(). \collective over the team
  void barrier() {
    commit();
    team().barrier();
  }

  /// Number of elements of all units: the current number of the caller, the committed numbers of
  /// other units.
  size_type size() const noexcept { return _heap->size(); }
  /// The same as size().
  size_type capacity() const noexcept { return size(); }
  /// Number of elements of the caller.
  size_type local_size() const noexcept { return _heap->own_size(); }
  /// Number of elements of a unit; the committed number for another unit than the caller.
  /// \throws exception::OutOfRange if there is no such unit
  size_type local_size(team_unit_t unit) const { return _heap->size(unit); }

  /// The first element of the first unit.
  pointer begin() noexcept { return {this, 0}; }
  /// The end of the elements of all units.
  pointer end() noexcept { return {this, static_cast<index_type>(size())}; }
  /// \overload
  const_pointer begin() const noexcept { return {this, 0}; }
  /// \overload
  const_pointer end() const noexcept { return {this, static_cast<index_type>(size())}; }
  /// The caller's first element.
  local_pointer lbegin() noexcept { return {this, 0}; }
  /// The end of the caller's elements.
  local_pointer lend() noexcept { return {this, static_cast<index_type>(local_size())}; }
  /// \overload
  const_local_pointer lbegin() const noexcept { return {this, 0}; }
  /// \overload
  const_local_pointer lend() const noexcept {
    return {this, static_cast<index_type>(local_size())};
  }
  /// The caller's buckets, in the order of elements.
  const std::vector<bucket_type>& local_buckets() const noexcept { return _heap->own_buckets(); }

  /// An element of a unit; the last element of a unit is followed by the first of the next unit.
  /// \throws exception::OutOfRange if there is no such unit
  pointer at(team_unit_t unit, index_type local_index) const {
    return {this, static_cast<index_type>(_heap->begin_of(unit)) + local_index};
  }

  /// Writes an element.
  /// \throws exception::OutOfRange if there is no such element
  /// \completion remote   \blocks until the element is written
  template <class V>
  void put_value(const V& value, index_type global_index) {
    (*pointer(this, global_index)).put(value);
  }
  /// Reads an element.
  /// \throws exception::OutOfRange if there is no such element
  /// \blocks until the element is read
  template <class V>
  void get_value(V* value, index_type global_index) const {
    *value = (*const_pointer(this, global_index)).get();
  }

  /// \cond internal
  /// Location of an element, for the pointers to elements.
  auto location_of(index_type position) const { return _heap->location_of(position); }
  auto local_of(index_type position) const { return _heap->local_of(position); }
  void* local_address(index_type index) const noexcept { return _heap->local_address(index); }
  dart_gptr_t local_gptr(index_type index) const {
    return _heap->location_of(team().myid(), index).gptr;
  }
  /// \endcond

 private:
  using Heap =
      std::unique_ptr<internal::BucketHeap, internal::StorageDeleter<internal::BucketHeap>>;
  static Heap make(Team& team) { return Heap(new internal::BucketHeap(sizeof(T), team)); }

  Heap _heap;
};

}  // namespace dash
