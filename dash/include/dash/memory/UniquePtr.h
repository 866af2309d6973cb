#pragma once

#include <cstddef>
#include <memory>
#include <utility>

#include "dash/allocator/AllocatorTraits.h"

namespace dash {

/// Gives elements back to the allocator that they are of.
template <class Allocator>
class DefaultDeleter {
 public:
  using allocator_type = Allocator;
  using pointer = typename allocator_traits<Allocator>::pointer;
  using size_type = typename allocator_traits<Allocator>::size_type;

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

/// Allocates elements that are given back when the pointer goes.
/// \param nelem  elements of the caller
/// \returns a pointer to the first; where allocation is collective, so is its end
/// \collective as the allocator's allocate()
template <class T, class Allocator>
std::unique_ptr<T, DefaultDeleter<Allocator>> allocate_unique(Allocator allocator,
                                                              std::size_t nelem = 1) {
  static_assert(std::is_same_v<T, typename allocator_traits<Allocator>::value_type>,
                "dash::allocate_unique: the allocator has to be one of T");
  auto first = allocator_traits<Allocator>::allocate(
      allocator, static_cast<typename allocator_traits<Allocator>::size_type>(nelem));
  return {first, DefaultDeleter<Allocator>(allocator, nelem)};
}

}  // namespace dash
