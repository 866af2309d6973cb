#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <memory>
#include <type_traits>
#include <utility>

#include "dash/Future.h"
#include "dash/GlobPtr.h"
#include "dash/Team.h"
#include "dash/dart/Access.h"
#include "dash/dart/GlobalCopy.h"
#include "dash/dart/Transfer.h"
#include "dash/internal/transfer/BoxRows.h"
#include "dash/internal/transfer/ContiguousBlocks.h"
#include "dash/internal/transfer/Transfer.h"
#include "dash/iterator/IteratorTraits.h"

namespace dash::internal {

/// Whether an object of type From can be copied bytewise to a To: the same type, or arithmetic
/// types of the same kind and size.
template <class From, class To>
struct is_dash_copyable
    : std::bool_constant<std::is_same_v<std::remove_cv_t<From>, std::remove_cv_t<To>> ||
                         (sizeof(From) == sizeof(To) &&
                          ((std::is_integral_v<From> && std::is_integral_v<To>) ||
                           (std::is_floating_point_v<From> && std::is_floating_point_v<To>)))> {};

template <class T>
inline constexpr bool is_glob_ptr = false;
template <class T, class Mem>
inline constexpr bool is_glob_ptr<GlobPtr<T, Mem>> = true;

/// Iterators that define global ranges: iterators over containers and their views, and pointers.
template <class It>
concept CopyIterator = GlobalIterator<It> || is_glob_ptr<It>;

/// The caller's id in the team that owns the memory of a range, if the iterator provides the team.
template <CopyIterator It>
team_unit_t caller_id([[maybe_unused]] const It& it) {
  if constexpr (GlobalIterator<It>) {
    return it.team().myid();
  } else {
    return UNDEFINED_TEAM_UNIT_ID;
  }
}

template <class From, class To>
constexpr void require_copyable() {
  static_assert(is_dash_copyable<From, To>::value,
                "dash::copy: the elements are copied as bytes; expected the same type on both "
                "sides, or integers or floating-point numbers of the same size");
}

/// Fails to compile, with one message for each type of iterator, if elements cannot be written
/// through it.
template <CopyIterator It>
struct WrittenRange {
  static_assert(!std::is_const_v<std::remove_pointer_t<typename It::local_type>>,
                "dash: the elements of a range that is written to are const");
  static constexpr bool value = true;
};

/// Start the transfers of all contiguous blocks of a range.
/// @{
template <CopyIterator GlobIt, class T>
void start_get(Transfer& transfer, const GlobIt& first, const GlobIt& last, T* out) {
  require_copyable<typename GlobIt::value_type, T>();
  for_each_contiguous_block(first, last,
                            [&](const auto& gptr, std::size_t nelem, std::size_t position) {
                              transfer.get(out + position, gptr, nelem * sizeof(T));
                            });
}

template <class T, CopyIterator GlobIt>
void start_put(Transfer& transfer, const T* first, const T* last, const GlobIt& out) {
  static_assert(WrittenRange<GlobIt>::value);
  require_copyable<T, typename GlobIt::value_type>();
  for_each_contiguous_block(out, out + (last - first),
                            [&](const auto& gptr, std::size_t nelem, std::size_t position) {
                              transfer.put(gptr, first + position, nelem * sizeof(T));
                            });
}

/// Calls fn(gptr, rows, position) for the rows of a box, in elements.
template <class T, class Pattern, class Mem, class P, class R, class Fn>
void for_each_rows(GlobViewIter<T, Pattern, Mem, P, R> it, typename Pattern::index_type size,
                   Fn fn) {
  using Index = typename Pattern::index_type;
  for (Index position = 0; position < size;) {
    const auto rows = next_rows(it, size - position);
    const auto gptr = element_gptr<std::remove_const_t<T>>(it.globmem(), rows.first_row.unit,
                                                           rows.first_row.index);
    fn(gptr,
       Transfer::Rows{static_cast<std::size_t>(rows.first_row.length) * sizeof(T),
                      static_cast<std::size_t>(rows.stride) * sizeof(T),
                      static_cast<std::size_t>(rows.count)},
       position);
    position += rows.first_row.length * rows.count;
    it += rows.first_row.length * rows.count;
  }
}

template <class From, class Pattern, class Mem, class P, class R, class T>
void start_get(Transfer& transfer, const GlobViewIter<From, Pattern, Mem, P, R>& first,
               const GlobViewIter<From, Pattern, Mem, P, R>& last, T* out) {
  require_copyable<From, T>();
  for_each_rows(first, last - first,
                [&](const dart_gptr_t& gptr, const Transfer::Rows& rows, auto position) {
                  transfer.get(out + position, gptr, rows);
                });
}
template <class T, class To, class Pattern, class Mem, class P, class R>
void start_put(Transfer& transfer, const T* first, const T* last,
               const GlobViewIter<To, Pattern, Mem, P, R>& out) {
  static_assert(WrittenRange<GlobViewIter<To, Pattern, Mem, P, R>>::value);
  require_copyable<T, To>();
  for_each_rows(out, static_cast<typename Pattern::index_type>(last - first),
                [&](const dart_gptr_t& gptr, const Transfer::Rows& rows, auto position) {
                  transfer.put(gptr, first + position, rows);
                });
}
/// @}

/// The address of a small range if it lies in the memory of one unit of the caller's node, so that
/// a transfer is a plain copy; otherwise nullptr.
template <CopyIterator GlobIt>
void* small_range_address(const GlobIt& first, std::ptrdiff_t size) {
  constexpr std::size_t element_size = sizeof(typename GlobIt::value_type);
  constexpr auto max_size = static_cast<std::ptrdiff_t>(Transfer::small_block / element_size);
  if (size <= 0 || size > max_size) return nullptr;
  const GlobalBlock block = global_block_at(first, size);
  if (block.nelem < size) return nullptr;
  return uncounted_address(block.gptr, static_cast<std::size_t>(size) * element_size);
}

/// Copies a small range if the function above yields its address. \returns whether the range was
/// copied
template <CopyIterator GlobIt, class T>
bool get_small(const GlobIt& first, const GlobIt& last, T* out) {
  require_copyable<typename GlobIt::value_type, T>();
  const std::ptrdiff_t size = last - first;
  const void* const address = small_range_address(first, size);
  if (address == nullptr) return false;
  std::memcpy(out, address, static_cast<std::size_t>(size) * sizeof(T));
  return true;
}
template <class T, CopyIterator GlobIt>
bool put_small(const T* first, const T* last, const GlobIt& out) {
  static_assert(WrittenRange<GlobIt>::value);
  require_copyable<T, typename GlobIt::value_type>();
  void* const address = small_range_address(out, last - first);
  if (address == nullptr) return false;
  std::memcpy(address, first, static_cast<std::size_t>(last - first) * sizeof(T));
  return true;
}

/// The first contiguous block of a range, and its address if it is on the caller's node and the
/// access need not be reported to the runtime; otherwise nullptr.
struct NodeBlock {
  std::ptrdiff_t nelem;
  void* address;
};
template <GlobalIterator GlobIt>
[[gnu::always_inline]] inline NodeBlock node_block_at(const GlobIt& it, std::ptrdiff_t limit) {
  constexpr std::size_t element_size = sizeof(typename GlobIt::value_type);
  const auto block = next_contiguous_block(it, static_cast<typename GlobIt::index_type>(limit));
  return {
      static_cast<std::ptrdiff_t>(block.length),
      it.globmem().address_at(block.unit, static_cast<std::uint64_t>(block.index) * element_size,
                              static_cast<std::size_t>(block.length) * element_size)};
}
template <class T, class GlobMemT>
NodeBlock node_block_at(const GlobPtr<T, GlobMemT>& pointer, std::ptrdiff_t limit) {
  const GlobalBlock block = global_block_at(pointer, limit);
  return {block.nelem,
          uncounted_address(block.gptr, static_cast<std::size_t>(block.nelem) * sizeof(T))};
}

/// From this size on, large copies go through DART's blocking calls, which select the fastest
/// method.
inline constexpr std::size_t large_plain_copy = std::size_t{256} << 10;

/// \name Ranges of several contiguous blocks
/// @{
template <CopyIterator GlobIt, class T>
[[gnu::noinline]] void get_blocks(GlobIt first, std::ptrdiff_t size, T* out) {
  Transfer transfer(caller_id(first), Transfer::Mode::blocking);
  start_get(transfer, first, first + static_cast<typename GlobIt::difference_type>(size), out);
  transfer.wait();
}
template <class T, CopyIterator GlobIt>
[[gnu::noinline]] void put_blocks(const T* first, const T* last, GlobIt out) {
  Transfer transfer(caller_id(out), Transfer::Mode::blocking);
  start_put(transfer, first, last, out);
  transfer.wait();
}
/// @}

/// Constructs an equal iterator instead of copying. If the address of the original were passed, or
/// the original copied as a whole, the compiler would have to store it in memory, even for small
/// ranges.
template <class T, class Pattern, class Mem, class P, class R>
GlobIter<T, Pattern, Mem, P, R> fresh_copy(const GlobIter<T, Pattern, Mem, P, R>& it) {
  return {&it.globmem(), it.pattern(), it.pos()};
}
template <class It>
const It& fresh_copy(const It& it) {
  return it;
}

template <CopyIterator GlobIt, class T>
[[gnu::always_inline]] inline T* get_range(const GlobIt& first, const GlobIt& last, T* out) {
  require_copyable<typename GlobIt::value_type, T>();
  const std::ptrdiff_t size = last - first;
  if (size <= 0) return out;
  const NodeBlock block = node_block_at(first, size);
  if (block.nelem < size) {
    get_blocks(fresh_copy(first), size, out);
    return out + size;
  }
  const std::size_t nbytes = static_cast<std::size_t>(size) * sizeof(T);
  if (block.address != nullptr && nbytes < large_plain_copy) {
    std::memcpy(out, block.address, nbytes);
  } else {
    dart::get_blocking(out, global_block_at(fresh_copy(first), size).gptr.gptr(), nbytes);
  }
  return out + size;
}

template <class T, CopyIterator GlobIt>
[[gnu::always_inline]] inline GlobIt put_range(const T* first, const T* last, const GlobIt& out) {
  static_assert(WrittenRange<GlobIt>::value);
  require_copyable<T, typename GlobIt::value_type>();
  const std::ptrdiff_t size = last - first;
  if (size <= 0) return out;
  const NodeBlock block = node_block_at(out, size);
  if (block.nelem < size) {
    put_blocks(first, last, fresh_copy(out));
    return out + size;
  }
  const std::size_t nbytes = static_cast<std::size_t>(size) * sizeof(T);
  if (block.address != nullptr && nbytes < large_plain_copy) {
    std::memcpy(block.address, first, nbytes);
  } else {
    dart::put_blocking(global_block_at(fresh_copy(out), size).gptr.gptr(), first, nbytes);
  }
  return out + size;
}

/// Asynchronous transfer of one contiguous block. The caller's own memory is copied during the call.
/// \param myid  as for Transfer
/// @{
inline exec::Operation get_block_async(void* dest, const dart_gptr_t& src, std::size_t nbytes,
                                       team_unit_t myid) {
  if (myid == UNDEFINED_TEAM_UNIT_ID) myid = caller_id_of(src);
  if (src.unitid != myid.id) return dart::get_async(dest, src, nbytes);
  dart::get_blocking(dest, src, nbytes);
  return {};
}
inline exec::Operation put_block_async(const dart_gptr_t& dest, const void* src, std::size_t nbytes,
                                       team_unit_t myid) {
  if (myid == UNDEFINED_TEAM_UNIT_ID) myid = caller_id_of(dest);
  if (dest.unitid != myid.id) return dart::put_async(dest, src, nbytes);
  dart::put_blocking(dest, src, nbytes);
  return {};
}
/// @}

template <CopyIterator GlobIt, class T>
[[gnu::noinline]] Future<T*> start_get_range(GlobIt first, std::ptrdiff_t size, T* out) {
  const GlobalBlock block = global_block_at(first, size);
  if (block.nelem == size) {
    const std::size_t nbytes = static_cast<std::size_t>(size) * sizeof(T);
    return exec::make_future(get_block_async(out, block.gptr.gptr(), nbytes, caller_id(first)),
                             out + size);
  }
  Transfer transfer(caller_id(first));
  start_get(transfer, first, first + static_cast<typename GlobIt::difference_type>(size), out);
  return exec::make_future(transfer.finish(), out + size);
}
template <class T, CopyIterator GlobIt>
[[gnu::noinline]] Future<GlobIt> start_put_range(const T* first, const T* last, GlobIt out) {
  const GlobalBlock block = global_block_at(out, last - first);
  if (block.nelem == last - first) {
    const std::size_t nbytes = static_cast<std::size_t>(last - first) * sizeof(T);
    return exec::make_future(put_block_async(block.gptr.gptr(), first, nbytes, caller_id(out)),
                             GlobIt(out + (last - first)));
  }
  Transfer transfer(caller_id(out));
  start_put(transfer, first, last, out);
  return exec::make_future(transfer.finish(), GlobIt(out + (last - first)));
}

template <CopyIterator GlobIt, class T>
[[gnu::always_inline]] inline Future<T*> get_range_async(const GlobIt& first, const GlobIt& last,
                                                         T* out) {
  if (get_small(first, last, out)) return out + (last - first);
  if (!(first < last)) return out;
  return start_get_range(fresh_copy(first), last - first, out);
}

template <class T, CopyIterator GlobIt>
[[gnu::always_inline]] inline Future<GlobIt> put_range_async(const T* first, const T* last,
                                                             const GlobIt& out) {
  if (put_small(first, last, out) || last <= first) return GlobIt(out + (last - first));
  return start_put_range(first, last, fresh_copy(out));
}

/// The blocks of a copy between two global ranges that are contiguous at both ends.
template <CopyIterator GlobIn, CopyIterator GlobOut>
class PairedBlocks final : public dart::CopyBlocks {
  using T = typename GlobOut::value_type;

 public:
  /// \param begin  position in the range at which to start; the positions before it come last
  PairedBlocks(GlobIn first, GlobOut out, std::ptrdiff_t nelem, std::ptrdiff_t begin)
      : _first(std::move(first)), _first_out(std::move(out)), _before(begin) {
    restart_at(begin, nelem - begin);
  }

  bool next(dart::CopyBlock& block) override {
    if (_remaining == 0) restart_at(0, std::exchange(_before, 0));
    if (_remaining == 0) return false;
    if (_from.nelem == 0) _from = global_block_at(_in, _remaining);
    if (_to.nelem == 0) _to = global_block_at(_out, _remaining);
    const std::ptrdiff_t nelem = std::min(_from.nelem, _to.nelem);
    const auto nbytes = static_cast<std::size_t>(nelem) * sizeof(T);
    block = {_to.gptr.gptr(), _from.gptr.gptr(), nbytes};
    _remaining -= nelem;
    consume(_from, _in, nelem);
    consume(_to, _out, nelem);
    return true;
  }

 private:
  template <class It>
  static void consume(GlobalBlock& block, It& it, std::ptrdiff_t nelem) {
    block.gptr.offset += static_cast<std::uint64_t>(nelem) * sizeof(T);
    block.nelem -= nelem;
    it += static_cast<typename It::difference_type>(nelem);
  }

  void restart_at(std::ptrdiff_t begin, std::ptrdiff_t length) {
    _in = _first + static_cast<typename GlobIn::difference_type>(begin);
    _out = _first_out + static_cast<typename GlobOut::difference_type>(begin);
    _remaining = length;
    _from.nelem = _to.nelem = 0;
  }

  GlobIn _first;
  GlobOut _first_out;
  std::ptrdiff_t _before;
  GlobIn _in;
  GlobOut _out;
  std::ptrdiff_t _remaining = 0;
  GlobalBlock _from{};  // remainders of the blocks at _in and _out
  GlobalBlock _to{};
};

/// The position in a range from which to start copying: the elements of the unit that follows the
/// caller. So units that copy the same range simultaneously do not all access the same unit first.
/// \cost at most one mapping for each unit
template <GlobalIterator GlobIt>
std::ptrdiff_t position_of_next_unit(const GlobIt& first, std::ptrdiff_t size) {
  const std::int32_t myid = first.team().myid().id;
  const auto nunits = static_cast<std::int32_t>(first.team().size());
  std::ptrdiff_t best = 0;
  std::int32_t nearest = nunits;
  GlobIt it = first;
  std::ptrdiff_t position = 0;
  for (std::int32_t i = 0; i < nunits && position < size && nearest > 0; ++i) {
    const GlobalBlock block = global_block_at(it, size - position);
    const std::int32_t distance = (block.gptr.unit() - myid - 1 + nunits) % nunits;
    if (distance < nearest) {
      nearest = distance;
      best = position;
    }
    position += block.nelem;
    it += static_cast<typename GlobIt::difference_type>(block.nelem);
  }
  return best;
}
template <class T, class GlobMemT>
std::ptrdiff_t position_of_next_unit(const GlobPtr<T, GlobMemT>& /*first*/,
                                     std::ptrdiff_t /*size*/) {
  return 0;  // the team of a pointer is unknown
}

template <CopyIterator GlobIn, CopyIterator GlobOut>
Future<GlobOut> copy_range_async(const GlobIn& first, const GlobIn& last, const GlobOut& out) {
  static_assert(WrittenRange<GlobOut>::value);
  require_copyable<typename GlobIn::value_type, typename GlobOut::value_type>();
  using Blocks = PairedBlocks<GlobIn, GlobOut>;
  const std::ptrdiff_t size = last - first;
  if (size <= 0) return GlobOut(out);
  const GlobOut end(out + size);
  Blocks blocks(first, out, size, 0);
  dart::CopyBlock block{};
  blocks.next(block);
  exec::Operation operation;
  const bool is_all =
      block.nbytes == static_cast<std::size_t>(size) * sizeof(typename GlobOut::value_type);
  if (!is_all || !dart::copy_direct_async(block, operation)) {
    const std::ptrdiff_t begin = is_all ? 0 : position_of_next_unit(first, size);
    operation = dart::copy_global_async(std::make_unique<Blocks>(first, out, size, begin),
                                        block.dest, block.src);
  }
  return {std::move(operation), end};
}

/// Copies native memory to native memory, by the copy queue if it is large.
template <class T>
Future<T*> copy_native_async(const T* first, const T* last, T* out) {
  static_assert(std::is_trivially_copyable_v<T>, "dash::copy_async: elements are copied as bytes");
  if (last <= first) return out;
  T* const end = out + (last - first);
  return {copy_bytes_async(out, first, static_cast<std::size_t>(last - first) * sizeof(T)), end};
}

}  // namespace dash::internal
