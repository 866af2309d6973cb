#pragma once

#include <cstddef>
#include <cstring>
#include <iterator>
#include <limits>
#include <type_traits>
#include <utility>

#include "dash/Future.h"
#include "dash/internal/container/ContainerStorage.h"
#include "dash/internal/transfer/RangeTransfer.h"
#include "dash/internal/transfer/Transfer.h"

namespace dash {

namespace internal {

/// Iterators over positions in a global range.
template <class It>
concept IntegerIterator = std::forward_iterator<It> && std::is_integral_v<std::iter_value_t<It>>;

/// The number of elements from an iterator to the end of its container or view.
/// @{
template <class T, class Pattern, class Mem, class P, class R>
std::ptrdiff_t num_following(const GlobIter<T, Pattern, Mem, P, R>& it) {
  return static_cast<std::ptrdiff_t>(it.pattern().size()) - static_cast<std::ptrdiff_t>(it.pos());
}
template <class T, class Pattern, class Mem, class P, class R>
std::ptrdiff_t num_following(const GlobViewIter<T, Pattern, Mem, P, R>& it) {
  return static_cast<std::ptrdiff_t>(it.viewspec().size()) - static_cast<std::ptrdiff_t>(it.rpos());
}
template <class T, class Mem>
std::ptrdiff_t num_following(const GlobPtr<T, Mem>& /*pointer*/) {
  return std::numeric_limits<std::ptrdiff_t>::max();  // the transfers check the memory
}
/// @}

/// Calls copy(address, k) for the k-th position if its element is on the caller's node, and start(position, k, nelem) for
/// the others, where the k-th position and the nelem - 1 that follow it are adjacent. No address of an iterator is passed,
/// so that the compiler keeps iterators in registers.
/// \throws exception::OutOfRange if a position is not in the container or view
template <CopyIterator GlobIt, IntegerIterator It, class Copy, class Start>
void for_each_position(const GlobIt& begin, It first, It last, const char* name, const Copy& copy,
                       const Start& start) {
  using Difference = typename GlobIt::difference_type;
  const std::ptrdiff_t size = num_following(begin);
  for (std::ptrdiff_t k = 0; first != last;) {
    const auto position = static_cast<std::ptrdiff_t>(*first);
    if (position < 0 || position >= size)
      throw_index(name, position, static_cast<unsigned long long>(size));
    ++first;
    void* const address = node_block_at(begin + static_cast<Difference>(position), 1).address;
    if (address != nullptr) {
      copy(address, k++);
      continue;
    }
    std::ptrdiff_t nelem = 1;
    while (first != last && static_cast<std::ptrdiff_t>(*first) == position + nelem &&
           position + nelem < size) {
      ++first;
      ++nelem;
    }
    start(position, k, nelem);
    k += nelem;
  }
}

template <CopyIterator GlobIt, IntegerIterator It, class T>
void start_get_elements(Transfer& transfer, const GlobIt& in, It first, It last, T* out) {
  require_copyable<typename GlobIt::value_type, T>();
  for_each_position(
      in, first, last, "dash::gather_elements",
      [&](const void* address, std::ptrdiff_t k) { std::memcpy(out + k, address, sizeof(T)); },
      [&](std::ptrdiff_t position, std::ptrdiff_t k, std::ptrdiff_t nelem) {
        using Difference = typename GlobIt::difference_type;
        start_get(transfer, in + static_cast<Difference>(position),
                  in + static_cast<Difference>(position + nelem), out + k);
      });
}
template <class T, IntegerIterator It, CopyIterator GlobIt>
void start_put_elements(Transfer& transfer, const T* in, It first, It last, const GlobIt& out) {
  static_assert(WrittenRange<GlobIt>::value);
  require_copyable<T, typename GlobIt::value_type>();
  for_each_position(
      out, first, last, "dash::scatter_elements",
      [&](void* address, std::ptrdiff_t k) { std::memcpy(address, in + k, sizeof(T)); },
      [&](std::ptrdiff_t position, std::ptrdiff_t k, std::ptrdiff_t nelem) {
        start_put(transfer, in + k, in + k + nelem,
                  out + static_cast<typename GlobIt::difference_type>(position));
      });
}

}  // namespace internal

/// \addtogroup transfers
/// @{

/// Copies the elements at given positions of a global range to native memory: `out[k] = in[first[k]]`.
///
///     std::vector<double> values(columns.size());
///     dash::gather_elements(x.begin(), columns.begin(), columns.end(), values.data());
///
/// \param in           begin of the global range
/// \param first, last  positions in it, integers: any number, in any order, also repeated
/// \param out          memory for last - first elements
/// \returns the end of the written memory
/// \collective no  \blocks until the data is in `out`
/// \throws exception::OutOfRange if a position is not in the container or view, after some elements may have been copied
/// \cost on the caller's node, a load for each element. Elements of other nodes: transfers of thousands of blocks of a unit,
///       those of all units at the same time; adjacent positions are one block
template <internal::CopyIterator GlobIt, internal::IntegerIterator It, class T>
T* gather_elements(GlobIt in, It first, It last, T* out) {
  internal::Transfer transfer(internal::caller_id(in), internal::Transfer::Mode::blocking);
  internal::start_get_elements(transfer, in, first, last, out);
  transfer.wait();
  return out + std::distance(first, last);
}

/// Starts gather_elements(). The positions are not used after the call.
/// \param out  must not be accessed until completion
/// \returns a future of the end of the written memory; it is ready when the data is in `out` (operation completion)
/// \collective no  \blocks never, except while too many elements are in flight
/// \throws as gather_elements()
template <internal::CopyIterator GlobIt, internal::IntegerIterator It, class T>
Future<T*> gather_elements_async(GlobIt in, It first, It last, T* out) {
  internal::Transfer transfer(internal::caller_id(in));
  internal::start_get_elements(transfer, in, first, last, out);
  return exec::make_future(transfer.finish(), out + std::distance(first, last));
}

/// Copies native memory to the elements at given positions of a global range: `out[first[k]] = in[k]`.
/// \param in           last - first elements
/// \param first, last  positions in the range, integers in any order. If one is repeated, or other units write the same
///                     element at the same time, any of the values remains
/// \param out          begin of the global range
/// \completion remote  \collective no  \blocks until the data is visible at its owners
/// \throws exception::OutOfRange if a position is not in the container or view, after some elements may have been copied
/// \cost as gather_elements()
template <class T, internal::IntegerIterator It, internal::CopyIterator GlobIt>
void scatter_elements(const T* in, It first, It last, GlobIt out) {
  internal::Transfer transfer(internal::caller_id(out), internal::Transfer::Mode::blocking);
  internal::start_put_elements(transfer, in, first, last, out);
  transfer.wait();
}

/// Starts scatter_elements(). The positions are not used after the call.
/// \param in  must not change until completion
/// \returns a future, which is ready when the data is visible at its owners (remote completion)
/// \collective no  \blocks never, except while too many elements are in flight
/// \throws as scatter_elements()
template <class T, internal::IntegerIterator It, internal::CopyIterator GlobIt>
Future<void> scatter_elements_async(const T* in, It first, It last, GlobIt out) {
  internal::Transfer transfer(internal::caller_id(out));
  internal::start_put_elements(transfer, in, first, last, out);
  return {transfer.finish(), exec::Unit{}};
}

/// @}

}  // namespace dash
