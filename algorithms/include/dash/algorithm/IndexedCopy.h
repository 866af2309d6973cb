#pragma once

#include <algorithm>
#include <cstddef>
#include <cstring>
#include <iterator>
#include <limits>
#include <optional>
#include <tuple>
#include <type_traits>
#include <utility>

#include "dash/Exception.h"
#include "dash/Future.h"
#include "dash/internal/transfer/RangeTransfer.h"
#include "dash/internal/transfer/Transfer.h"
#include "dash/rpc/RemoteElements.h"

namespace dash {

namespace internal {

/// Iterators over positions in a global range.
template <class It>
concept IntegerIterator = std::forward_iterator<It> && std::is_integral_v<std::iter_value_t<It>>;

/// Calls fn(position, k, nelem) for groups of adjacent positions: the k-th one and the nelem - 1 that follow it are
/// position, position + 1, ...
template <IntegerIterator It, class Fn>
void for_each_run(It first, It last, const Fn& fn) {
  std::ptrdiff_t k = 0;
  while (first != last) {
    const auto position = static_cast<std::ptrdiff_t>(*first);
    std::ptrdiff_t nelem = 1;
    while (++first != last && static_cast<std::ptrdiff_t>(*first) == position + nelem)
      ++nelem;
    fn(position, k, nelem);
    k += nelem;
  }
}

/// The number of elements from an iterator to the end of its container or view.
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

/// Up to this number, adjacent elements of another node are sent one by one, and not as a block.
inline constexpr std::ptrdiff_t max_single_elements = 8;

/// The transfers of elements at given positions of a global range.
template <CopyIterator GlobIt>
class ElementTransfer {
  using T = std::remove_const_t<typename GlobIt::value_type>;

 public:
  ElementTransfer(const GlobIt& begin, Transfer::Mode mode)
      : _begin(begin), _size(num_following(begin)), _blocks(caller_id(begin), mode) {
    if constexpr (GlobalIterator<GlobIt>) _elements.emplace(begin.team(), sizeof(T));
  }

  template <IntegerIterator It>
  void get(It first, It last, T* out) {
    for_each_run(first, last, [&](std::ptrdiff_t position, std::ptrdiff_t k, std::ptrdiff_t nelem) {
      check(position, nelem);
      const GlobIt from = at(position);
      const NodeBlock block = node_block_at(from, nelem);
      if (block.address != nullptr && nelem == 1) {
        std::memcpy(out + k, block.address, sizeof(T));
      } else if (block.address != nullptr || !is_single(nelem)) {
        start_get(_blocks, from, at(position + nelem), out + k);
      } else {
        for (std::ptrdiff_t i = 0; i < nelem; ++i) {
          const dart_gptr_t gptr = global_block_at(at(position + i), 1).gptr.gptr();
          if (_elements->accepts(gptr)) {
            _elements->get(gptr, out + k + i);
          } else {
            _blocks.get(out + k + i, gptr, sizeof(T));
          }
        }
      }
    });
  }
  template <IntegerIterator It>
  void put(const T* in, It first, It last) {
    for_each_run(first, last, [&](std::ptrdiff_t position, std::ptrdiff_t k, std::ptrdiff_t nelem) {
      check(position, nelem);
      const GlobIt to = at(position);
      const NodeBlock block = node_block_at(to, nelem);
      if (block.address != nullptr && nelem == 1) {
        std::memcpy(block.address, in + k, sizeof(T));
      } else if (block.address != nullptr || !is_single(nelem)) {
        start_put(_blocks, in + k, in + k + nelem, to);
      } else {
        for (std::ptrdiff_t i = 0; i < nelem; ++i) {
          const dart_gptr_t gptr = global_block_at(at(position + i), 1).gptr.gptr();
          if (_elements->accepts(gptr)) {
            _elements->put(gptr, in + k + i);
          } else {
            _blocks.put(gptr, in + k + i, sizeof(T));
          }
        }
      }
    });
  }

  /// \returns a future that is ready when all transfers are complete, even if some have failed
  Future<void> finish() {
    Future<void> blocks(_blocks.finish(), exec::Unit{});
    if (!_elements) return blocks;
    Future<void> elements = _elements->finish();
    return when_all(std::move(elements), std::move(blocks)).then([](auto all) {
      std::get<0>(all).get();
      std::get<1>(all).get();
    });
  }

 private:
  GlobIt at(std::ptrdiff_t position) const {
    return _begin + static_cast<typename GlobIt::difference_type>(position);
  }
  bool is_single(std::ptrdiff_t nelem) const { return _elements && nelem <= max_single_elements; }
  void check(std::ptrdiff_t position, std::ptrdiff_t nelem) const {
    if (position >= 0 && position <= _size - nelem) return;
    const std::ptrdiff_t wrong = position < 0 ? position : std::max(position, _size);
    DASH_THROW(exception::OutOfRange, "dash::gather_elements, scatter_elements: position "
                                          << wrong << " is not in a range of " << _size
                                          << " elements");
  }

  GlobIt _begin;
  std::ptrdiff_t _size;
  Transfer _blocks;
  std::optional<RemoteElements> _elements;  // none for pointers, whose team is unknown
};

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
/// \cost on the caller's node, a load for each element. Elements of other nodes: one message for hundreds of elements of a
///       unit, which the unit answers even if it computes; more than 8 adjacent elements are one transfer
template <internal::CopyIterator GlobIt, internal::IntegerIterator It, class T>
T* gather_elements(GlobIt in, It first, It last, T* out) {
  internal::require_copyable<typename GlobIt::value_type, T>();
  internal::ElementTransfer<GlobIt> transfer(in, internal::Transfer::Mode::blocking);
  transfer.get(first, last, out);
  transfer.finish().get();
  return out + std::distance(first, last);
}

/// Starts gather_elements(). The positions are not used after the call.
/// \param out  must not be accessed until completion
/// \returns a future of the end of the written memory; it is ready when the data is in `out` (operation completion)
/// \collective no  \blocks never, except while too many elements are in flight
template <internal::CopyIterator GlobIt, internal::IntegerIterator It, class T>
Future<T*> gather_elements_async(GlobIt in, It first, It last, T* out) {
  internal::require_copyable<typename GlobIt::value_type, T>();
  internal::ElementTransfer<GlobIt> transfer(in, internal::Transfer::Mode::asynchronous);
  transfer.get(first, last, out);
  return transfer.finish().then([end = out + std::distance(first, last)] { return end; });
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
  static_assert(internal::WrittenRange<GlobIt>::value);
  internal::require_copyable<T, typename GlobIt::value_type>();
  internal::ElementTransfer<GlobIt> transfer(out, internal::Transfer::Mode::blocking);
  transfer.put(in, first, last);
  transfer.finish().get();
}

/// Starts scatter_elements(). The positions are not used after the call.
/// \param in  must not change until completion
/// \returns a future, which is ready when the data is visible at its owners (remote completion)
/// \collective no  \blocks never, except while too many elements are in flight
template <class T, internal::IntegerIterator It, internal::CopyIterator GlobIt>
Future<void> scatter_elements_async(const T* in, It first, It last, GlobIt out) {
  static_assert(internal::WrittenRange<GlobIt>::value);
  internal::require_copyable<T, typename GlobIt::value_type>();
  internal::ElementTransfer<GlobIt> transfer(out, internal::Transfer::Mode::asynchronous);
  transfer.put(in, first, last);
  return transfer.finish();
}

/// @}

}  // namespace dash
