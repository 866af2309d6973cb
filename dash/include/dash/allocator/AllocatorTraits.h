#pragma once

#include <cstddef>
#include <memory>
#include <memory_resource>
#include <type_traits>

namespace dash {

namespace allocator {

/// Allocates native memory from a std::pmr resource, such as HostSpace; by default with operator
/// new.
/// \ingroup memory
template <class T>
using DefaultAllocator = std::pmr::polymorphic_allocator<T>;

}  // namespace allocator

namespace internal {

/// The type of an allocator for elements of another type.
template <class Allocator, class U>
struct ReboundAllocator {
  using type = typename std::allocator_traits<Allocator>::template rebind_alloc<U>;
};
template <class Allocator, class U>
requires requires {
  typename Allocator::template rebind<U>::value_type;
}
struct ReboundAllocator<Allocator, U> {
  using type = typename Allocator::template rebind<U>;
};

}  // namespace internal

/// Like std::allocator_traits, but also for allocators of global memory, whose pointers are global.
/// \tparam Allocator  provides value_type, allocate(nelem) and deallocate(pointer, nelem)
/// \ingroup memory
template <class Allocator>
struct allocator_traits {
  using allocator_type = Allocator;
  using value_type = typename Allocator::value_type;

 private:
  template <class A>
  static auto pointer_of(int) -> typename A::pointer;
  template <class A>
  static auto pointer_of(long) -> value_type*;
  template <class A>
  static auto const_pointer_of(int) -> typename A::const_pointer;
  template <class A>
  static auto const_pointer_of(long) -> const value_type*;
  template <class A>
  static auto size_of(int) -> typename A::size_type;
  template <class A>
  static auto size_of(long) -> std::size_t;
  template <class A>
  static auto difference_of(int) -> typename A::difference_type;
  template <class A>
  static auto difference_of(long) -> std::ptrdiff_t;

 public:
  using pointer = decltype(pointer_of<Allocator>(0));
  using const_pointer = decltype(const_pointer_of<Allocator>(0));
  using size_type = decltype(size_of<Allocator>(0));
  using difference_type = decltype(difference_of<Allocator>(0));

  /// The same allocator for elements of type U.
  template <class U>
  using rebind_alloc = typename internal::ReboundAllocator<Allocator, U>::type;
  /// The traits of that allocator.
  template <class U>
  using rebind_traits = allocator_traits<rebind_alloc<U>>;

  /// Allocates elements without constructing them.
  /// \returns a pointer to the first of nelem elements
  /// \collective as the allocator's allocate()
  static pointer allocate(Allocator& allocator, size_type nelem) {
    return allocator.allocate(nelem);
  }
  /// Frees elements.
  /// \param first, nelem  the result and the argument of allocate()
  /// \collective as the allocator's deallocate()
  static void deallocate(Allocator& allocator, pointer first, size_type nelem) {
    allocator.deallocate(first, nelem);
  }
};

}  // namespace dash
