#pragma once

#include <cstddef>
#include <memory>
#include <utility>

#include "dash/allocator/AllocatorTraits.h"

namespace dash {

/// Returns elements to their allocator.
/// \ingroup memory
template <class Allocator>
class DefaultDeleter {
 public:
  using allocator_type = Allocator;
  using pointer = typename allocator_traits<Allocator>::pointer;
  using size_type = typename allocator_traits<Allocator>::size_type;

  /// Copies the allocator.
  /// \param nelem  number of the caller's elements that are deallocated
  explicit DefaultDeleter(const Allocator& allocator, size_type nelem = 1)
      : _allocator(allocator), _nelem(nelem) {}

  /// \collective as the allocator's deallocate()
  void operator()(pointer first) {
    allocator_traits<Allocator>::deallocate(_allocator, first, _nelem);
  }

 private:
  Allocator _allocator;
  size_type _nelem;
};

/// Allocates elements that are deallocated when the pointer is destroyed.
/// \param nelem  number of elements of the caller
/// \returns a pointer to the first element; if allocation is collective, so is the destruction
/// \collective as the allocator's allocate()
/// \ingroup memory
template <class T, class Allocator>
std::unique_ptr<T, DefaultDeleter<Allocator>> allocate_unique(Allocator allocator,
                                                              std::size_t nelem = 1) {
  static_assert(std::is_same_v<T, typename allocator_traits<Allocator>::value_type>,
                "dash::allocate_unique: the allocator's value type has to be T");
  auto first = allocator_traits<Allocator>::allocate(
      allocator, static_cast<typename allocator_traits<Allocator>::size_type>(nelem));
  return {first, DefaultDeleter<Allocator>(allocator, nelem)};
}

}  // namespace dash
